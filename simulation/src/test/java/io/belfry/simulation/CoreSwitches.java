package io.belfry.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.List;

/**
 * Somebody who pauses the namespace and lets it go on, changes the strategy, and switches a queue between push and pull; until the storm is over, and then it goes on for good.
 *
 * <p>Threading: confined to its world.
 */
final class CoreSwitches {
  /** The queue that is pulled from, now and then. */
  static final String QUEUE = "pulled";

  /** What was sent before the storm's end and is late has arrived by now. */
  private static final long FOR_GOOD = CoreScenario.STORM.plusSeconds(7).toNanos();

  private static final List<String> STRATEGIES =
      Strategies.builtIn().names().stream().sorted().toList();

  private final SimNode node;
  private final Loop loop;
  private final Store store;
  private long resets;
  private long generation;

  CoreSwitches(SimNode node, Store store) {
    this.node = node;
    this.loop = node.loop();
    this.store = store;
  }

  void start() {
    later(Duration.ofSeconds(20), this::change);
    goOnForGood();
    switchQueue();
  }

  /** By blind writes: revisions tell them apart, whatever generation they claim. */
  private void switchQueue() {
    if (node.world().now() < CoreScenario.STORM.toNanos()) {
      var mode = node.random().nextInt(3) > 0 ? QueueRecord.Mode.PULL : QueueRecord.Mode.PUSH;
      byte[] value = Records.encode(new QueueRecord(mode, false, ++generation));
      loop.onResult(
          store.commit(Commit.when().put(Keys.queue(QUEUE), value).build()),
          done -> {},
          failure -> {});
      later(Duration.ofSeconds(6), this::switchQueue);
    }
  }

  private void later(Duration mean, Runnable step) {
    var unused = loop.after(Duration.ofNanos(node.random().nextLong(2 * mean.toNanos())), step);
  }

  private void change() {
    if (node.world().now() < CoreScenario.STORM.toNanos()) {
      later(Duration.ofSeconds(20), this::change);
      write(node.random().nextInt(3) == 0, () -> {});
      later(Duration.ofSeconds(2), this::goOn);
    }
  }

  private void goOn() {
    if (node.world().now() < CoreScenario.STORM.toNanos()) {
      write(false, () -> later(Duration.ofMillis(500), this::goOn));
    }
  }

  private void goOnForGood() {
    long left = FOR_GOOD - node.world().now();
    if (left > 0) {
      var unused = loop.after(Duration.ofNanos(left), this::goOnForGood);
    } else {
      write(false, () -> later(Duration.ofMillis(200), this::goOnForGood));
    }
  }

  private void write(boolean paused, Runnable failed) {
    String strategy = STRATEGIES.get(node.random().nextInt(STRATEGIES.size()));
    byte[] value = Records.encode(new NamespaceSettings(paused, strategy, resets++));
    loop.onResult(
        store.commit(Commit.when().put(Keys.NAMESPACE, value).build()),
        done -> {},
        failure -> failed.run());
  }
}
