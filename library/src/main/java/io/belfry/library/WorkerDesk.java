package io.belfry.library;

import io.belfry.core.work.WorkerOrders;
import java.util.List;
import java.util.function.Supplier;

/**
 * What may be ordered of any worker of the namespace, wherever it runs. An order is durable when a method has returned; the worker goes by
 * it within a moment, and {@link Belfry#workers} shows it so.
 *
 * <p>A worker is named by its configured id, which means every process of that id, or by that with its incarnation, as in {@code
 * w1~5f3c09aa17e2}. An order is for the processes that are there: one that is started later knows nothing of it.
 *
 * <p>Threading: safe.
 */
public final class WorkerDesk {
  private final Calls calls;
  private final Supplier<Decider> decider;

  WorkerDesk(Calls calls, Supplier<Decider> decider) {
    this.calls = calls;
    this.decider = decider;
  }

  private WorkerOrders orders() {
    return decider.get().orders;
  }

  /**
   * Nothing new is given to the worker until {@link #resume}; what it has goes on.
   *
   * @return the processes that were meant, with their incarnations
   * @throws io.belfry.model.InvalidException if there is no such worker
   */
  public List<String> drain(String worker) {
    return calls.write(() -> orders().drain(worker, decider.get().node));
  }

  /** Lets the worker go on. */
  public List<String> resume(String worker) {
    return calls.write(() -> orders().resume(worker, decider.get().node));
  }

  /** Changes how many attempts the worker holds at most, from 0 to 100,000. 0: nothing new. What it has goes on in any case. */
  public List<String> capacity(String worker, int attempts) {
    return calls.write(() -> orders().capacity(worker, attempts, decider.get().node));
  }
}
