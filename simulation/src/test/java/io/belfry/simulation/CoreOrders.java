package io.belfry.simulation;

import io.belfry.core.loop.Loop;
import io.belfry.core.worker.WorkerOrders;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * Somebody who drains workers, lets them go on and changes how much they take, until the storm is over; then each is told once more how it
 * shall be.
 *
 * <p>Threading: confined to its world.
 */
final class CoreOrders {
  private static final Duration AGAIN = Duration.ofMillis(300);
  /** What was sent before the storm's end and is late has arrived by now. */
  private static final long FOR_GOOD = CoreScenario.STORM.plusSeconds(7).toNanos();

  private final SimNode node;
  private final Loop loop;
  private final RandomGenerator random;
  private final WorkerOrders orders;
  private final OrderLaw law;
  private final List<String> workers;
  /** Orders that are not answered yet: one that comes after the last would not be lost, but the last would. */
  private int open;

  /**
   * @param workers configured ids
   */
  CoreOrders(SimNode node, Store store, OrderLaw law, List<String> workers) {
    this.node = node;
    this.loop = node.loop();
    this.random = node.random();
    this.orders = new WorkerOrders(loop, store);
    this.law = law;
    this.workers = workers;
  }

  void start() {
    later(Duration.ofSeconds(3), this::order);
    workers.forEach(this::lastOrders);
  }

  private void later(Duration mean, Runnable step) {
    var unused = loop.after(Duration.ofNanos(random.nextLong(2 * mean.toNanos())), step);
  }

  private void order() {
    if (node.world().now() >= CoreScenario.STORM.toNanos()) {
      return;
    }
    later(Duration.ofSeconds(3), this::order);
    String worker = workers.get(random.nextInt(workers.size()));
    if (random.nextInt(3) == 0) {
      say(orders.capacity(worker, random.nextInt(9), "ops"));
    } else {
      say(orders.drain(worker, "ops"));
      later(Duration.ofSeconds(2), () -> say(orders.resume(worker, "ops")));
    }
  }

  private void say(CompletionStage<List<String>> order) {
    open++;
    loop.onResult(
        order,
        told -> {
          open--;
          node.world().count("orders");
        },
        failure -> open--);
  }

  private void lastOrders(String worker) {
    long left = FOR_GOOD - node.world().now();
    if (left > 0) {
      var unused = loop.after(Duration.ofNanos(left), () -> lastOrders(worker));
      return;
    }
    if (open > 0) {
      later(AGAIN, () -> lastOrders(worker));
      return;
    }
    int capacity = 4 + random.nextInt(5);
    CompletionStage<List<String>> resumed = orders.resume(worker, "ops");
    CompletionStage<List<String>> sized = orders.capacity(worker, capacity, "ops");
    Runnable again = () -> later(AGAIN, () -> lastOrders(worker));
    loop.onResult(
        resumed,
        first -> loop.onResult(
            sized,
            second -> {
              if (first.equals(second)) {
                law.lastOrders(first, false, capacity);
              } else {
                again.run(); // one has come or gone between the two
              }
            },
            failure -> again.run()),
        // Not before the other is over, too: it may still be given behind the next.
        failure -> loop.onResult(sized, told -> again.run(), failed -> again.run()));
  }
}
