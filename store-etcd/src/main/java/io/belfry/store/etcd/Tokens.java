package io.belfry.store.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The token that proves who we are; asked for when first needed and again when etcd no longer knows it. Many callers that
 * find it stale together ask once.
 *
 * <p>Threading: safe.
 */
final class Tokens {
  /** What is sent where no credentials are needed: nothing. */
  static final String NONE = "";

  private final Supplier<CompletableFuture<String>> authenticate;
  private final boolean needed;
  private @Nullable CompletableFuture<String> current;

  Tokens(boolean needed, Supplier<CompletableFuture<String>> authenticate) {
    this.needed = needed;
    this.authenticate = authenticate;
  }

  boolean needed() {
    return needed;
  }

  synchronized CompletableFuture<String> current() {
    if (!needed) {
      return CompletableFuture.completedFuture(NONE);
    }
    CompletableFuture<String> asked = current;
    if (asked == null || asked.isCompletedExceptionally()) {
      asked = authenticate.get();
      current = asked;
    }
    return asked;
  }

  /** {@code token} was refused; the next caller gets a new one. Older tokens than the current change nothing. */
  synchronized void forget(String token) {
    CompletableFuture<String> known = current;
    if (known != null
        && known.isDone()
        && !known.isCompletedExceptionally()
        && token.equals(known.getNow(NONE))) {
      current = null;
    }
  }
}
