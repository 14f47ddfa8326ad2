package io.belfry.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Passes everything on to another store: for those that want to see or change some of it.
 *
 * <p>Threading: as the other store's.
 */
public abstract class DelegatingStore implements Store {
  protected final Store store;

  protected DelegatingStore(Store store) {
    this.store = store;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return store.commit(commit);
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    return store.get(keys);
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
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
  public long reconnects() {
    return store.reconnects();
  }

  @Override
  public Set<Endpoint> endpoints() {
    return store.endpoints();
  }

  @Override
  public void close() {
    store.close();
  }
}
