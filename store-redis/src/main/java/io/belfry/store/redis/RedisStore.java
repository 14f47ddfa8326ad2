package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.BatchRule;
import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Endpoint;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The store on Redis 6.2 or newer: one server, servers behind Sentinel, or a Cluster.
 *
 * <p>Threading: safe. Five threads: one writes, one reads answers and completes stages, one reads feeds and calls
 * watchers, one ends what waits for too long, one follows which servers there are.
 */
public final class RedisStore implements Store {
  /** Small enough that Redis is never blocked for long; a few on the way, so that it never waits for us. */
  private static final BatchRule BATCHES =
      new BatchRule(200, 200, Integer.MAX_VALUE, 1 << 20, 3, 32, false);

  /** Nothing but a look-up of a host, or a watcher that blocks, takes longer. */
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  private final StoreThreads crew;
  private final Link link;
  private final FeedReader feeds;
  private final Committer committer;
  private final Set<Long> leases = ConcurrentHashMap.newKeySet();

  private RedisStore(RedisSettings settings, Dialer dialer, Locator locator, Time time) {
    crew = new StoreThreads("belfry-redis-" + settings.namespace(), time);
    link = new Link(settings, dialer, locator, time, crew);
    feeds = new FeedReader(settings, dialer, link, time, crew);
    committer = new Committer(BATCHES, new Batches(), time, settings.observer())
        .patience(settings.timeouts().answer());
  }

  /**
   * Returns once connected.
   *
   * @throws StoreException.Unavailable when Redis cannot be reached in time
   * @throws StoreException.Denied when it does not let us in, or is not set up to keep what it acknowledges
   */
  public static RedisStore connect(RedisSettings settings) {
    var dialer = new Dialer(settings, Time.system());
    return connect(settings, dialer, Locator.of(settings, dialer), Time.system());
  }

  /** With parts that a test may spoil. */
  static RedisStore connect(RedisSettings settings, Dialer dialer, Locator locator, Time time) {
    var store = new RedisStore(settings, dialer, locator, time);
    try {
      store.link.connect(store.feeds::epochBegan);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
    return store;
  }

  /** Sends the batches of the committer over the link. */
  private final class Batches implements Committer.Sender {
    @Override
    public CompletionStage<List<Outcome>> send(List<Commit> batch) {
      return link.ask(new BatchCall(batch), Call.Effect.ONCE);
    }

    @Override
    public CompletionStage<List<Outcome>> send(List<Commit> batch, long deadline) {
      return link.askBy(deadline, new BatchCall(batch), Call.Effect.ONCE).thenApply(outcomes -> {
        // Later commits of a batch have later revisions.
        for (int i = outcomes.size() - 1; i >= 0; i--) {
          if (outcomes.get(i) instanceof Outcome.Done done) {
            link.saw(done.revision());
            break;
          }
        }
        return outcomes;
      });
    }
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return committer.commit(commit);
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    return link.ask(ScriptCalls.get(List.copyOf(Limits.checkedKeys(keys))), Call.Effect.READ);
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return link.ask(ScriptCalls.scan(scan), Call.Effect.READ).thenApply(page -> {
      link.saw(page.revision());
      return page;
    });
  }

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    return link.ask(ScriptCalls.grant(Lease.checked(ttl)), Call.Effect.REPEATABLE)
        .thenApply(lease -> {
          if (leases.add(lease.id())) {
            link.ticker().begin();
          }
          return lease;
        });
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return link.ask(ScriptCalls.renew(lease), Call.Effect.REPEATABLE).thenApply(renewed -> {
      if (!renewed) {
        ended(lease);
      }
      return renewed;
    });
  }

  @Override
  public CompletionStage<Void> revoke(long lease) {
    return link.ask(ScriptCalls.revoke(lease), Call.Effect.REPEATABLE)
        .whenComplete((done, failure) -> {
          if (failure == null) {
            ended(lease);
          }
        });
  }

  private void ended(long lease) {
    if (leases.remove(lease)) {
      link.ticker().end();
    }
  }

  @Override
  public Watch watch(Feed feed, long after, Watcher watcher) {
    return feeds.watch(feed, after, watcher);
  }

  @Override
  public CompletionStage<Status> status() {
    return link.ask(ScriptCalls.status(link), Call.Effect.READ);
  }

  @Override
  public long reconnects() {
    return link.reconnects() + feeds.reconnects();
  }

  @Override
  public Set<Endpoint> endpoints() {
    return link.endpoints();
  }

  @Override
  public void close() {
    committer.close();
    feeds.close();
    crew.close();
    link.close();
    crew.joinAll(CLOSE_PATIENCE);
  }
}
