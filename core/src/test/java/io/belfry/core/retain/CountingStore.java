package io.belfry.core.retain;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Counts what is asked of a store. Threading: confined to its test. */
final class CountingStore implements Store {
  private final Store store;
  int commits;
  int gets;
  int scans;

  CountingStore(Store store) {
    this.store = store;
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

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    return store.grant(ttl);
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return store.renew(lease);
  }

  @Override
  public CompletionStage<Void> revoke(long lease) {
    return store.revoke(lease);
  }

  @Override
  public Watch watch(Feed feed, long after, Watcher watcher) {
    return store.watch(feed, after, watcher);
  }

  @Override
  public CompletionStage<Status> status() {
    return store.status();
  }

  @Override
  public void close() {
    store.close();
  }
}
