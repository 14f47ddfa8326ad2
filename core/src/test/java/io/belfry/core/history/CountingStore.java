package io.belfry.core.history;

import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts the reads of a store, and fails when the test wants it. Threading: confined to its test. */
final class CountingStore extends DelegatingStore {
  int commits;
  int gets;
  int scans;
  /** Runs before each read, except reads that it makes itself. */
  Runnable before = () -> {};

  /** Whether the engine refuses all commits that do not only delete. */
  boolean full;

  /** The share of its space that the engine reports as used. */
  double fullness;

  /** The number of reads that fail from now on. */
  int failing;

  CountingStore(Store store) {
    super(store);
  }

  private <T> CompletionStage<T> failed() {
    failing--;
    return CompletableFuture.failedStage(
        new StoreException.Unavailable("as the test wants it", null));
  }

  int calls() {
    return commits + gets + scans;
  }

  void forget() {
    commits = 0;
    gets = 0;
    scans = 0;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    commits++;
    return full && commit.writes().stream().anyMatch(Write.Put.class::isInstance)
        ? CompletableFuture.failedStage(new StoreException.Full("as the test wants it", null))
        : store.commit(commit);
  }

  @Override
  public CompletionStage<Status> status() {
    return store
        .status()
        .thenApply(said -> new Status(
            said.engine(), said.version(), said.durability(), fullness, said.revision()));
  }

  private void before() {
    Runnable first = before;
    before = () -> {};
    first.run();
    before = first;
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    before();
    gets++;
    return failing > 0 ? failed() : store.get(keys);
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    before();
    scans++;
    return failing > 0 ? failed() : store.scan(scan);
  }
}
