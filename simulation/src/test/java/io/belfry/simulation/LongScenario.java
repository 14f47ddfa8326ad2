package io.belfry.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.history.RetainSettings;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.log.LogBuffer;
import io.belfry.core.log.LogWriter;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Sixty days: a few fires, submissions, triggers, changes of jobs and restarts each day, and everything that is forgotten after days or
 * weeks: history, logs, skips, dedup records, rollups, versions of deleted jobs, messages of processes that are gone. The store stays
 * within its bounds, each due instant has its record, and what runs is the newest definition.
 *
 * <p>Leases are long and timers are coarse, so that idle time costs few steps. The leader lives for weeks, but for days on which none
 * lives for an hour.
 */
final class LongScenario implements LongConsumer {
  static final int DAYS = 60;
  static final Duration DAY = Duration.ofDays(1);
  /** An instant has its record by then: two leaders may have died before, each with its lease. */
  static final Duration PATIENCE = Duration.ofMinutes(45);

  private static final Duration COARSE = Duration.ofSeconds(100);
  private static final ElectionSettings LEAD =
      new ElectionSettings(Duration.ofMinutes(5), Duration.ofSeconds(100));
  private static final Duration WORKER_LEASE = Duration.ofMinutes(10);
  private static final Duration HEARTBEAT = Duration.ofSeconds(200);
  /** Until then the first leader lives, so that what it remembers is as old as can be. */
  private static final int STORMY_FROM_DAY = 40;

  private static final int STORMY_EVERY_DAYS = 5;
  private static final Duration STORMY_EVERY = Duration.ofMinutes(25);
  private static final long LOG_BYTES = 1L << 20;

  private static final LeaderSettings REIGN = new LeaderSettings(
          WORKER_LEASE,
          LeaderSettings.DEFAULT.grace(),
          LeaderSettings.DEFAULT.releaseRate(),
          LeaderSettings.DEFAULT.overdue(),
          LeaderSettings.DEFAULT.limitKey(),
          new RetainSettings(
              Duration.ofDays(7),
              Duration.ofDays(14),
              Duration.ofDays(7),
              LOG_BYTES,
              Duration.ofMinutes(30),
              Duration.ofMinutes(30),
              100_000,
              Duration.ofMinutes(20),
              RetainSettings.DEFAULT.historyBytes(),
              RetainSettings.KEYS_MAX))
      .withReconcileEvery(Duration.ofHours(2));

  /** Mostly quick; the slow job takes hours, so that instants of it are skipped. */
  private static final Script SCRIPT = (task, random) -> new Script.Body(
      task.id().toString().startsWith(LongUser.SLOW)
          ? Duration.ofMinutes(150)
          : Duration.ofMillis(100 + random.nextInt(20_000)),
      random.nextInt(20) == 0
          ? new Launcher.Ending.Failed(Failure.error("on purpose"))
          : new Launcher.Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var world = new World(seed, "ScenariosTest#sixty_days_keep_every_bound");
    var simulation = new Simulation(
        world, EngineMode.ETCD, Set.of(), CoreScenario.DECODER, Set.of(Keys.INBOXES, Keys.EVENTS));
    var unusedDefinitions = new DefinitionLaw(simulation);
    var pulses = new PulseLaw(simulation, Duration.ofMinutes(30), Duration.ofMinutes(10));
    var records = new RecordLaw(simulation, PATIENCE);
    SizeLaw sizes = bounds(new SizeLaw(world, simulation.engine()));
    Cluster cluster = simulation.cluster();
    cluster
        .withSteadyStopwatches(); // timers are coarse, and two percent of their length would be a
    // clock that was set
    List<Cluster.Seat> schedulers = List.of(
        cluster.add("s1", process -> scheduler(process, pulses)),
        cluster.add("s2", process -> scheduler(process, pulses)));
    List<Cluster.Seat> workers = List.of(
        cluster.add("w1", process -> worker(process, pulses)),
        cluster.add("w2", process -> worker(process, pulses)));
    cluster.add("c", process -> {
      process.node().timersEvery(COARSE);
      presence(process);
      new LongUser(process, world).start();
    });
    Cluster.Seat shortLived = cluster.add("d", process -> submitOnce(process, world));
    RandomGenerator dice = world.dice();
    for (int day = 0; day < DAYS; day++) {
      trouble(world, dice, day, schedulers, workers, shortLived);
      world.at(DAY.multipliedBy(day + 1).toNanos(), () -> {
        records.check();
        sizes.check();
      });
    }
    world.runUntil(DAY.multipliedBy(DAYS));
  }

