package io.belfry.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * What goes wrong in one run, and when: trouble until the storm is over, then a quiet end in which everything must settle.
 *
 * <p>Threading: confined to its world.
 */
final class FaultPlan {

  /** A way in which things go wrong. */
  enum Fault {
    CRASH,
    /** Two seats at once. */
    CRASH_TWO,
    /** The process is asked to end, and does so in its own time. */
    STOP,
    PAUSE_SHORT,
    PAUSE_LONG,
    PARTITION,
    /** Requests arrive, answers do not. */
    DEAF,
    LOSSY,
    /** Answers take up to about as long as somebody waits for them. */
    SLOW,
    /** Scans are answered by a member that has fallen behind. */
    STALE_SCANS,
    ENGINE_PAUSE,
    /** The engine has no room for what is written. */
    FULL,
    FAILOVER,
    CLOCK_STEP,
    FORGET_FEED
  }

  private static final Set<Fault> OF_ONE_PROCESS = EnumSet.of(
      Fault.CRASH,
      Fault.STOP,
      Fault.PAUSE_SHORT,
      Fault.PAUSE_LONG,
      Fault.FULL,
      Fault.CLOCK_STEP,
      Fault.FORGET_FEED);

  private final World world;
  private final Cluster cluster;
  private final RandomGenerator random;
  private final List<Fault> faults;
  private final Duration lease;

  /**
   * @param allowed those that this run may have
   * @param lease how long a lease lasts: what pauses are measured by
   */
  FaultPlan(World world, Cluster cluster, Set<Fault> allowed, Duration lease) {
    this.world = world;
    this.cluster = cluster;
    this.random = world.dice();
    this.faults = new ArrayList<>(allowed);
    this.lease = lease;
  }

  /** All that can happen to this kind of engine. */
  static Set<Fault> all(EngineMode mode) {
    return switch (mode) {
      case PLAIN -> EnumSet.copyOf(OF_ONE_PROCESS);
      case ETCD -> EnumSet.complementOf(EnumSet.of(Fault.FAILOVER));
      case REDIS -> EnumSet.complementOf(EnumSet.of(Fault.STALE_SCANS));
    };
  }

  /** Enters the whole storm into the world: some seeds have a few faults, some have many. */
  void schedule(Duration begin, Duration end) {
    long meanGap = 700_000_000L << random.nextInt(4);
    long at = begin.toNanos() + random.nextLong(meanGap);
    while (!faults.isEmpty() && at < end.toNanos()) {
      Fault fault = faults.get(random.nextInt(faults.size()));
      world.at(at, () -> strike(fault));
      at += random.nextLong(2 * meanGap);
    }
    world.at(end.toNanos(), cluster::heal);
  }

  private void strike(Fault fault) {
    Cluster.Seat seat = cluster.seats().get(random.nextInt(cluster.seats().size()));
    SimEngine engine = cluster.engines().get(random.nextInt(cluster.engines().size()));
    world.note(seat.name(), "fault", fault.name());
    switch (fault) {
      case CRASH -> crash(seat);
      case CRASH_TWO -> {
        crash(seat);
        crash(cluster.seats().get(random.nextInt(cluster.seats().size())));
      }
      case STOP -> seat.stop(() -> world.in(share(0.05, 3), seat::start));
      case PAUSE_SHORT -> seat.pause(share(0.1, 0.9));
      case PAUSE_LONG -> seat.pause(share(1, 3));
      case PARTITION -> seat.link(engine).cut(share(0.2, 4), false);
      case DEAF -> seat.link(engine).cut(share(0.2, 3), true);
      case LOSSY -> lossy(seat.link(engine));
      case SLOW -> slow(seat.link(engine));
      case STALE_SCANS -> seat.link(engine).scansBehind(engine.state().copy(), share(0.2, 3));
      case FULL -> engine.full(share(0.1, 2));
      case ENGINE_PAUSE -> engine.pause(share(0.1, 2));
      case FAILOVER -> failover(engine);
      case CLOCK_STEP -> step(seat);
      case FORGET_FEED -> engine.feeds().forget(random);
    }
  }

  private void crash(Cluster.Seat seat) {
    seat.crash();
    world.in(share(0.05, 3), seat::start);
  }

  private void lossy(Link link) {
    link.lossy(5 + random.nextInt(20));
    world.in(share(0.5, 3), () -> link.lossy(0));
  }

  private void slow(Link link) {
    link.slow(Duration.ofMillis(100 + random.nextInt(1_800)));
    world.in(share(0.5, 3), () -> link.slow(Duration.ZERO));
  }

  /** The replicas fall behind for a while, so that there is something to take back. */
  private void failover(SimEngine engine) {
    if (engine.mode() == EngineMode.REDIS) {
      engine.stallReplication(Duration.ofSeconds(60));
      world.in(
          Duration.ofMillis(random.nextInt(3_000)),
          () -> engine.failover(Duration.ofMillis(50 + random.nextInt(4_000))));
    }
  }

  private void step(Cluster.Seat seat) {
    Duration by = Duration.ofMillis(
        random.nextInt(3) == 0
            ? random.nextInt(-3_600_000, 3_600_001)
            : random.nextInt(-5_000, 5_001));
    seat.node().ifPresent(node -> {
      world.note(node.id(), "clock steps", by.toMillis());
      node.time().step(by);
    });
  }

  private Duration share(double from, double to) {
    return Duration.ofNanos((long) (lease.toNanos() * (from + random.nextDouble() * (to - from))));
  }
}
