package io.belfry.library;

import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import io.belfry.store.LogLimiter;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs outages of an engine: that it stopped accepting writes, why, and when it recovered. The same cause is logged once a minute, with a count.
 *
 * <p>Threading: safe.
 */
final class EngineLog implements EngineHealth.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final String engine;
  private final String namespace;
  private final String consequence;
  private final LogLimiter limiter;

  /**
   * Creates the log of one engine.
   *
   * @param engine for example {@code redis}
   * @param consequence what does not work during an outage
   */
  EngineLog(String engine, String namespace, String consequence, Time time) {
    this.engine = engine;
    this.namespace = namespace;
    this.consequence = consequence;
    this.limiter = LogLimiter.everyMinute(time);
  }

  @Override
  public void failing(EngineHealth.Outage outage) {
    var unused = limiter.log(
        outage.reason() + outage.cause(),
        more -> LOG.warn(
            "Belfry cannot write to the {} of namespace {} ({}): {}; {} until it can. Failing for {} s, {} writes failed so far.",
            engine,
            namespace,
            WireName.of(outage.reason()),
            outage.cause(),
            consequence,
            seconds(outage.lasted()),
            outage.failures()));
  }

  @Override
  public void recovered(EngineHealth.Outage outage) {
    LOG.info(
        "Belfry can write to the {} of namespace {} again, after {} s in which {} writes failed (last: {}).",
        engine,
        namespace,
        seconds(outage.lasted()),
        outage.failures(),
        WireName.of(outage.reason()));
  }

  private static String seconds(Duration duration) {
    return "%.1f".formatted(duration.toMillis() / 1e3);
  }
}
