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
}
