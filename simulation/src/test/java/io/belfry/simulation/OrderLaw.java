package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerOrder;
import io.belfry.core.record.WorkerRecord;
import io.belfry.store.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * No acknowledged order to a worker is lost, and each worker is as the order for it says, or, without one, as it was configured: in the
 * end, and a while after each order where nothing else goes wrong.
 *
 * <p>Threading: confined to its world.
 */
final class OrderLaw {
  private final World world;
  private final Simulation simulation;
  private final int configured;
  private final Map<String, WorkerOrder> acknowledged = new HashMap<>();

  /**
   * @param configured capacity of every worker
   */
  OrderLaw(Simulation simulation, int configured) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.configured = configured;
    simulation.laws().atEnd(this::complaint);
  }

  /** Both orders for these processes were acknowledged, nothing else was on its way, and nothing will be ordered any more. */
  void lastOrders(List<String> workers, boolean drained, int capacity) {
    workers.forEach(worker -> {
      requireStanding(worker, drained, capacity);
      acknowledged.put(worker, standing(worker));
    });
  }

  /** Both orders for this process were acknowledged, and nothing else was on its way. */
  void requireStanding(String worker, boolean drained, int capacity) {
    world.count("orders");
    WorkerOrder order = standing(worker);
    if (order.drained() != drained || !order.capacity().equals(Optional.of(capacity))) {
      throw world.violation(
          "I2 no acknowledged order is lost",
          worker + " was ordered drained=" + drained + ", capacity " + capacity + ", but there is "
              + order);
    }
  }

  /** Long enough after the last order: the process goes by it, if it still runs and is known. */
  void requireObeyed(String worker) {
    EngineStep.Slot slot = simulation.engine().state().slots().get(Keys.worker(worker));
    if (slot != null && simulation.cluster().running(worker).isPresent()) {
      disobeyed(Records.worker(slot.value())).ifPresent(complaint -> {
        throw world.violation("I2 an order is obeyed", complaint);
      });
    }
  }

  private WorkerOrder standing(String worker) {
    EngineStep.Slot slot = simulation.engine().state().slots().get(Keys.workerOrder(worker));
    return slot == null ? WorkerOrder.NONE : Records.workerOrder(slot.value());
  }

  private Optional<String> complaint() {
    for (Map.Entry<Key, EngineStep.Slot> each :
        simulation.engine().state().slots().entrySet()) {
      if (each.getKey().space().equals(Keys.WORKERS)) {
        WorkerRecord worker = Records.worker(each.getValue().value());
        WorkerOrder order = standing(worker.id());
        if (!acknowledged.getOrDefault(worker.id(), order).equals(order)) {
          return Optional.of("of " + worker.id() + " there is " + order + ", but acknowledged was "
              + acknowledged.get(worker.id()));
        }
        Optional<String> wrong = disobeyed(worker);
        if (wrong.isPresent()) {
          return wrong;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> disobeyed(WorkerRecord worker) {
    WorkerOrder order = standing(worker.id());
    boolean obeys = worker.leaving()
        || (worker.accepting() == !order.drained()
            && worker.capacity() == order.capacity().orElse(configured));
    return obeys ? Optional.empty() : Optional.of(worker + " does not go by " + order);
  }
}
