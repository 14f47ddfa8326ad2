package io.belfry.library;

/**
 * A set of handlers that the server loads from a jar in its {@code handlers} directory, through {@link java.util.ServiceLoader}.
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

  /** Registers the handlers. Called once for each namespace on a node with the worker role, before its worker starts. */
  void register(Belfry belfry);

  /**
   * Health check of this module, called at every heartbeat, one call at a time, while the setting {@code worker.healthCheck} is enabled. While a
   * module returns false, throws or exceeds the timeout, the node's workers get no new attempts.
   */
  default boolean healthy() {
    return true;
  }
}
