package io.belfry.simulation;

import io.belfry.core.worker.Launcher.Ending;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Workers with long tasks lose the engine for about as long as a lease lasts, after answers or watches have become slow, and sometimes the
 * leaders' own messages get lost or come late just then. No task runs twice at once, and nothing is taken from who is there.
 */
final class LeaseScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(50);
  private static final Duration END = Duration.ofSeconds(100);

  private static final Script LONG = (task, random) -> new Script.Body(
      Duration.ofMillis(500 + random.nextInt(9_000)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#a_lease_is_what_it_says");
    stage.retrySoon();
    List<Cluster.Seat> leaders = List.of(stage.scheduler("s1"), stage.scheduler("s2"));
    List<Cluster.Seat> workers = List.of(
        stage.worker("w1", 5, LONG), stage.worker("w2", 5, LONG), stage.worker("w3", 5, LONG));
    Cluster.Seat client = stage.submitter(Duration.ofMillis(700), STORM);
    stage.world.in(
        Duration.ofSeconds(3), () -> client.link(stage.simulation.engine()).lossy(6));
    stage.world.in(STORM, () -> client.link(stage.simulation.engine()).lossy(0));
    long at = 6_000_000_000L;
    while (at < STORM.toNanos()) {
      Cluster.Seat worker = workers.get(stage.dice.nextInt(workers.size()));
      int kind = stage.dice.nextInt(4);
      stage.world.at(at, () -> strike(stage, kind, worker, leaders));
      at += 9_000_000_000L + stage.dice.nextLong(3_000_000_000L);
    }
    stage.runUntil(END);
  }

  private static void strike(
      Stage stage, int kind, Cluster.Seat worker, List<Cluster.Seat> leaders) {
    Link link = worker.link(stage.simulation.engine());
    stage.world.note(worker.name(), "is going to be cut off", kind);
    switch (kind) {
      case 0 -> {
        link.slow(millis(stage, 1_000, 1_900));
        cut(stage, link, millis(stage, 1_500, 3_000), millis(stage, 4_000, 7_000));
        stage.world.in(Duration.ofSeconds(3), () -> link.slow(Duration.ZERO));
      }
      case 1 -> {
        link.lag(millis(stage, 5_500, 8_000));
        cut(stage, link, millis(stage, 300, 1_500), millis(stage, 3_500, 5_000));
        stage.world.in(Duration.ofSeconds(8), () -> link.lag(Duration.ZERO));
      }
      case 2 -> {
        cut(stage, link, Duration.ZERO, millis(stage, 5_000, 12_000));
        during(stage, leaders, theirs -> theirs.lossy(2), theirs -> theirs.lossy(0));
      }
      default -> {
        cut(stage, link, Duration.ZERO, millis(stage, 4_500, 6_000));
        Duration lag = millis(stage, 500, 3_000);
        during(stage, leaders, theirs -> theirs.lag(lag), theirs -> theirs.lag(Duration.ZERO));
      }
    }
  }

  /** While the lease of the worker that was cut off just now ends. */
  private static void during(
      Stage stage, List<Cluster.Seat> leaders, Consumer<Link> begin, Consumer<Link> end) {
    for (Cluster.Seat leader : leaders) {
      Link theirs = leader.link(stage.simulation.engine());
      stage.world.in(Duration.ofSeconds(3), () -> begin.accept(theirs));
      stage.world.in(Duration.ofSeconds(5), () -> end.accept(theirs));
    }
  }

  private static void cut(Stage stage, Link link, Duration after, Duration length) {
    stage.world.in(after, () -> link.cut(length, false));
  }

  private static Duration millis(Stage stage, int from, int to) {
    return Duration.ofMillis(from + stage.dice.nextInt(to - from));
  }
}