  private static void trouble(
      World world,
      RandomGenerator dice,
      int day,
      List<Cluster.Seat> schedulers,
      List<Cluster.Seat> workers,
      Cluster.Seat shortLived) {
    long begin = DAY.multipliedBy(day).toNanos();
    Cluster.Seat worker = workers.get(dice.nextInt(workers.size()));
    world.at(begin + dice.nextLong(DAY.toNanos()), () -> crash(world, worker));
    world.at(begin + dice.nextLong(DAY.toNanos()), () -> crash(world, shortLived));
    Cluster.Seat silent = workers.get(dice.nextInt(workers.size()));
    world.at(begin + dice.nextLong(DAY.toNanos()), () -> silent.pause(Duration.ofMinutes(25)));
    if (day >= STORMY_FROM_DAY && day % STORMY_EVERY_DAYS == 0) {
      for (long at = begin;
          at < begin + DAY.toNanos() - PATIENCE.toNanos();
          at += STORMY_EVERY.toNanos()) {
        Cluster.Seat scheduler = schedulers.get((int) (at / STORMY_EVERY.toNanos() % 2));
        for (Cluster.Seat seat : List.of(scheduler, worker, shortLived)) {
          world.at(at, () -> crash(world, seat));
        }
      }
    }
  }

  private static void crash(World world, Cluster.Seat seat) {
    seat.crash();
    world.in(Duration.ofSeconds(20), seat::start);
  }

  /**
   * What each space may hold at the end of a day. About 70 tasks end each day and are kept for a week, rollups of 7 jobs for two weeks, of which
   * six days by the day; 3 jobs are deleted each day and their versions kept for 30 days; on a stormy day 56 processes of each kind come and go. Without
   * forgetting, sixty days would be a multiple of each.
   */
  private static SizeLaw bounds(SizeLaw law) {
    return law.bound(Keys.CURSORS, 10, 1_000)
        .bound(Keys.JOBS, 10, 2_000)
        .bound(Keys.BURIED, 95, 4_000)
        .bound(Keys.VERSIONS, 140, 20_000)
        .bound(Keys.VERSION_EXPIRY, 110, 5_000)
        .bound(Keys.TASKS, 10, 5_000)
        .bound(Keys.NEWS, 80, 20_000)
        .bound(Keys.INBOXES, 100, 20_000)
        .bound(Keys.REPORTS, 150, 30_000)
        .bound(Keys.REQUESTS, 5, 2_000)
        .bound(Keys.DEDUP, 110, 8_000)
        .bound(Keys.DEDUP_EXPIRY, 110, 5_000)
        .bound(Keys.FRESH_HISTORY, 150, 40_000)
        .bound(Keys.SEGMENTS, 300, 150_000)
        .bound(Keys.SEGMENT_HEADS, 300, 25_000)
        .bound(Keys.SEGMENT_EXPIRY, 300, 15_000)
        .bound(Keys.SEGMENT_COUNTS, 30, 2_000)
        .bound(Keys.HISTORY_MARKS, 5, 600) // ten marks of revisions among them
        .bound(Keys.ROLLUPS, 1_100, 36_000)
        .bound(Keys.ROLLUP_BATCHES, 60, 40_000)
        .bound(Keys.LOG_HEADS, 250, 25_000)
        .bound(Keys.LOGS, 400, LOG_BYTES + LOG_BYTES / 4)
        .bound(Keys.LATE_REPORTS, 20, 2_000)
        .bound(Keys.SKIPS, 200, 6_000)
        .bound(Keys.WORKERS, 4, 500)
        .bound(Keys.WORKER_ORDERS, 10, 300)
        .bound(Keys.NODES, 2, 200)
        .bound(Keys.ELECTION, 2, 100)
        .bound(Keys.TERM, 2, 200)
        .bound(Keys.AFTER, 1, 100)
        .bound(Keys.CALENDARS, 1, 100);
  }

