package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Watches have gaps, and who reads all again may be answered by a member that has fallen behind; nothing else goes wrong. What is asked for
 * after a gap, or shortly before, is heard of all the same, by the leader and by the workers.
 */
final class GapScenario implements LongConsumer {
  private static final int GAPS = 3;
  private static final int ROUNDS = 12;
  /** By so much. */
  private static final Duration BEHIND = Duration.ofMillis(1_500);

  private static final Duration UP_TO_DATE = Duration.ofSeconds(16);
  private static final Duration LAST_ORDERS = Duration.ofSeconds(17);
  /** What fails at the last orders, and again and again, is tried for the last time seventy seconds later. */
  private static final Duration END = Duration.ofSeconds(110);

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#after_a_gap_everything_is_heard_of");
    stage.scheduler("s1");
    stage.scheduler("s2");
    stage.worker("w1", 8, Script.mixed());
    stage.worker("w2", 8, Script.mixed());
    stage.simulation.cluster().add("c", process -> client(stage, process));
    for (int i = 0; i < GAPS; i++) {
      long at = 5_000_000_000L + 2_000_000_000L * i + stage.dice.nextInt(1_500_000_000);
      stage.world.at(at - BEHIND.toNanos(), () -> gapSoon(stage));
    }
    stage.world.at(UP_TO_DATE.toNanos(), stage.fires::checkFiring);
    stage.runUntil(END);
  }

  private static void gapSoon(Stage stage) {
    EngineState then = stage.simulation.engine().state().copy();
    stage.world.in(BEHIND, () -> gap(stage, then));
  }

  private static void gap(Stage stage, EngineState then) {
    stage.world.note("engine", "compacts", "");
    SimEngine engine = stage.simulation.engine();
    engine.feeds().compact(engine.state().revision());
    stage
        .simulation
        .cluster()
        .seats()
        .forEach(seat -> seat.link(engine).scansBehind(then, Duration.ofSeconds(1)));
  }

  /** Each second there is a job that did not exist before, somebody who triggers it, and a task. */
  private static void client(Stage stage, Cluster.Booted process) {
    Loop loop = process.node().loop();
    var jobs = new Jobs(loop, process.store());
    var requests = new Requests(loop, process.store(), Duration.ofDays(7));
    var submitter =
        new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 100);
    for (int i = 0; i < ROUNDS; i++) {
      var id = new JobId("job-" + i);
      Job job = Job.named(id.value()).local("noop").every(Duration.ofSeconds(2)).build();
      var unused = loop.after(Duration.ofSeconds(i + 1), () -> {
        loop.onResult(
            jobs.put(job),
            saved -> loop.onResult(
                requests.trigger(id, Optional.empty(), "client"),
                stage.laws::accepted,
                failure -> {}),
            failure -> {});
        stage.submit(process.node(), loop, submitter);
      });
      unused = loop.after(LAST_ORDERS, () -> {
        var unusedOff = jobs.enable(id, false);
      });
    }
  }
}
