package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.LogLimiter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what waits for too long, on a thread that itself waits for nothing: calls past their deadline, a connection that has
 * owed an answer for longer than the answer timeout, and writes that a peer does not take.
 *
 * <pre>
 *   every few ms ──▶ Desk.expire ──▶ calls complete ·  Desk.isSilentFor ──▶ Link.cutConnection ·  Dialer.cutStuckWrites
 * </pre>
 *
 * <p>Threading: one thread of its own; {@code close} from anywhere.
 */
final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final Duration EVERY_MAX = Duration.ofMillis(50);

  private final Time time;
  private final CallQueue desk;
  private final Link link;
  private final Dialer dialer;
  private final Duration patience;
  private final LogLimiter said;
  private final CountDownLatch closed = new CountDownLatch(1);

  Watchdog(Time time, CallQueue desk, Link link, Dialer dialer, Duration patience) {
    this.time = time;
    this.desk = desk;
    this.link = link;
    this.dialer = dialer;
    this.patience = patience;
    this.said = LogLimiter.everyMinute(time);
  }

  void run() {
    long every = Math.max(1, Math.min(EVERY_MAX.toMillis(), patience.toMillis() / 20));
    while (!awaitClosed(every)) {
      try {
        desk.expire(time.nanos());
        if (desk.isSilentFor(patience)) {
          link.cutConnection("it has not answered for " + patience.toMillis() + " ms");
        }
        dialer.cutStuckWrites(patience);
      } catch (RuntimeException | Error e) {
        // Without this thread calls could wait for ever: it goes on whatever happens.
        var unused = said.log(
            String.valueOf(e),
            more -> LOG.error("Redis: the watchdog failed and goes on{}.", more, e));
      }
    }
  }

  private boolean awaitClosed(long millis) {
    try {
      return closed.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread: it ends by close().
      return closed.getCount() == 0;
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
