package io.belfry.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import java.util.Optional;

/**
 * The production loops, put into processes of a simulation.
 *
 * <p>Threading: confined to its world.
 */
final class CoreParts {
  private final Simulation simulation;
  private Optional<PulseLaw> pulses = Optional.empty();

  CoreParts(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Every process that begins from now on is held to this law. */
  void pulses(PulseLaw law) {
    pulses = Optional.of(law);
  }

  Scheduler scheduler(Cluster.Booted process) {
    return scheduler(process, LeaderSettings.DEFAULT);
  }

  Scheduler scheduler(Cluster.Booted process, LeaderSettings settings) {
    var state = process.store();
    var election =
        simulation.election() == simulation.engine() ? state : process.store(simulation.election());
    var scheduler = new Scheduler(
        process.node().loop(),
        election,
        state,
        process.node().id(),
        ElectionSettings.DEFAULT,
        settings,
        Strategies.builtIn(),
        Observer.NOBODY);
    scheduler.start();
    pulses.ifPresent(law -> law.watch(process.node()));
    return scheduler;
  }

  /** A worker, which must hold nothing at the end. */
  Worker worker(Cluster.Booted process, int capacity, Script script) {
    SimNode node = process.node();
    int tilde = node.id().indexOf('~');
    var worker = new Worker(
        node.loop(),
        process.store(),
        node.id().substring(tilde + 1),
        WorkerSettings.of(node.id().substring(0, tilde), capacity),
        process.launcher(script),
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    worker.start();
    pulses.ifPresent(law -> law.watch(node));
    simulation
        .laws()
        .atEnd(() -> node.alive() && worker.holding() > 0
            ? Optional.of(node.id() + " still holds " + worker.holding() + " attempts")
            : Optional.empty());
    return worker;
  }
}
