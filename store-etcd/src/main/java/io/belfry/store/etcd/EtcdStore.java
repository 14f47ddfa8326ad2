package io.belfry.store.etcd;

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
import io.belfry.store.LogLimiter;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.etcd.Calls.Repeat;
import io.belfry.store.etcd.proto.MaintenanceGrpc;
import io.belfry.store.etcd.proto.StatusRequest;
import io.belfry.store.etcd.proto.StatusResponse;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store on an etcd v3 cluster. See the package for how it hangs together.
 *
 * <p>Threading: safe. Stages complete on gRPC's threads, watchers are called on one thread of the store's own.
 */
public final class EtcdStore implements Store {
  private static final Duration LOOK = Duration.ofMillis(250);

  private final EtcdSettings settings;
  private final Threads threads;
  private final Link link;
  private final Link watchLink;
  /** One for all parts: what several of them meet is logged once. */
  private final LogLimiter limiter;

  private final Calls calls;
  private final EpochGuard eras;
  private final Reads reads;
  private final Leases leases;
  private final EngineTroubleLog watchTroubles;
  private final WatchHub hub;
  private final Committer committer;
  private final Members members;
  private volatile boolean closed;

  private EtcdStore(EtcdSettings settings, BatchRule rule, Time time) {
    this.settings = settings;
    Optional<SslContext> tls = Channels.tls(settings);
    this.threads = new Threads();
    var channels = new Channels(settings, tls, threads);
    this.link = new Link(settings.endpoints(), member -> channels.dial(member, Runnable::run));
    this.watchLink =
        new Link(settings.endpoints(), member -> channels.dial(member, threads.watch()));
    this.limiter = LogLimiter.everyMinute(time);
    this.calls = new Calls(
        link, time, threads.timer(), settings.timeouts(), settings.credentials(), limiter);
    var names = new Names(settings.prefix());
    this.eras = new EpochGuard(calls, names);
    this.reads = new Reads(calls, eras, names);
    this.leases = new Leases(calls);
    this.watchTroubles = new EngineTroubleLog(
        "etcd watches",
        "Until then watches are silent; they resume where they were.",
        time,
        limiter);
    this.hub =
        new WatchHub(watchLink, calls.tokens(), reads, eras, names, watchTroubles, threads.watch());
    var marks =
        new BatchMarks(calls, eras, new AtomicLong(new SecureRandom().nextLong())::getAndIncrement);
    this.committer = new Committer(
            rule, new Batches(calls, eras, names, marks), time, settings.observer())
        .patience(settings.timeouts().request().multipliedBy(2));
    this.members = new Members(calls, settings.endpoints());
    if (settings.room().dedicated()) {
      var alarm = new SpaceAlarm(
          calls,
          settings.endpoints(),
          member -> callsTo(member, channels, time),
          settings.room().quotaBytes(),
          limiter);
      new Compactor(calls, reads, alarm, names, time, settings.room().keep(), limiter)
          .start(threads.timer());
    }
  }

  /** To this member only, over a connection of its own. */
  private Calls callsTo(Endpoint member, Channels channels, Time time) {
    return new Calls(
        new Link(List.of(member), one -> channels.dial(one, Runnable::run)),
        time,
        threads.timer(),
        settings.timeouts(),
        settings.credentials(),
        limiter);
  }

  /**
   * Connects, or throws a {@link StoreException} that says why not, within the request timeout. Blocks.
   */
  public static EtcdStore connect(EtcdSettings settings) {
    return connect(settings, Batches.rule(settings.batchesAway()));
  }

  static EtcdStore connect(EtcdSettings settings, BatchRule rule) {
    var store = new EtcdStore(settings, rule, Time.system());
    try {
      store.eras.settle().join();
      store.startProbes();
      return store;
    } catch (CompletionException e) {
      store.close();
      throw Calls.surface(e);
    }
  }

  private void startProbes() {
    members.start(threads.timer());
    new Probe(
            link,
            settings.timeouts(),
            threads.timer(),
            calls.time(),
            calls.troubles(),
            () -> !closed,
            link::leave,
            calls::elected)
        .start();
    new Probe(
            watchLink,
            settings.timeouts(),
            threads.timer(),
            calls.time(),
            watchTroubles,
            hub::inUse,
            watchLink::cut,
            () -> {})
        .start();
    var unused = threads
        .timer()
        .scheduleWithFixedDelay(
            watchTroubles::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return committer.commit(commit);
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    List<Key> checked = List.copyOf(Limits.checkedKeys(keys));
    return read(() -> reads.get(checked));
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return read(() -> reads.scan(scan));
  }

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    Duration checked = Lease.checked(ttl);
    return answer(() -> leases.grant(checked));
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    return answer(() -> leases.renew(lease));
  }

  @Override
  public CompletionStage<@Nullable Void> revoke(long lease) {
    return answer(() -> leases.revoke(lease));
  }

  @Override
  public Watch watch(Feed feed, long after, Watcher watcher) {
    if (closed) {
      throw new StoreException.Closed();
    }
    return hub.watch(feed, after, watcher);
  }

  @Override
  public CompletionStage<Status> status() {
    return read(() -> calls
        .ask(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), Repeat.FREELY)
        .thenApply(this::status));
  }

  private Status status(StatusResponse said) {
    EtcdEpoch era = eras.now();
    return new Status(
        "etcd",
        said.getVersion(),
        "acknowledged when a majority of the members has it on disk",
        SpaceAlarm.fullness(said, settings.room().quotaBytes()),
        era.revision(Math.max(era.seen(), said.getHeader().getRevision())));
  }

  private <T> CompletionStage<T> read(Supplier<CompletableFuture<T>> question) {
    return answer(question)
        .exceptionallyCompose(failure -> CompletableFuture.failedStage(
            Calls.unwrap(failure) instanceof StoreException.Unknown unknown
                ? new StoreException.Unavailable(
                    "A read was not answered. " + unknown.getMessage(), unknown)
                : Calls.unwrap(failure)));
  }

  private <T extends @Nullable Object> CompletionStage<T> answer(
      Supplier<CompletableFuture<T>> question) {
    if (closed) {
      return CompletableFuture.failedStage(new StoreException.Closed());
    }
    return question
        .get()
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(Calls.surface(failure)));
  }

  @Override
  public long reconnects() {
    return link.replaced() + watchLink.replaced();
  }

  @Override
  public Set<Endpoint> endpoints() {
    return members.all();
  }

  /** Those that are running now. */
  List<Thread> threads() {
    return threads.running();
  }

  /** Waits a moment for its threads to end, unless it is called on one of them. */
  @Override
  public void close() {
    closed = true;
    committer.close();
    calls.close();
    hub.close();
    threads.close(calls.time(), link, watchLink);
  }
}
