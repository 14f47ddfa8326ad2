package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Payloads and results as large as they may be, many at once, beside small ones: through submissions, fires, catching up, hand-outs, ends,
 * and history, under leaders and workers that die. Every commit stays within its limits, and everything ends.
 */
final class HeavyScenario implements LongConsumer {
  private static final Duration RUSH = Duration.ofSeconds(25);
  private static final Duration UP_TO_DATE = Duration.ofSeconds(40);
  private static final Duration END = Duration.ofSeconds(75);
  private static final int BURST = 16;
  private static final int JOBS = 2;

  /** Not to be compressed; made once, because making them takes time. */
  private static final List<byte[]> BYTES = bytes();

  private static List<byte[]> bytes() {
    var random = new SplittableRandom(1);
    return List.of(0, 200, 30_000, Payload.DEFAULT_LIMIT).stream()
        .map(size -> {
          byte[] bytes = new byte[size];
          random.nextBytes(bytes);
          return bytes;
        })
        .toList();
  }

  /** One in three as large as it may be. */
  private static Payload payload(RandomGenerator random) {
    int size = random.nextInt(3) == 0 ? BYTES.size() - 1 : random.nextInt(BYTES.size() - 1);
    return Payload.of("application/octet-stream", BYTES.get(size));
  }

  private static final Script HEAVY = (task, random) -> new Script.Body(
      Duration.ofMillis(20 + random.nextInt(400)),
      new Ending.Returned(new Result(0, "", payload(random))),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(
        seed,
        "ScenariosTest#payloads_and_results_as_large_as_they_may_be",
        seed % 2 == 0 ? EngineMode.ETCD : EngineMode.REDIS);
    var unusedBodies = new BodyLaw(stage.simulation);
    List<Cluster.Seat> mortal = List.of(
        stage.scheduler("s1"),
        stage.scheduler("s2"),
        stage.worker("w1", 20, HEAVY),
        stage.worker("w2", 20, HEAVY));
    stage.simulation.cluster().add("c", process -> client(stage, process));
    for (int i = 0; i < 2; i++) {
      Cluster.Seat seat = mortal.get(stage.dice.nextInt(mortal.size()));
      stage.world.at(Duration.ofSeconds(5).toNanos() + stage.dice.nextLong(RUSH.toNanos()), () -> {
        seat.crash();
        stage.world.in(Duration.ofSeconds(4), seat::start);
      });
    }
    stage.world.at(UP_TO_DATE.toNanos(), stage.fires::checkFiring);
    stage.runUntil(END);
  }

  private static void client(Stage stage, Cluster.Booted process) {
    SimNode node = process.node();
    Loop loop = node.loop();
    var jobs = new Jobs(loop, process.store());
    for (int i = 0; i < JOBS; i++) {
      var id = new JobId("heavy-" + i);
      loop.onResult(
          jobs.put(Job.named(id.value())
              .local("noop")
              .payload(Payload.of("application/octet-stream", BYTES.getLast()))
              .every(Duration.ofSeconds(3))
              .overlap(OverlapPolicy.ALLOW)
              .missed(new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofMinutes(5), 20))
              .timeout(Duration.ofSeconds(10))
              .build()),
          saved -> {},
          failure -> {});
      var unused = loop.after(UP_TO_DATE.plusSeconds(1), () -> switchOff(loop, jobs, id));
    }
    var submitter = new Submitter(loop, process.store(), node.id(), Duration.ofDays(7), 100);
    burst(stage, node, submitter);
  }

  private static void switchOff(Loop loop, Jobs jobs, JobId job) {
    loop.onResult(jobs.enable(job, false), done -> {}, failure -> {
      var unused = loop.after(Duration.ofSeconds(1), () -> switchOff(loop, jobs, job));
    });
  }

  private static void burst(Stage stage, SimNode node, Submitter submitter) {
    if (stage.world.now() > RUSH.toNanos()) {
      return;
    }
    for (int i = 1 + node.random().nextInt(BURST); i > 0; i--) {
      submit(stage, node, submitter);
    }
    var unused = node.loop()
        .after(
            Duration.ofMillis(node.random().nextInt(4_000)), () -> burst(stage, node, submitter));
  }

  private static void submit(Stage stage, SimNode node, Submitter submitter) {
    Instant now = SimTime.trueTime(stage.world);
    TaskId id = TaskId.oneOff(now, node.random());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"))
        .withPayload(payload(node.random()))
        .withTimeout(Duration.ofSeconds(10));
    Optional<String> once =
        node.random().nextBoolean() ? Optional.of("key:" + id) : Optional.empty();
    node.loop()
        .onResult(
            submitter.submit(
                new Submission(Task.pending(id, work, Priority.NORMAL, now, now), once)),
            receipt -> {
              if (receipt instanceof Receipt.Accepted) {
                stage.laws.accepted(id);
              }
            },
            failure -> {
              if (failure instanceof StoreException.Full) {
                stage.laws.refused(id);
              }
            });
  }
}
