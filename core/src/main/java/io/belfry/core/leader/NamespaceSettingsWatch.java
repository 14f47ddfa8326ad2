package io.belfry.core.leader;

import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.dispatch.Strategy;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is switched at run time for the whole namespace: the pause, the strategy, and whether there is room for more.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class NamespaceSettingsWatch implements Follower.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceSettingsWatch.class);

  private final Follower follower;
  private final Strategies strategies;
  private final Dispatcher<LiveTask> dispatcher;
  private final Backpressure backpressure;
  private final Runnable changed;
  private final Consumer<Entry> keysFull;
  private final Runnable whenLoaded;
  private NamespaceSettings settings = NamespaceSettings.DEFAULT;
  private long known;

  /**
   * Switches of which nothing is known yet.
   *
   * @param keysFull receives whether there is room for idempotency keys, as the store has it
   */
  NamespaceSettingsWatch(
      TermContext term,
      Strategies strategies,
      Dispatcher<LiveTask> dispatcher,
      Backpressure backpressure,
      Consumer<Entry> keysFull,
      Runnable whenLoaded) {
    this.follower = new Follower(term.loop(), term.store(), Keys.SETTINGS, this);
    this.strategies = strategies;
    this.dispatcher = dispatcher;
    this.backpressure = backpressure;
    this.changed = term.wakeUp();
    this.keysFull = keysFull;
    this.whenLoaded = whenLoaded;
  }

  void start() {
    follower.start();
  }

  void stop() {
    follower.stop();
  }

  boolean paused() {
    return settings.paused();
  }

  @Override
  public void loading() {}

  @Override
  public void put(Entry entry) {
    if (entry.key().equals(Keys.FULLNESS)) {
      backpressure.onRecord(entry);
    } else if (entry.key().equals(Keys.KEYS_FULL)) {
      keysFull.accept(entry);
    } else if (entry.key().equals(Keys.NAMESPACE) && entry.revision() > known) {
      known = entry.revision();
      SafeDecoder.read(entry, each -> Records.namespaceSettings(each.value())).ifPresent(this::use);
    }
  }

  @Override
  public void deleted(Key key, long revision) {
    if (key.equals(Keys.NAMESPACE) && revision > known) {
      known = revision;
      use(NamespaceSettings.DEFAULT);
    }
  }

  @Override
  public void loaded() {
    whenLoaded.run();
  }

  private void use(NamespaceSettings now) {
    if (!now.strategy().equals(settings.strategy())) {
      dispatcher.use(strategy(now.strategy()));
    } else if (now.resets() != settings.resets()) {
      dispatcher.reset();
    }
    settings = now;
    changed.run();
  }

  /** Somebody's own strategy may be registered on another node only: this one leads all the same. */
  private Strategy strategy(String name) {
    if (strategies.names().contains(name)) {
      return strategies.make(name);
    }
    LOG.warn(
        "Strategy '{}' is not registered on this node, which leads by '{}' until another is set.",
        name,
        NamespaceSettings.DEFAULT.strategy());
    return strategies.make(NamespaceSettings.DEFAULT.strategy());
  }
}
