package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** Three toy schedulers and three toy workers on each kind of engine in turn, or all in one process on an embedded one. */
final class ToyScenario implements LongConsumer {
  static final Duration STORM = Duration.ofSeconds(35);
  static final Duration END = Duration.ofSeconds(60);
  private static final Duration LAST_FIRE = Duration.ofSeconds(40);

  static final Laws.Decoder DECODER = new Laws.Decoder() {
    @Override
    public Laws.TermView term(byte[] value) {
      String[] words = new String(value, UTF_8).split(" ", 2);
      return new Laws.TermView(Long.parseLong(words[0]), words[1]);
    }

    @Override
    public Optional<Laws.HolderView> holder(byte[] value, long revision) {
      return Optional.of(new Laws.HolderView(new String(value, UTF_8), revision))
          .filter(holder -> !holder.worker().equals("nobody"));
    }
  };

  @Override
  public void accept(long seed) {
    EngineMode[] modes = EngineMode.values();
    run(seed, modes[(int) Math.floorMod(seed, (long) modes.length)], Set.of());
  }

  static Simulation run(long seed, EngineMode mode, Set<Sabotage> sabotage) {
    var simulation = new Simulation(
        new World(seed, "ToySimulationTest"), mode, sabotage, DECODER, Set.of(Keys.CURSORS));
    if (mode == EngineMode.PLAIN) {
      simulation.cluster().add("one", process -> {
        scheduler(simulation, process);
        worker(simulation, process);
      });
    } else {
      for (int i = 1; i <= 3; i++) {
        simulation.cluster().add("s" + i, process -> scheduler(simulation, process));
        simulation.cluster().add("w" + i, process -> worker(simulation, process));
      }
    }
    simulation.ledger().addEar(new OverlapLaw(simulation.world(), Duration.ofMillis(200)));
    simulation.run(faults(mode), ToyScheduler.LEASE, STORM, END);
    return simulation;
  }

  private static void scheduler(Simulation simulation, Cluster.Booted process) {
    World world = simulation.world();
    new ToyScheduler(
            process.node().loop(),
            process.store(),
            process.node().id(),
            () -> world.now() < LAST_FIRE.toNanos())
        .start();
  }

  private static void worker(Simulation simulation, Cluster.Booted process) {
    SimNode node = process.node();
    var worker =
        new ToyWorker(node.loop(), process.store(), process.launcher(Script.mixed()), node.id());
    worker.start();
    simulation
        .laws()
        .atEnd(() -> node.alive() && !worker.held().isEmpty()
            ? Optional.of(node.id() + " still holds " + worker.held())
            : Optional.empty());
  }

  /** The toys believe what they read. */
  private static Set<FaultPlan.Fault> faults(EngineMode mode) {
    Set<FaultPlan.Fault> faults = FaultPlan.all(mode);
    faults.remove(FaultPlan.Fault.STALE_SCANS);
    return faults;
  }
}
