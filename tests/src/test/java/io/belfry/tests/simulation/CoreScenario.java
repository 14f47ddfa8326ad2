package io.belfry.tests.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.reign.ReignSettings;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The production loops in the world: three schedulers, three workers and a client on an engine like etcd or Redis, or all in one
 * process on an embedded one.
 */
final class CoreScenario implements LongConsumer {
  static final Duration STORM = Duration.ofSeconds(35);
  static final Duration LAST_ORDERS = Duration.ofSeconds(45);
  static final Duration END = Duration.ofSeconds(110);
  private static final int CAPACITY = 6;

  static final Laws.Decoder DECODER = new Laws.Decoder() {
    @Override
    public Laws.TermView term(byte[] value) {
      Term term = Records.term(value);
      return new Laws.TermView(term.number(), term.leader());
    }

    @Override
    public Optional<Laws.HolderView> holder(byte[] value, long revision) {
      return switch (Records.task(value).state()) {
        case TaskState.Assigned(Attempt attempt) ->
          Optional.of(new Laws.HolderView(attempt.worker(), revision));
        case TaskState.Running(Attempt attempt, var since) ->
          Optional.of(new Laws.HolderView(attempt.worker(), attempt.token().value()));
        default -> Optional.empty();
      };
    }

    @Override
    public String show(byte[] value) {
      return Records.task(value).state().toString();
    }

    @Override
    public boolean waitsBeyond(byte[] value, Instant now) {
      return Records.task(value).state() instanceof TaskState.Pending(Instant due)
          && due.isAfter(now);
    }

    @Override
    public Set<String> endedWithoutSuccess(Commit commit) {
      var ids = new HashSet<String>();
      for (Write write : commit.writes()) {
        if (write instanceof Write.Put put && put.key().space().equals(Keys.FRESH_HISTORY)) {
          Records.segment(put.value()).tasks().stream()
              .filter(task -> !(task.state() instanceof TaskState.Succeeded))
              .forEach(task -> ids.add(task.id().toString()));
        }
      }
      return ids;
    }
  };

  @Override
  public void accept(long seed) {
    EngineMode[] modes = EngineMode.values();
    run(seed, modes[(int) Math.floorMod(seed, (long) modes.length)], Set.of());
  }

  static Simulation run(long seed, EngineMode mode, Set<Sabotage> sabotage) {
    return run(seed, mode, sabotage, FaultPlan.all(mode));
  }

  static Simulation run(
      long seed, EngineMode mode, Set<Sabotage> sabotage, Set<FaultPlan.Fault> faults) {
    var simulation = new Simulation(new World(seed), mode, sabotage, DECODER, Set.of(Keys.INBOXES));
    var laws = new CoreLaws(simulation);
    simulation.ledger().addEar(new OverlapLaw(simulation.world(), Duration.ofSeconds(3)));
    if (mode == EngineMode.PLAIN) {
      simulation.cluster().add("one", process -> {
        scheduler(process);
        worker(simulation, process);
        new CoreClient(process, simulation.world(), laws).start();
      });
    } else {
      for (int i = 1; i <= 3; i++) {
        simulation.cluster().add("s" + i, CoreScenario::scheduler);
        simulation.cluster().add("w" + i, process -> worker(simulation, process));
      }
      simulation
          .cluster()
          .add("c", process -> new CoreClient(process, simulation.world(), laws).start());
    }
    simulation.run(faults, LeadSettings.DEFAULT.lease(), STORM, END);
    laws.checkEnd();
    return simulation;
  }

  private static void scheduler(Cluster.Booted process) {
    var store = process.store();
    new Scheduler(
            process.node().loop(),
            store,
            store,
            process.node().id(),
            LeadSettings.DEFAULT,
            ReignSettings.DEFAULT,
            Strategies.builtIn(),
            Observer.NOBODY)
        .start();
  }

  private static void worker(Simulation simulation, Cluster.Booted process) {
    SimNode node = process.node();
    int tilde = node.id().indexOf('~');
    var worker = new Worker(
        node.loop(),
        process.store(),
        node.id().substring(tilde + 1),
        WorkerSettings.of(node.id().substring(0, tilde), CAPACITY),
        process.launcher(Script.mixed()),
        () -> WorkerRecord.Load.NONE);
    worker.start();
    simulation
        .laws()
        .atEnd(() -> node.alive() && worker.holding() > 0
            ? Optional.of(node.id() + " still holds " + worker.holding() + " attempts")
            : Optional.empty());
  }
}
