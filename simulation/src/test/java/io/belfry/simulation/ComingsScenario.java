package io.belfry.simulation;

import io.belfry.core.node.Scheduler;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.core.worker.Worker;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * I6: workers die, and leave in order, now and then together with the leader, while there is work all the time and room elsewhere. The ways
 * to the engine are whole.
 */
final class ComingsScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofSeconds(85);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LAST_WORDS = Duration.ofMillis(300);

  private static final Script SHORT = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 1_500 : 60)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  @Override
  public void accept(long seed) {
    var stage = new Stage(seed, "ScenariosTest#what_a_worker_leaves_begins_elsewhere_in_time");
    var restarts = new RestartLaw(stage.simulation, stage.takings);
    List<Cluster.Seat> nodes = new ArrayList<>();
    for (String name : List.of("n1", "n2", "n3", "n4")) {
      nodes.add(stage.simulation.cluster().add(name, process -> node(stage, restarts, process)));
    }
    stage.submitter(Duration.ofMillis(120), STORM);
    long at = 6_000_000_000L;
    while (at < STORM.toNanos()) {
      Cluster.Seat node = nodes.get(stage.dice.nextInt(nodes.size()));
      int kind = stage.dice.nextInt(3);
      long away = stage.dice.nextLong(3_000_000_000L);
      stage.world.at(at, () -> strike(stage, restarts, nodes, node, kind, away));
      at += 3_000_000_000L + stage.dice.nextLong(5_000_000_000L);
    }
    stage.runUntil(END);
  }

  private static void strike(
      Stage stage,
      RestartLaw restarts,
      List<Cluster.Seat> nodes,
      Cluster.Seat some,
      int kind,
      long away) {
    switch (kind) {
      case 0 -> {
        some.node().ifPresent(node -> {
          some.crash();
          restarts.crashed(node.id());
        });
        stage.world.in(away, some::start);
      }
      case 1 -> stop(stage, some, away);
      default ->
        nodes.stream()
            .filter(seat ->
                seat.node().filter(node -> node.id().equals(stage.leader())).isPresent())
            .forEach(seat -> stop(stage, seat, away));
    }
  }

  /** Just when there is something to give out: some of it is on its way when the worker says that it leaves. */
  private static void stop(Stage stage, Cluster.Seat seat, long away) {
    stage.burst(20);
    stage.world.in(
        stage.dice.nextLong(15_000_000L), () -> seat.stop(() -> stage.world.in(away, seat::start)));
  }

  private static void node(Stage stage, RestartLaw restarts, Cluster.Booted process) {
    Scheduler scheduler = stage.parts.scheduler(process);
    Worker worker = stage.parts.worker(process, 20, SHORT);
    process.onStop(done -> {
      var unused = scheduler.stop();
      worker.drain(PATIENCE, () -> {
        restarts.left(worker.id());
        var unusedTimer = process.node().loop().after(LAST_WORDS, done);
      });
    });
  }
}
