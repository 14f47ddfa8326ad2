package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Watches lose words, and nobody notices: what was submitted, saved and ended meanwhile is found all the same, by comparing with the store.
 */
final class SilenceScenario implements LongConsumer {
  private static final Duration SWEEP = Duration.ofSeconds(8);
  private static final int SILENCES = 5;
  private static final int JOBS = 4;
  private static final Duration BEGINS = Duration.ofSeconds(5);
  private static final Duration LAST_SUBMISSION = Duration.ofSeconds(20);
  private static final Duration LAST_ORDERS = Duration.ofSeconds(50);
  /** What fails three times in a row waits 70 s. */
  private static final Duration END = Duration.ofSeconds(150);

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#what_was_lost_in_silence_is_found");
    stage
        .simulation
        .cluster()
        .add(
            "s1",
            process ->
                stage.parts.scheduler(process, LeaderSettings.DEFAULT.withReconcileEvery(SWEEP)));
    stage.worker("w1", 8, Script.mixed());
    stage.worker("w2", 8, Script.mixed());
    stage.simulation.cluster().add("c", process -> client(stage, process));
    Feeds feeds = stage.simulation.engine().feeds();
    for (int i = 0; i < SILENCES; i++) {
      long at = BEGINS.plusSeconds(3L * i).toNanos() + stage.dice.nextInt(1_500_000_000);
      stage.world.at(at, () -> feeds.silent(true));
      stage.world.at(at + stage.dice.nextInt(1_000_000_000), () -> feeds.silent(false));
    }
    stage.world.at(LAST_ORDERS.toNanos(), stage.fires::checkFiring);
    stage.runUntil(END);
  }

  private static void client(Stage stage, Cluster.Booted process) {
    Loop loop = process.node().loop();
    var jobs = new Jobs(loop, process.store());
    var submitter =
        new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 100);
    for (int i = 0; i < JOBS; i++) {
      var id = new JobId("job-" + i);
      Job job = Job.named(id.value())
          .local("noop")
          .every(Duration.ofSeconds(2))
          .timeout(Duration.ofSeconds(10))
          .build();
      var unused = loop.after(Duration.ofSeconds(3L * i + 1), () -> {
        var unusedSaved = jobs.put(job);
      });
      unused = loop.after(LAST_ORDERS.plusSeconds(1), () -> {
        var unusedOff = jobs.enable(id, false);
      });
    }
    submitAndAgain(stage, process.node(), loop, submitter);
  }

  private static void submitAndAgain(Stage stage, SimNode node, Loop loop, Submitter submitter) {
    if (stage.world.now() < LAST_SUBMISSION.toNanos()) {
      stage.submit(node, loop, submitter);
      var unused = loop.after(
          Duration.ofMillis(node.random().nextInt(500)),
          () -> submitAndAgain(stage, node, loop, submitter));
    }
  }
}
