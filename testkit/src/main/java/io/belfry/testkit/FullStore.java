package io.belfry.testkit;

import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store that can be switched to full: it then refuses every commit that puts something.
 *
 * <p>Threading: safe.
 */
public final class FullStore extends DelegatingStore {
  private volatile boolean full;

  public FullStore(Store store) {
    super(store);
  }

  public void full(boolean is) {
    full = is;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    boolean puts = commit.writes().stream().anyMatch(Write.Put.class::isInstance);
    return full && puts
        ? CompletableFuture.failedStage(
            new StoreException.Full("The store is full, injected by the test.", null))
        : store.commit(commit);
  }
}
