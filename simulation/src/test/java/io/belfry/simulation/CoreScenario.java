package io.belfry.simulation;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.event.InOrder;
import io.belfry.core.event.Listener;
import io.belfry.core.event.Telling;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.core.submit.PayloadPath;
import io.belfry.core.worker.Worker;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The production loops in the world: three schedulers, three workers and a client on an engine like etcd or Redis, or all in one
 * process on an embedded one.
 */
final class CoreScenario {
  static final Duration STORM = Duration.ofSeconds(28);
  static final Duration LAST_ORDERS = Duration.ofSeconds(54);
  static final Duration END = Duration.ofSeconds(105);
  /** What was late, and who stood still, is back by then. */
  private static final Duration CALM = Duration.ofSeconds(44);
  /** Everything is up to date by then: pauses and partitions outlast the storm by up to four leases. */
  private static final Duration UP_TO_DATE = Duration.ofSeconds(53);
  /** And nobody waits for a dead worker any more. */
  private static final Duration RESCUED = Duration.ofSeconds(58);

  private static final Duration DRAIN = Duration.ofSeconds(3);
  /** So long a process that is done stays for its last words to leave. */
  private static final Duration LAST_WORDS = Duration.ofMillis(200);

  private static final int CAPACITY = 6;

  /** So little room for bodies that the leader keeps few of them, and reads the others again. */
  private static final BackpressureSettings FEW_BODIES =
      new BackpressureSettings(PayloadPath.NONE, BackpressureSettings.WAITING_MAX, 2000);

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
    public boolean isYetToCome(byte[] value, Instant now) {
      Task task = Records.task(value);
      return task.state() instanceof TaskState.Pending(Instant due)
          && due.isAfter(now)
          && due.equals(task.scheduled())
          && task.attempts() == 0;
    }

    @Override
    public boolean waitsBeyond(byte[] value, Instant now) {
      return Records.task(value).state() instanceof TaskState.Pending(Instant due)
          && due.isAfter(now);
    }

    @Override
    public Instant due(byte[] value) {
      return Records.task(value).scheduled();
    }

