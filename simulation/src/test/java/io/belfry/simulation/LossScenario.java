package io.belfry.simulation;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The engine loses what it had acknowledged a moment ago, as a single Redis does that syncs its file once a second, or an etcd that is restored
 * from a backup under running nodes. What is lost is lost; but
 * nobody may break over it, jobs go on firing, and whatever is asked afterwards is done, without an operator and without a restart.
 */
final class LossScenario implements LongConsumer {
  private static final Duration SYNC = Duration.ofSeconds(2);
  private static final int LOSSES = 3;
  private static final int JOBS = 6;
  private static final Duration LAST_LOSS = Duration.ofSeconds(20);
  private static final Duration LAST_SUBMISSION = Duration.ofSeconds(35);
  private static final Duration UP_TO_DATE = Duration.ofSeconds(40);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  /** An attempt whose report was lost is given up after its timeout, and tried again as often as any other. */
  private static final Duration END = Duration.ofMinutes(4);

  private static final Duration LATE = Duration.ofSeconds(3);

  /** The same on etcd, for planted bugs. */
  static final class OnEtcd implements LongConsumer {
    @Override
    public void accept(long seed) {
      new LossScenario(EngineMode.ETCD).accept(seed);
    }
  }

  private final EngineMode mode;
  /** Accepted after the last loss, and so not to be lost. */
  private Set<String> accepted = new TreeSet<>();

  LossScenario() {
    this(EngineMode.REDIS);
  }

  LossScenario(EngineMode mode) {
    this.mode = mode;
  }

  @Override
  public void accept(long seed) {
    accepted = new TreeSet<>();
    var world = new World(seed, "ScenariosTest#an_engine_that_loses_a_moment_breaks_nobody");
    var engine = new SimEngine(world, mode, Set.of());
    engine.syncEvery(SYNC);
    var ledger = new Ledger(world);
    var cluster = new Cluster(world, ledger, List.of(engine));
    RandomGenerator dice = world.dice();
    for (int i = 1; i <= 2; i++) {
      cluster.add("s" + i, LossScenario::schedule);
      cluster.add("w" + i, LossScenario::work);
    }
    cluster.add("c", process -> use(world, process));
    long span = LAST_LOSS.toNanos() / (LOSSES + 1);
    for (int i = 1; i <= LOSSES; i++) {
      world.at(
          span * i + dice.nextLong(span),
          () -> engine.loseWhatIsNotSynced(Duration.ofMillis(dice.nextInt(50, 1500))));
    }
    world.at(UP_TO_DATE.toNanos(), () -> checkFiring(world, engine));
    world.runUntil(END);
    checkEnd(world, engine, ledger);
  }

  private static void schedule(Cluster.Booted process) {
    new Scheduler(
            process.node().loop(),
            process.store(),
            process.store(),
            process.node().id(),
            ElectionSettings.DEFAULT,
            LeaderSettings.DEFAULT,
            Strategies.builtIn(),
            Observer.NOBODY)
        .start();
  }

  private static void work(Cluster.Booted process) {
    String[] id = process.node().id().split("~", 2);
    new Worker(
            process.node().loop(),
            process.store(),
            id[1],
            WorkerSettings.of(id[0], 8),
            process.launcher(Script.mixed()),
            () -> WorkerRecord.Load.NONE,
            new LeaseLosses())
        .start();
  }

  private void use(World world, Cluster.Booted process) {
    Loop loop = process.node().loop();
    var jobs = new Jobs(loop, process.store());
    for (int i = 0; i < JOBS; i++) {
      Job job = Job.named("job-" + i)
          .local("noop")
          .every(Duration.ofMillis(700 + 300 * i))
          .timeout(TIMEOUT)
          .build();
      save(loop, jobs, job, world, i % 2 == 0 ? LAST_LOSS.plusSeconds(5) : Duration.ZERO);
      if (i % 2 == 1) { // that it was switched off may be lost, and then it fires on
        var off = Duration.ofMillis(process.node().random().nextLong(LAST_LOSS.toMillis()));
        var unused = loop.after(off, () -> switchOff(loop, jobs, job.id()));
      }
      var unused = loop.after(UP_TO_DATE.plusSeconds(1), () -> switchOff(loop, jobs, job.id()));
    }
    var submitter =
        new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 100);
    submitAndAgain(world, process.node(), loop, submitter);
  }

  /**
   * Once, before the first loss; or again until after the last: what was acknowledged before it may be gone, but what is saved again is well
   * again, too.
   */
  private static void save(Loop loop, Jobs jobs, Job job, World world, Duration until) {
    loop.onResult(jobs.put(job), saved -> {}, failure -> {});
    var unused = loop.after(Duration.ofSeconds(5), () -> {
      if (world.now() < until.toNanos()) {
        save(loop, jobs, job, world, until);
      }
    });
  }

  private static void switchOff(Loop loop, Jobs jobs, JobId job) {
    loop.onResult(jobs.enable(job, false), done -> {}, failure -> {
      var unused = loop.after(Duration.ofSeconds(1), () -> switchOff(loop, jobs, job));
    });
  }

  private void submitAndAgain(World world, SimNode node, Loop loop, Submitter submitter) {
    if (world.now() > LAST_SUBMISSION.toNanos()) {
      return;
    }
    Instant now = SimTime.BEGINNING.plusNanos(world.now());
    TaskId id = TaskId.oneOff(now, node.random());
    Work work = Work.of("one-off", ExecutorSpec.local("noop")).withTimeout(TIMEOUT);
    loop.onResult(
        submitter.submit(
            new Submission(Task.pending(id, work, Priority.NORMAL, now, now), Optional.empty())),
        receipt -> {
          boolean safe = world.now() > LAST_LOSS.toNanos();
          if (safe && receipt instanceof Receipt.Accepted) {
            accepted.add(Keys.task(id).text());
          }
        },
        failure -> {});
    var unused = loop.after(
        Duration.ofMillis(node.random().nextInt(600)),
        () -> submitAndAgain(world, node, loop, submitter));
  }

  private static void checkFiring(World world, SimEngine engine) {
    Instant late = SimTime.BEGINNING.plusNanos(world.now()).minus(LATE);
    int[] firing = {0};
    engine.state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.CURSORS)) {
        Cursor cursor = Records.cursor(slot.value());
        firing[0]++;
        if (cursor.active() && cursor.next().filter(at -> at.isAfter(late)).isEmpty()) {
          throw world.violation("I7 firing goes on", key + " stands at " + cursor);
        }
      }
    });
    if (firing[0] < JOBS) {
      throw world.violation("I7 firing goes on", "of " + JOBS + " jobs " + firing[0] + " stand");
    }
  }

  private void checkEnd(World world, SimEngine engine, Ledger ledger) {
    engine.state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.TASKS)) {
        throw world.violation(
            "I7 everything recovers",
            key + " is still unfinished: " + CoreScenario.DECODER.show(slot.value()));
      }
    });
    if (accepted.isEmpty()) {
      throw world.violation("I7 everything recovers", "nothing was accepted after the last loss");
    }
    for (String task : accepted) {
      if (ledger.of(task).isEmpty()) {
        throw world.violation("I2 nothing acknowledged is lost", task + " never ran");
      }
    }
  }
}
