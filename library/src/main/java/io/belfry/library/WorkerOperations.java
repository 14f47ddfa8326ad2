package io.belfry.library;

import io.belfry.core.worker.WorkerOrders;
import java.util.List;
import java.util.function.Supplier;

/**
 * Manages workers of the namespace on any node. A command is durable when its method returns; the worker applies it within a moment, and {@link
 * Belfry#workers} shows the new state.
 *
 * <p>Name a worker by its configured id, which selects every process with that id, or by id and incarnation, as in {@code w1~5f3c09aa17e2}. A
 * command applies to the processes that run now; a process started later ignores it.
 *
 * <p>Threading: safe.
 */
public final class WorkerOperations {
  private final Calls calls;
  private final Supplier<SchedulerPart> scheduler;

  WorkerOperations(Calls calls, Supplier<SchedulerPart> scheduler) {
    this.calls = calls;
    this.scheduler = scheduler;
  }

  private WorkerOrders orders() {
    return scheduler.get().orders;
  }

  /**
   * Drains the worker: it gets no new attempts until {@link #resume}. Running attempts continue.
   *
   * @return the ids of the selected processes, with their incarnations
   * @throws io.belfry.model.InvalidException if no such worker exists
   */
  public List<String> drain(String worker) {
    return calls.write(() -> orders().drain(worker, scheduler.get().node));
  }

  /** Ends the drain of the worker. */
  public List<String> resume(String worker) {
    return calls.write(() -> orders().resume(worker, scheduler.get().node));
  }

  /** Sets the maximum number of attempts that the worker runs at once, from 0 to 100,000; 0 stops new ones. Running attempts continue. */
  public List<String> capacity(String worker, int attempts) {
    return calls.write(() -> orders().capacity(worker, attempts, scheduler.get().node));
  }
}
