package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The engine refuses calls: single ones and all of a while, of one node or of everybody, because access is denied, data is damaged, it is
 * overloaded or full. A refusal is an outage with a reason and never an end: callers get a true answer soon, and as soon as the engine
 * serves again every process does all its work again, without a restart.
 */
class RefusalScenario implements LongConsumer {
  static final String OUTAGE = "I7 a refusal is an outage and never an end";
  static final String ANSWERED = "I2 every caller is answered";

  private static final Duration BEGIN = Duration.ofSeconds(5);
  private static final Duration STORM = Duration.ofSeconds(45);
  /** From here on everybody serves again. */
  private static final Duration SERVES = STORM.plusSeconds(8);

  private static final Duration LAST_SUBMISSION = SERVES.plusSeconds(10);
  private static final Duration END = SERVES.plusSeconds(50);
  /** A few tries, each with a timeout of the store. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(8);

  private static final Duration SILENCE_MAX = Duration.ofSeconds(15);
  private static final int JOBS = 3;
  private static final RetryPolicy RETRY =
      RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(200)).withCap(Duration.ofSeconds(1));

  private static final Script SHORT = (task, random) -> new Script.Body(
      Duration.ofMillis(50 + random.nextInt(1_500)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  private final EngineMode mode;

  RefusalScenario() {
    this(EngineMode.ETCD);
  }

  RefusalScenario(EngineMode mode) {
    this.mode = mode;
  }

  /** One world of it. */
  private final class Run {
    final Stage stage;
    final Set<String> serving = new HashSet<>();
    final Map<String, Set<String>> workedBy = new HashMap<>();

    Run(long seed) {
      stage = new Stage(
          seed, "ScenariosTest#a_refusal_by_the_engine_is_an_outage_and_never_an_end", mode);
      stage.parts.pulses(new PulseLaw(stage.simulation, SILENCE_MAX, Duration.ofSeconds(1)));
    }

    void run() {
      stage.scheduler("s1");
      stage.scheduler("s2");
      List<String> workers = List.of("w1", "w2", "w3");
      workers.forEach(name -> stage.worker(name, 3, SHORT));
      List<String> clients = List.of("c1", "c2");
      clients.forEach(name -> stage.simulation.cluster().add(name, this::client));
      stage.simulation.ledger().addEar((line, before) -> {
        if (stage.world.now() > SERVES.toNanos()) {
          workedBy.computeIfAbsent(line.node.name(), name -> new HashSet<>()).add(line.task);
        }
      });
      refuseNowAndThen();
      stage.world.at(LAST_SUBMISSION.toNanos(), () -> {
        stage.fires.checkFiring();
        require(clients, serving, "took in no submission");
        require(workers, workedBy.keySet(), "began no attempt");
      });
      stage.runUntil(END);
      stage.requireCounted("refused: DENIED COMMIT");
    }

    private void require(List<String> all, Set<String> those, String otherwise) {
      for (String name : all) {
        if (!those.contains(name)) {
          throw stage.world.violation(OUTAGE, name + " " + otherwise + " since the engine serves");
        }
      }
    }

    private void refuseNowAndThen() {
      RandomGenerator dice = stage.dice;
      Refusals refusals = stage.simulation.engine().refusals();
      long at = BEGIN.toNanos();
      // Every world has at least one while in which everybody is denied everything, as with a
      // changed password.
      stage.world.at(
          at,
          () -> refusals.add(
              new Refusals.Rule(
                  Refusals.Reason.DENIED, EnumSet.allOf(Refusals.Call.class), Optional.empty(), 1),
              Duration.ofMillis(500 + dice.nextInt(12_000))));
      while (at < STORM.toNanos()) {
        at += 500_000_000L + dice.nextLong(4_000_000_000L);
        stage.world.at(at, () -> refusals.add(rule(dice), length(dice)));
        if (dice.nextInt(4) == 0) { // so that watches are opened again, and refused
          stage.world.at(at, () -> stage.simulation.engine().feeds().forget(dice));
        }
      }
      stage.world.at(STORM.toNanos(), refusals::end);
    }

    private Refusals.Rule rule(RandomGenerator dice) {
      Refusals.Reason[] reasons = Refusals.Reason.values();
      Refusals.Reason reason = reasons[dice.nextInt(reasons.length)];
      var calls = EnumSet.copyOf(reason.calls());
      if (dice.nextBoolean()) {
        calls.removeIf(call -> calls.size() > 1 && dice.nextBoolean());
      }
      List<Cluster.Seat> seats = stage.simulation.cluster().seats();
      Optional<String> node = dice.nextInt(3) == 0
          ? Optional.empty()
          : Optional.of(seats.get(dice.nextInt(seats.size())).name());
      return new Refusals.Rule(reason, calls, node, dice.nextInt(3) == 0 ? 3 : 1);
    }

