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
 * A store that has no room when told so: what would be put is refused, and nothing happens.
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
            new StoreException.Full("There is no room, on purpose.", null))
        : store.commit(commit);
  }
}