  private static void scheduler(Cluster.Booted process, PulseLaw pulses) {
    process.node().timersEvery(COARSE);
    new Scheduler(
            process.node().loop(),
            process.store(),
            process.store(),
            process.node().id(),
            LEAD,
            REIGN,
            Strategies.builtIn(),
            Observer.NOBODY)
        .start();
    pulses.watch(process.node());
  }

  /** A process that submits one task, and of which nothing but its messages stays. */
  private static void submitOnce(Cluster.Booted process, World world) {
    SimNode node = process.node();
    Instant now = SimTime.trueTime(world);
    Task task = Task.pending(
        TaskId.oneOff(now, node.random()),
        Work.of("one-off", ExecutorSpec.local("noop")),
        Priority.NORMAL,
        now,
        now);
    var unused = new Submitter(node.loop(), process.store(), node.id(), Duration.ofDays(7), 100)
        .submit(Submission.of(task));
  }

  private static void presence(Cluster.Booted process) {
    new Presence(
            process.node().loop(),
            process.store(),
            new Presence.Card(process.node().id(), Set.of(), "here", "0"),
            LEAD,
            Optional::empty)
        .start();
  }

  private static void worker(Cluster.Booted process, PulseLaw pulses) {
    SimNode node = process.node();
    node.timersEvery(COARSE);
    Store store = process.store();
    int tilde = node.id().indexOf('~');
    WorkerSettings usual = WorkerSettings.of(node.id().substring(0, tilde), 10);
    var settings = new WorkerSettings(
        usual.id(),
        usual.name(),
        usual.address(),
        usual.labels(),
        usual.queues(),
        usual.weight(),
        usual.capacity(),
        WORKER_LEASE,
        HEARTBEAT);
    var logging = new Logging(node, process.launcher(SCRIPT));
    var worker = new Worker(
        node.loop(),
        store,
        node.id().substring(tilde + 1),
        settings,
        logging,
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    logging.scribe = Optional.of(new LogWriter(node.loop(), store, worker.id(), worker::lease));
    worker.start();
    pulses.watch(node);
  }

  /** Code that logs a little, and now and then much. */
  private static final class Logging implements Launcher {
    private static final int LINE = 100;
    private static final int LITTLE = 300;
    private static final int MUCH = 60_000;

    private final SimNode node;
    private final Launcher launcher;
    private Optional<LogWriter> scribe = Optional.empty();

    Logging(SimNode node, Launcher launcher) {
      this.node = node;
      this.launcher = launcher;
    }

    @Override
    public Started start(Task task, Consumer<Ending> ended) {
      LogBuffer notebook = scribe.orElseThrow().open(task);
      notebook.log(
          text(node.random().nextInt(4) == 0 ? MUCH : LITTLE), node.time().wall());
      return launcher.start(task, ending -> {
        notebook.close();
        ended.accept(ending);
      });
    }

    /** Lines that cannot be compressed to nothing. */
    private String text(int chars) {
      var text = new StringBuilder(chars + LINE);
      while (text.length() < chars) {
        for (int i = 0; i < LINE; i++) {
          text.append((char) ('!' + node.random().nextInt(90)));
        }
        text.append('\n');
      }
      return text.toString();
    }
  }
}
