package io.belfry.simulation;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.Loop;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.job.Job;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Jobs run after others, tasks are short, finished ones are folded at once, and the leaders' messages get lost or come late: each end leads
 * to what follows from it once, however often the leader has to try.
 */
final class AfterScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(50);

  private static final Script SHORT = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(40)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  /** Folds what it finds, as soon as it finds it. */
  private static final LeaderSettings EAGER = new LeaderSettings(
      LeaderSettings.DEFAULT.workerLease(),
      LeaderSettings.DEFAULT.grace(),
      LeaderSettings.DEFAULT.releaseRate(),
      LeaderSettings.DEFAULT.overdue(),
      LeaderSettings.DEFAULT.limitKey(),
      new RetainSettings(
          RetainSettings.DEFAULT.tasks(),
          RetainSettings.DEFAULT.rollups(),
          Duration.ofMillis(50),
          Duration.ZERO,
          RetainSettings.DEFAULT.foldRate(),
          RetainSettings.DEFAULT.trimEvery()));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#each_end_leads_once_to_what_follows");
    var unusedAfter = new AfterLaw(stage.simulation);
    List<Cluster.Seat> leaders = new ArrayList<>();
    for (String name : List.of("s1", "s2")) {
      leaders.add(
          stage.simulation.cluster().add(name, process -> stage.parts.scheduler(process, EAGER)));
    }
    stage.worker("w1", 20, SHORT);
    stage.worker("w2", 20, SHORT);
    stage.simulation.cluster().add("c", AfterScenario::client);
    SimEngine engine = stage.simulation.engine();
    stage.world.in(
        Duration.ofSeconds(4), () -> leaders.forEach(seat -> seat.link(engine).lossy(12)));
    for (int i = 1; i <= 3; i++) {
      stage.world.in(
          STORM.dividedBy(4).multipliedBy(i),
          () -> leaders.forEach(seat -> seat.node()
              .filter(node -> node.id().equals(stage.leader()))
              .ifPresent(node -> {
                seat.crash();
                stage.world.in(Duration.ofSeconds(1), seat::start);
              })));
    }
    stage.world.in(STORM, () -> leaders.forEach(seat -> seat.link(engine).lossy(0)));
    stage.runUntil(END);
  }

  private static void client(Cluster.Booted process) {
    Loop loop = process.node().loop();
    var jobs = new Jobs(loop, process.store());
    for (int i = 0; i < 4; i++) {
      Job first = Job.named("first-" + i)
          .local("noop")
          .every(Duration.ofMillis(300))
          .overlap(OverlapPolicy.ALLOW)
          .build();
      put(loop, jobs, first);
      put(
          loop,
          jobs,
          Job.named("then-" + i)
              .local("noop")
              .after("first-" + i, Trigger.After.Outcome.FINISHED)
              .overlap(OverlapPolicy.ALLOW)
              .build());
      var unused = loop.after(STORM, () -> {
        var unusedOff = jobs.enable(first.id(), false);
      });
    }
  }

  private static void put(Loop loop, Jobs jobs, Job job) {
    loop.onResult(jobs.put(job), saved -> {}, failure -> put(loop, jobs, job));
  }
}
