package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A small world for one question: the core, the laws that always hold, and somebody who submits. A scenario brings the machines and the
 * trouble.
 *
 * <p>Threading: confined to its world.
 */
final class Stage {
  final World world;
  final Simulation simulation;
  final CoreParts parts;
  final CoreLaws laws;
  final FireLaw fires;
  final TakingLaw takings;
  final RandomGenerator dice;
  private Runnable submission = () -> {};
  private RetryPolicy retry = RetryPolicy.DEFAULT;

  /**
   * @param test that runs it, for the command that runs it again
   */
  Stage(long seed, String test) {
    this(seed, test, EngineMode.ETCD);
  }

  Stage(long seed, String test, EngineMode mode) {
    world = new World(seed, test);
    simulation = new Simulation(
        world, mode, Set.of(), CoreScenario.DECODER, Set.of(Keys.INBOXES, Keys.EVENTS));
    parts = new CoreParts(simulation);
    laws = new CoreLaws(simulation);
    fires = new FireLaw(simulation);
    takings = new TakingLaw(simulation);
    var unusedLeases = new LeaseLaw(simulation);
    simulation.ledger().addEar(new OverlapLaw(world, Duration.ofMillis(500)));
    dice = world.dice();
  }

  Cluster.Seat scheduler(String name) {
    return simulation.cluster().add(name, parts::scheduler);
  }

  Cluster.Seat worker(String name, int capacity, Script script) {
    return simulation.cluster().add(name, process -> parts.worker(process, capacity, script));
  }

  /** Somebody submits a task now and then, until the end. */
  Cluster.Seat submitter(Duration mean, Duration until) {
    return simulation.cluster().add("c", process -> {
      Loop loop = process.node().loop();
      var submitter =
          new Submitter(loop, process.store(), process.node().id(), Duration.ofDays(7), 100);
      submission = () -> process.node().arrive(() -> submit(process.node(), loop, submitter));
      submitAndAgain(process.node(), loop, submitter, mean, until);
    });
  }

  /** What is submitted from here on is tried again soon. */
  void retrySoon() {
    retry = RetryPolicy.DEFAULT.withDelay(Duration.ofMillis(200)).withCap(Duration.ofSeconds(1));
  }

  /** The submitter submits many at once. */
  void burst(int tasks) {
    for (int i = 0; i < tasks; i++) {
      submission.run();
    }
  }

  /** The id of the process whose term stands. */
  String leader() {
    EngineStep.Slot fence = simulation.engine().state().slots().get(Keys.FENCE);
    return fence == null ? "" : CoreScenario.DECODER.term(fence.value()).leader();
  }

  private void submitAndAgain(
      SimNode node, Loop loop, Submitter submitter, Duration mean, Duration until) {
    if (world.now() < until.toNanos()) {
      submit(node, loop, submitter);
      long pause = node.random().nextLong(2 * mean.toNanos());
      var unused = loop.after(
          Duration.ofNanos(pause), () -> submitAndAgain(node, loop, submitter, mean, until));
    }
  }

  void submit(SimNode node, Loop loop, Submitter submitter) {
    Instant now = SimTime.BEGINNING.plusNanos(world.now());
    TaskId id = TaskId.oneOff(now, node.random());
    Work work = Work.of("one-off", ExecutorSpec.local("noop"))
        .withTimeout(Duration.ofSeconds(30))
        .withRetry(retry);
    Task task = Task.pending(id, work, Priority.NORMAL, now, now);
    loop.onResult(
        submitter.submit(new Submission(task, Optional.empty())),
        receipt -> {
          if (!(receipt instanceof Receipt.Accepted)) {
            throw world.violation("I2 nothing acknowledged is lost", id + " got " + receipt);
          }
          laws.accepted(id);
        },
        failure -> {
          if (failure instanceof StoreException.Full) {
            laws.refused(id);
          }
        });
  }

  /** A world in which this never happened proves nothing about it. */
  void requireCounted(String what) {
    if (world.counts().getOrDefault(what, 0L) == 0) {
      throw world.violation("something happens in the world", what + " never did");
    }
  }

  /** Everybody has had the time to settle: nothing may be left undone. */
  void runUntil(Duration end) {
    world.runUntil(end);
    simulation.laws().checkEnd();
    laws.checkEnd();
  }
}
