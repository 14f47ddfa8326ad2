package io.belfry.simulation;

import io.belfry.store.Space;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * One run, put together: a world, an engine, machines, trouble and laws. A scenario adds its machines and runs it.
 *
 * <pre>{@code
 * var simulation = new Simulation(new World(seed), EngineMode.REDIS, Set.of(), decoder, Set.of(Keys.INBOXES));
 * simulation.cluster().add("s1", process -> new LeaderLoop(process.node().loop(), process.store(), ...).start());
 * simulation.run(FaultPlan.all(EngineMode.REDIS), lease, Duration.ofSeconds(40), Duration.ofSeconds(60));
 * }</pre>
 *
 * <p>Threading: confined to its world.
 */
final class Simulation {
  /** Long enough for all attempts of a task. */
  private static final Duration LATELY = Duration.ofSeconds(20);

  private static final int MORE_SECONDS = 60;

  private final World world;
  private final SimEngine engine;
  private final SimEngine election;
  private final Ledger ledger;
  private final Cluster cluster;
  private final Laws laws;

  Simulation(
      World world,
      EngineMode mode,
      Set<Sabotage> sabotage,
      Laws.Decoder decoder,
      Set<Space> leaderOnly) {
    this(world, mode, mode, sabotage, decoder, leaderOnly);
  }

  /**
   * @param electionMode the kind of engine that leaders are elected on: one of its own where it is another kind than {@code mode}
   */
  Simulation(
      World world,
      EngineMode mode,
      EngineMode electionMode,
      Set<Sabotage> sabotage,
      Laws.Decoder decoder,
      Set<Space> leaderOnly) {
    this.world = world;
    this.engine = new SimEngine(world, mode, sabotage);
    this.election = electionMode == mode ? engine : new SimEngine(world, electionMode, sabotage);
    this.ledger = new Ledger(world);
    this.cluster = new Cluster(
        world, ledger, election == engine ? List.of(engine) : List.of(engine, election));
    this.laws = new Laws(world, engine, ledger, decoder, leaderOnly);
  }

  World world() {
    return world;
  }

  SimEngine engine() {
    return engine;
  }

  /** Where leaders are elected; often the same. */
  SimEngine election() {
    return election;
  }

  Ledger ledger() {
    return ledger;
  }

  Cluster cluster() {
    return cluster;
  }

  Laws laws() {
    return laws;
  }

  /** Trouble until {@code storm}, quiet until {@code end}; then nothing may be left undone. */
  void run(Set<FaultPlan.Fault> faults, Duration lease, Duration storm, Duration end) {
    new FaultPlan(world, cluster, faults, lease).schedule(Duration.ofSeconds(2), storm);
    world.runUntil(end);
    // A leader whose clock was ahead has planned ahead; what came due a moment ago may still run.
    Instant lately = SimTime.BEGINNING.plus(end).minus(LATELY);
    for (int more = 1; more <= MORE_SECONDS && laws.onlyLatelyDue(lately); more++) {
      world.runUntil(end.plusSeconds(more));
    }
    laws.checkEnd();
  }
}