    private Duration length(RandomGenerator dice) {
      return Duration.ofMillis(
          dice.nextInt(3) == 0 ? 1 + dice.nextInt(50) : 100 + dice.nextInt(6_000));
    }

    private void client(Cluster.Booted process) {
      Loop loop = process.node().loop();
      if (process.node().name().equals("c1")) {
        byte[] pulled = Records.encode(new QueueRecord(QueueRecord.Mode.PULL, false, 1));
        Commit commit =
            Commit.when().put(Keys.queue(CoreSwitches.QUEUE), pulled).build();
        loop.onResult(process.store().commit(commit), done -> {}, failure -> {});
      }
      var jobs = new Jobs(loop, process.store());
      for (int i = 0; i < JOBS; i++) {
        edit(process.node(), jobs, new JobId(process.node().name() + "-job-" + i));
      }
      var submitter =
          new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 100);
      submit(process.node(), submitter);
    }

    /** Saves a job again and again, and switches it off in the end. */
    private void edit(SimNode node, Jobs jobs, JobId id) {
      long asked = stage.world.now();
      boolean last = asked > LAST_SUBMISSION.toNanos();
      Job job = Job.named(id.value())
          .local("noop")
          .every(Duration.ofSeconds(2))
          .timeout(Duration.ofSeconds(10))
          .retry(RETRY)
          .build();
      boolean[] answered = {false};
      mustBeAnswered(node, "a change of " + id, asked, answered);
      node.loop()
          .onResult(
              last ? jobs.enable(id, false) : jobs.put(job).thenApply(Optional::of),
              saved -> {
                answered[0] = true;
                if (!last) {
                  later(node, 4_000, () -> edit(node, jobs, id));
                }
              },
              failure -> {
                answered[0] = true;
                later(node, 500, () -> edit(node, jobs, id));
              });
    }

    private void submit(SimNode node, Submitter submitter) {
      if (stage.world.now() > LAST_SUBMISSION.toNanos()) {
        return;
      }
      later(node, 400, () -> submit(node, submitter));
      Instant now = SimTime.trueTime(stage.world);
      TaskId id = TaskId.oneOff(now, node.random());
      Work work = Work.of("one-off", ExecutorSpec.local("noop"))
          .withTimeout(Duration.ofSeconds(10))
          .withRetry(RETRY);
      Work queued = node.random().nextInt(3) == 0 ? work.withQueue(CoreSwitches.QUEUE) : work;
      Task task = Task.pending(id, queued, Priority.NORMAL, now, now);
      long asked = stage.world.now();
      boolean[] answered = {false};
      mustBeAnswered(node, "submission " + id, asked, answered);
      node.loop()
          .onResult(
              submitter.submit(new Submission(task, Optional.empty())),
              receipt -> {
                answered[0] = true;
                if (!(receipt instanceof Receipt.Accepted)) {
                  throw stage.world.violation(
                      "I2 nothing acknowledged is lost", id + " got " + receipt);
                }
                stage.laws.accepted(id);
                if (asked > SERVES.toNanos()) {
                  serving.add(node.name());
                }
              },
              failure -> {
                answered[0] = true;
                // Whatever leaves it open says so: anything else is a promise that it never comes.
                if (!(failure instanceof StoreException.Unknown)) {
                  stage.laws.refused(id);
                }
              });
    }

    private void mustBeAnswered(SimNode node, String what, long asked, boolean[] answered) {
      Refusals refusals = stage.simulation.engine().refusals();
      stage.world.in(ANSWER_MAX, () -> {
        if (!answered[0] && refusals.overloadedAt(node.name()) > asked) {
          mustBeAnswered(node, what, stage.world.now(), answered);
        } else if (!answered[0] && node.alive()) {
          throw stage.world.violation(
              ANSWERED, what + " at " + node.id() + " waits since " + Duration.ofNanos(asked));
        }
      });
    }

    private void later(SimNode node, int meanMillis, Runnable step) {
      var unused =
          node.loop().after(Duration.ofMillis(node.random().nextInt(2 * meanMillis)), step);
    }
  }

  @Override
  public void accept(long seed) {
    new Run(seed).run();
  }

  /** As a scenario that can be named by its class. */
  static final class OnRedis extends RefusalScenario {
    OnRedis() {
      super(EngineMode.REDIS);
    }
  }
}
