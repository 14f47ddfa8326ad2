package io.belfry.simulation;

import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * Some write, some follow, and the engine fails over under them; whoever follows ends up with what stands.
 *
 * <p>Watchers here hear what a failover can still take back, as on an engine without a barrier: the new epoch alone must set them right.
 * Behind the barrier nobody hears what is taken back, and no epoch would be missed.
 */
class FollowScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(20);
  private static final Duration END = Duration.ofSeconds(40);
  private static final int KEYS = 8;

  private final Set<Sabotage> sabotage = EnumSet.of(Sabotage.WATCH_BEFORE_REPLICATION);

  /** The same without epochs. */
  static final class WithoutEpochs extends FollowScenario {
    WithoutEpochs() {
      super(Sabotage.NO_NEW_EPOCH);
    }
  }

  FollowScenario() {}

  private FollowScenario(Sabotage more) {
    sabotage.add(more);
  }

  @Override
  public void accept(long seed) {
    var world = new World(seed, "ScenariosTest#whoever_follows_ends_up_with_what_stands");
    var engine = new SimEngine(world, EngineMode.REDIS, sabotage);
    var cluster = new Cluster(world, new Ledger(world), List.of(engine));
    Map<String, Map<Key, Long>> views = new HashMap<>();
    for (int i = 1; i <= 3; i++) {
      cluster.add("f" + i, process -> follow(process, views));
      cluster.add("w" + i, process -> write(world, process.node(), process.store()));
    }
    var faults = EnumSet.of(FaultPlan.Fault.FAILOVER, FaultPlan.Fault.PARTITION);
    new FaultPlan(world, cluster, faults, Duration.ofSeconds(1))
        .schedule(Duration.ofSeconds(2), STORM);
    world.runUntil(END);
    Map<Key, Long> stands = new TreeMap<>();
    engine.state().slots().forEach((key, slot) -> stands.put(key, slot.revision()));
    views.forEach((who, view) -> {
      if (!view.equals(stands)) {
        throw world.violation(
            "I7 everything recovers", who + " believes " + view + ", but there stands " + stands);
      }
    });
  }

  private static void write(World world, SimNode node, Store store) {
    var key = Key.of(Keys.SETTINGS, "k" + node.random().nextInt(KEYS));
    Commit commit = node.random().nextInt(4) == 0
        ? Commit.when().delete(key).build()
        : Commit.when().put(key, new byte[] {(byte) node.random().nextInt()}).build();
    var unused = store.commit(commit);
    if (world.now() < STORM.toNanos()) {
      var unusedTimer = node.loop()
          .after(Duration.ofMillis(node.random().nextInt(400)), () -> write(world, node, store));
    }
  }

  private static void follow(Cluster.Booted process, Map<String, Map<Key, Long>> views) {
    Map<Key, Long> view = new TreeMap<>();
    views.put(process.node().name(), view);
    new Follower(process.node().loop(), process.store(), Keys.SETTINGS, new Follower.Sink() {
          @Override
          public void loading() {
            view.clear();
          }

          @Override
          public void put(Entry entry) {
            view.merge(entry.key(), entry.revision(), Math::max);
          }

          @Override
          public void deleted(Key key, long revision) {
            if (view.getOrDefault(key, 0L) < revision) {
              view.remove(key);
            }
          }

          @Override
          public void loaded() {}
        })
        .start();
  }
}
