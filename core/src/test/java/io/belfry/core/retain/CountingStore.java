package io.belfry.core.retain;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.testkit.DelegatingStore;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts what is asked of a store. Threading: confined to its test. */
final class CountingStore extends DelegatingStore {
  int commits;
  int gets;
  int scans;

  CountingStore(Store store) {
    super(store);
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
    return store.commit(commit);
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    gets++;
    return store.get(keys);
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    scans++;
    return store.scan(scan);
  }
}
