package io.belfry.library;

/**
 * Handlers that a program loads by itself: a jar in the server's folder {@code handlers}, found by {@link java.util.ServiceLoader}.
 *
 * <pre>{@code
 * public final class Invoices implements HandlerModule {
 *   public void register(Belfry belfry) {
 *     belfry.handle("send-invoice", Invoice.class, (invoice, attempt) -> mail(invoice, attempt.token()));
 *   }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface HandlerModule {

  /** Called once for each namespace of a node that works, before it takes anything. */
  void register(Belfry belfry);

  /**
   * Whether this module could carry out something now. Asked with every heartbeat, one question at a time, while the setting {@code
   * worker.healthCheck} is on; while one module says false, throws or does not answer in time, the node's workers are given nothing new.
   */
  default boolean healthy() {
    return true;
  }
}
