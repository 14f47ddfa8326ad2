package io.belfry.testkit;

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
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store behind a bad wire: loses an answer, loses a request, or delivers a request late. The caller hears the same each
 * time: unknown.
 *
 * <p>Threading: confined to the test that holds it.
 */
public final class FaultyStore implements Store {
  private enum Fault {
    NONE,
    LOSE_ANSWER,
    LOSE_REQUEST,
    DELAY_REQUEST
  }

  private final Store store;
  private final List<Commit> delayed = new ArrayList<>();
  private Fault next = Fault.NONE;

  public FaultyStore(Store store) {
    this.store = store;
  }

  /** The next commit is carried out, and its caller never hears of it. */
  public void loseNextAnswer() {
    next = Fault.LOSE_ANSWER;
  }

  /** The next commit never arrives. */
  public void loseNextRequest() {
    next = Fault.LOSE_REQUEST;
  }

  /** The next commit arrives when {@link #deliverDelayed()} says so. */
  public void delayNextRequest() {
    next = Fault.DELAY_REQUEST;
  }

  /** Delivers what was delayed, and waits until it is done. */
  public void deliverDelayed() {
    delayed.forEach(commit -> store.commit(commit).toCompletableFuture().join());
    delayed.clear();
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    Fault fault = next;
    next = Fault.NONE;
    return switch (fault) {
      case NONE -> store.commit(commit);
      case LOSE_ANSWER -> store.commit(commit).thenCompose(outcome -> unknown());
      case LOSE_REQUEST -> unknown();
      case DELAY_REQUEST -> {
        delayed.add(commit);
        yield unknown();
      }
    };
  }

  private static CompletionStage<Outcome> unknown() {
    return CompletableFuture.failedStage(
        new StoreException.Unknown("The wire is bad, on purpose.", null));
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
  public void close() {
    store.close();
  }
}
