package io.belfry.simulation;

import io.belfry.core.loop.Loop;
import io.belfry.core.worker.Launcher.Ending;
import io.belfry.core.worker.WorkerOrders;
import io.belfry.model.task.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;

/**
 * Workers are ordered about all the time, two orders at once, while watches have gaps; and now and then one is drained just when work is on
 * its way to it, and dies a moment later together with the leader.
 */
final class OrderScenario implements LongConsumer {
  private static final Duration STORM = Duration.ofSeconds(45);
  /** No strike is under way any more. */
  private static final Duration LAST_ORDERS = Duration.ofSeconds(48);

  private static final Duration END = Duration.ofSeconds(80);
  private static final int CAPACITY = 8;
  private static final List<String> WORKERS = List.of("w1", "w2", "w3");

  private static final Script SHORT = (task, random) -> new Script.Body(
      Duration.ofMillis(1 + random.nextInt(random.nextInt(4) == 0 ? 1_500 : 60)),
      new Ending.Returned(Result.OK),
      Duration.ofMillis(1));

  private final Map<String, Integer> strikes = new HashMap<>();
  /** Those that are being drained by a strike: whatever else is ordered meanwhile may come before or after that. */
  private final Set<String> struck = new HashSet<>();

  @Override
  public void accept(long seed) {
    strikes.clear();
    struck.clear();
    var stage = new Stage(seed, "ScenariosTest#orders_to_workers_are_kept_and_obeyed");
    var law = new OrderLaw(stage.simulation, CAPACITY);
    List<Cluster.Seat> schedulers = List.of(stage.scheduler("s1"), stage.scheduler("s2"));
    List<Cluster.Seat> workers =
        WORKERS.stream().map(name -> stage.worker(name, CAPACITY, SHORT)).toList();
    stage.submitter(Duration.ofMillis(120), STORM);
    List<WorkerOrders> desk = new ArrayList<>();
    stage.simulation.cluster().add("o", process -> {
      var orders = new WorkerOrders(process.node().loop(), process.store());
      desk.add(orders);
      WORKERS.forEach(worker -> round(stage, law, process.node(), orders, worker));
    });
    for (long at = 6_000_000_000L; at < STORM.toNanos(); at += 2_000_000_000L) {
      stage.world.at(at + stage.dice.nextLong(2_000_000_000L), () -> gap(stage));
    }
    for (long at = 8_000_000_000L; at < STORM.toNanos(); at += 9_000_000_000L) {
      Cluster.Seat worker = workers.get(stage.dice.nextInt(workers.size()));
      stage.world.at(
          at + stage.dice.nextLong(2_000_000_000L),
          () -> strike(stage, desk.getFirst(), schedulers, worker));
    }
    stage.runUntil(END);
  }

  private static void gap(Stage stage) {
    SimEngine engine = stage.simulation.engine();
    engine.feeds().compact(engine.state().revision());
  }

  private void strike(
      Stage stage, WorkerOrders orders, List<Cluster.Seat> schedulers, Cluster.Seat worker) {
    strikes.merge(worker.name(), 1, Integer::sum);
    struck.add(worker.name());
    for (int i = 0; i < 12; i++) {
      stage.world.in(stage.dice.nextLong(30_000_000L), () -> stage.burst(2));
    }
    stage.world.in(stage.dice.nextLong(15_000_000L), () -> {
      var unused = orders
          .drain(worker.name(), "strike")
          .whenComplete((told, failure) -> struck.remove(worker.name()));
    });
    stage.world.in(10_000_000L + stage.dice.nextLong(30_000_000L), () -> {
      worker.crash();
      stage.world.in(stage.dice.nextLong(8_000_000_000L), worker::start);
      schedulers.stream()
          .filter(seat ->
              seat.node().filter(node -> node.id().equals(stage.leader())).isPresent())
          .forEach(seat -> {
            seat.crash();
            stage.world.in(stage.dice.nextLong(3_000_000_000L), seat::start);
          });
    });
  }

  /** Two orders at once, both acknowledged; a while later the worker goes by them. */
  private void round(Stage stage, OrderLaw law, SimNode node, WorkerOrders orders, String worker) {
    Loop loop = node.loop();
    Runnable next = () -> {
      var unused = loop.after(
          Duration.ofMillis(500 + node.random().nextInt(1500)),
          () -> round(stage, law, node, orders, worker));
    };
    if (stage.world.now() >= LAST_ORDERS.toNanos()) {
      lastOrders(stage, law, node, orders, worker);
      return;
    }
    if (stage.world.now() >= STORM.toNanos() || struck.contains(worker)) {
      next.run();
      return;
    }
    int before = strikes.getOrDefault(worker, 0);
    boolean drain = node.random().nextInt(3) == 0;
    int capacity = 4 + node.random().nextInt(8);
    both(
        loop,
        drain ? orders.drain(worker, "ops") : orders.resume(worker, "ops"),
        orders.capacity(worker, capacity, "ops"),
        told -> {
          if (strikes.getOrDefault(worker, 0) == before) {
            told.forEach(each -> law.requireStanding(each, drain, capacity));
          }
          var unused = loop.after(Duration.ofSeconds(2), () -> {
            if (strikes.getOrDefault(worker, 0) == before) {
              told.forEach(law::requireObeyed);
            }
            next.run();
          });
        },
        next);
  }

  private static void lastOrders(
      Stage stage, OrderLaw law, SimNode node, WorkerOrders orders, String worker) {
    int capacity = 4 + node.random().nextInt(8);
    both(
        node.loop(),
        orders.resume(worker, "ops"),
        orders.capacity(worker, capacity, "ops"),
        told -> law.lastOrders(told, false, capacity),
        () -> {
          var unused = node.loop()
              .after(Duration.ofSeconds(1), () -> lastOrders(stage, law, node, orders, worker));
        });
  }

  private interface Told {
    void told(List<String> workers);
  }

  private static void both(
      Loop loop,
      CompletionStage<List<String>> one,
      CompletionStage<List<String>> other,
      Told then,
      Runnable otherwise) {
    loop.onResult(
        one,
        first -> loop.onResult(
            other,
            second -> {
              if (first.equals(second)) {
                then.told(first);
              } else {
                otherwise.run();
              }
            },
            failure -> otherwise.run()),
        failure -> otherwise.run());
  }
}
