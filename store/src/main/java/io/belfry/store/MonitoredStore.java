package io.belfry.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store whose writes are observed: whatever engine is behind it, its {@link EngineHealth} is known here.
 *
 * <p>Threading: as the store behind it; adds no lock to a commit that succeeds.
 */
public final class MonitoredStore implements Store {
  private final Store store;
  private final EngineHealth health;

  public MonitoredStore(Store store, EngineHealth health) {
    this.store = store;
    this.health = health;
    health.reconnects(store::reconnects);
  }

  public EngineHealth health() {
    return health;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return observed(() -> store.commit(commit), true);
  }

  private <T> CompletionStage<T> observed(Supplier<CompletionStage<T>> write, boolean proves) {
    CommitsInFlight.Sent sent = health.inFlight().send();
    CompletionStage<T> answer;
    try {
      answer = write.get();
    } catch (RuntimeException | Error e) {
      sent.answered(); // refused before it was sent: it says nothing about the engine
      throw e;
    }
    var unused = answer.whenComplete((outcome, thrown) -> {
      sent.answered();
      if (thrown != null) {
        health.failed(thrown);
      } else if (proves) {
        health.committed();
      }
    });
    return answer;
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    return store.get(keys);
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return store.scan(scan);
  }

  /** A granted lease does not prove that commits succeed; a grant that fails is a write that failed. */
  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    return observed(() -> store.grant(ttl), false);
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
  public void close() {
    store.close();
  }
}
