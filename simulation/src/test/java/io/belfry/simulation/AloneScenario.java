package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.loop.Loop;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Leaders whose answers get lost fire jobs that skip, and whose tasks are often longer than the time from one fire to the next: none is
 * made beside another all the same.
 */
final class AloneScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(60);
  /** The last of three tries begins up to 70 s after the first. */
  private static final Duration END = STORM.plusSeconds(110);

  private static final int JOBS = 6;

  private static final Script LONG = (task, random) -> new Script.Body(
      Duration.ofMillis(200 + random.nextInt(2_500)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#a_job_that_skips_runs_alone");
    SimEngine engine = stage.simulation.engine();
    List<Cluster.Seat> leaders = List.of(stage.scheduler("s1"), stage.scheduler("s2"));
    stage.worker("w1", JOBS, LONG);
    stage.worker("w2", JOBS, LONG);
    stage.simulation.cluster().add("c", AloneScenario::client);
    for (Cluster.Seat leader : leaders) {
      Link link = leader.link(engine);
      stage.world.in(Duration.ofSeconds(3), () -> link.lossy(8));
      stage.world.in(STORM, () -> link.lossy(0));
    }
    stage.runUntil(END);
  }

  private static void client(Cluster.Booted process) {
    Loop loop = process.node().loop();
    var jobs = new Jobs(loop, process.store());
    for (int i = 0; i < JOBS; i++) {
      var id = new JobId("job-" + i);
      var unused = jobs.put(Job.named(id.value())
          .local("noop")
          .every(Duration.ofMillis(600 + 100L * i))
          .build());
      var unusedOff = loop.after(STORM, () -> {
        var unusedJob = jobs.enable(id, false);
      });
    }
  }
}