    @Override
    public Set<String> endedWithoutSuccess(Commit commit) {
      var ids = new HashSet<String>();
      for (Write write : commit.writes()) {
        if (write instanceof Write.Put put && put.key().space().equals(Keys.FRESH_HISTORY)) {
          Records.endedBatch(put.value()).tasks().stream()
              .filter(task -> !(task.state() instanceof TaskState.Succeeded))
              .forEach(task -> ids.add(task.id().toString()));
        }
      }
      return ids;
    }
  };

  private final Simulation simulation;
  private final CoreLaws laws;
  private final AckLaw acknowledged;
  private final FireLaw fires;
  private final RescueLaw rescues;
  private final ClockLaw clocks;
  private final CoreParts parts;
  private final OrderLaw orders;

  private CoreScenario(World world, EngineMode mode, EngineMode election, Set<Sabotage> sabotage) {
    simulation =
        new Simulation(world, mode, election, sabotage, DECODER, Set.of(Keys.INBOXES, Keys.EVENTS));
    laws = new CoreLaws(simulation);
    acknowledged = new AckLaw(simulation);
    fires = new FireLaw(simulation);
    var unusedDue = new DueLaw(simulation);
    var unusedLeases = new LeaseLaw(simulation);
    rescues = new RescueLaw(simulation);
    clocks = new ClockLaw(simulation);
    parts = new CoreParts(simulation);
    orders = new OrderLaw(simulation, CAPACITY);
    var unusedVersions = new VersionLaw(simulation);
    var unusedLimits = new LimitLaw(simulation);
    var unusedPlaces = new PlaceLaw(simulation, "row");
    var unusedCancels = new CancelLaw(simulation);
    var unusedTakings = new TakingLaw(simulation);
    var unusedBegins = new BeginLaw(simulation, CALM);
    var unusedBodies = new BodyLaw(simulation);
    var unusedAfter = new AfterLaw(simulation);
    var unusedClaims = new ClaimLaw(simulation);
  }

  /** As a scenario that can be named by its class. */
  static final class OnPlain implements LongConsumer {
    @Override
    public void accept(long seed) {
      var unused = run(seed, EngineMode.PLAIN, Set.of());
    }
  }

  /** As a scenario that can be named by its class. */
  static final class OnEtcd implements LongConsumer {
    @Override
    public void accept(long seed) {
      var unused = run(seed, EngineMode.ETCD, Set.of());
    }
  }

  /** As a scenario that can be named by its class. */
  static final class OnRedis implements LongConsumer {
    @Override
    public void accept(long seed) {
      var unused = run(seed, EngineMode.REDIS, Set.of());
    }
  }

  static Simulation run(long seed, EngineMode mode, Set<Sabotage> sabotage) {
    return run(seed, mode, sabotage, FaultPlan.all(mode));
  }

  static Simulation run(
      long seed, EngineMode mode, Set<Sabotage> sabotage, Set<FaultPlan.Fault> faults) {
    return new CoreScenario(new World(seed, test(mode)), mode, mode, sabotage).run(faults);
  }

  /** The test that runs this kind of engine. */
  private static String test(EngineMode mode) {
    return "SimulationTest#every_law_is_kept_on_"
        + switch (mode) {
          case PLAIN -> "an_embedded_engine";
          case ETCD -> "etcd";
          case REDIS -> "redis";
        };
  }

  /** Leaders are elected on an engine like etcd, everything else is kept on one like Redis. */
  static Simulation runMixed(long seed) {
    var world = new World(
        seed, "SimulationTest#every_law_is_kept_with_elections_on_etcd_and_state_on_redis");
    return new CoreScenario(world, EngineMode.REDIS, EngineMode.ETCD, Set.of())
        .run(FaultPlan.all(EngineMode.REDIS));
  }

  private Simulation run(Set<FaultPlan.Fault> faults) {
    World world = simulation.world();
    simulation.ledger().addEar(new OverlapLaw(world, Duration.ofMillis(500)));
    if (simulation.engine().mode() == EngineMode.PLAIN) {
      simulation.cluster().add("one", this::everything);
    } else {
      for (int i = 1; i <= 3; i++) {
        simulation.cluster().add("s" + i, this::schedulerAlone);
        simulation.cluster().add("w" + i, this::workerAlone);
      }
      simulation.cluster().add("c", process -> {
        client(process, List.of("w1", "w2", "w3"));
        listener(process);
      });
    }
    world.at(UP_TO_DATE.toNanos(), fires::checkFiring);
    world.at(RESCUED.toNanos(), rescues::checkRescued);
    simulation.run(faults, ElectionSettings.DEFAULT.lease(), STORM, END);
    laws.checkEnd();
    acknowledged.checkEnd();
    return simulation;
  }

  private void everything(Cluster.Booted process) {
    Scheduler scheduler = scheduler(process, Set.of(Role.SCHEDULER, Role.WORKER));
    Worker worker = parts.worker(process, CAPACITY, Script.wild());
    client(process, List.of("one"));
    process.onStop(done -> {
      scheduler.stop();
      drain(process, worker, done);
    });
  }

  private void schedulerAlone(Cluster.Booted process) {
    Scheduler scheduler = scheduler(process, Set.of(Role.SCHEDULER));
    process.onStop(done -> {
      scheduler.stop();
      var unused = process.node().loop().after(LAST_WORDS, done);
    });
  }

  private void workerAlone(Cluster.Booted process) {
    Worker worker = parts.worker(process, CAPACITY, Script.wild());
    process.onStop(done -> drain(process, worker, done));
    presence(process, Set.of(Role.WORKER), Optional::empty).start();
  }

  private void drain(Cluster.Booted process, Worker worker, Runnable done) {
    rescues.stopping(worker.id());
    worker.drain(DRAIN, () -> {
      rescues.drained(worker.id());
      var unused = process.node().loop().after(LAST_WORDS, done);
    });
  }

  private void client(Cluster.Booted process, List<String> workers) {
    new CoreClient(process, simulation.world(), laws, acknowledged, orders, workers).start();
  }

  /** Somebody who neither schedules nor works, and wants to hear of everything. */
  private void listener(Cluster.Booted process) {
    new Listener(
            process.node().loop(),
            process.store(),
            process.node().id(),
            new InOrder(new EventLaw(simulation.world(), process.node().id())),
            missed -> {})
        .start();
    Presence presence = presence(process, Set.of(), Optional::empty);
    presence.listens(Telling.kinds(Happening.class));
    presence.start();
  }

  private static Presence presence(
      Cluster.Booted process, Set<Role> roles, Supplier<Optional<Long>> term) {
    return new Presence(
        process.node().loop(),
        process.store(),
        new Presence.Card(process.node().id(), roles, "here", "0"),
        ElectionSettings.DEFAULT,
        term);
  }

  private Scheduler scheduler(Cluster.Booted process, Set<Role> roles) {
    Scheduler scheduler = parts.scheduler(process, LeaderSettings.DEFAULT.with(FEW_BODIES));
    clocks.joined(process.node(), scheduler);
    presence(
            process, roles, () -> scheduler.leadership().map(lead -> lead.term().number()))
        .start();
    return scheduler;
  }
}
