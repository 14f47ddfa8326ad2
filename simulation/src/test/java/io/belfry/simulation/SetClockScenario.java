package io.belfry.simulation;

import io.belfry.core.jobs.Jobs;
import io.belfry.core.loop.Loop;
import io.belfry.core.node.Scheduler;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The clock of whoever leads is set an hour ahead while the engine is away and the leader waits for definitions of jobs that are due: what
 * it hears then is not planned by that calendar.
 */
final class SetClockScenario implements LongConsumer {
  private static final int ROUNDS = 6;
  private static final Duration ROUND = Duration.ofSeconds(10);
  private static final Duration STORM = ROUND.multipliedBy(ROUNDS + 1);
  /** The last of three tries begins up to 70 s after the first. */
  private static final Duration END = STORM.plusSeconds(90);

  private static final List<Job> JOBS = List.of(
      Job.named("even").local("noop").every(Duration.ofMillis(300)).build(),
      Job.named("odd").local("noop").every(Duration.ofMillis(500)).build());

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#a_clock_that_was_just_set_decides_nothing");
    var clocks = new ClockLaw(stage.simulation);
    List<Cluster.Seat> seats = new ArrayList<>();
    for (String name : List.of("s1", "s2")) {
      seats.add(stage.simulation.cluster().add(name, process -> {
        Scheduler scheduler = stage.parts.scheduler(process);
        clocks.joined(process.node(), scheduler);
      }));
    }
    stage.worker("w1", 5, Script.mixed());
    stage.simulation.cluster().add("c", process -> {
      Loop loop = process.node().loop();
      edit(stage, loop, new Jobs(loop, process.store()));
    });
    for (int round = 1; round <= ROUNDS; round++) {
      long at = ROUND.toNanos() * round + stage.dice.nextInt(1_000_000_000);
      stage.world.at(at, () -> stage.simulation.engine().pause(Duration.ofMillis(900)));
      stage.world.at(at + 600_000_000, () -> setClockOfLeader(stage, seats));
    }
    stage.runUntil(END);
  }

  /** Whoever leads must read the definitions again. In the end each is disabled, once nobody is saving it any more. */
  private static void edit(Stage stage, Loop loop, Jobs jobs) {
    for (Job job : JOBS) {
      loop.onResult(jobs.put(job), saved -> {}, failure -> {});
    }
    boolean over = stage.world.now() >= STORM.toNanos();
    var unused = over
        ? loop.after(
            Duration.ofSeconds(2), () -> JOBS.forEach(job -> disable(loop, jobs, job.id())))
        : loop.after(Duration.ofMillis(250), () -> edit(stage, loop, jobs));
  }

  private static void disable(Loop loop, Jobs jobs, JobId job) {
    loop.onResult(jobs.enable(job, false), done -> {}, failure -> {
      var unused = loop.after(Duration.ofSeconds(1), () -> disable(loop, jobs, job));
    });
  }

  private static void setClockOfLeader(Stage stage, List<Cluster.Seat> seats) {
    for (Cluster.Seat seat : seats) {
      seat.node().filter(node -> node.id().equals(stage.leader())).ifPresent(node -> {
        stage.world.note(node.id(), "is set", "ahead");
        node.time().step(Duration.ofHours(1));
        stage.world.in(Duration.ofSeconds(4), node.time()::setRight);
      });
    }
  }
}
