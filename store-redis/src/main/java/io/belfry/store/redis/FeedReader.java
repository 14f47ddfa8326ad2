package io.belfry.store.redis;

import io.belfry.model.time.Time;
import io.belfry.store.Feed;
import io.belfry.store.LogLimiter;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Follows all feeds that are watched, by one blocking XREAD on a connection of its own.
 *
 * <pre>
 *   XREAD BLOCK ──entries──▶ still the same life of the data set? ──▶ barrier + WAIT on the link ──▶ watchers
 *        ▲                             no: compacted                    not acknowledged: read again      │
 *        └──────────────────────────────────────────────────────────────────────────────────────────────────┘
 * </pre>
 *
 * <p>An entry is delivered only when, after it was read, the server still was the one the link writes to, and the link has
 * had a later write acknowledged by enough replicas: then no failover takes it back.
 *
 * <p>Threading: one thread reads and calls the watchers; {@code watch} and {@code close} from anywhere.
 */
final class FeedReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FeedReader.class);
  private static final long PAUSE_MIN = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PAUSE_MAX = TimeUnit.MILLISECONDS.toNanos(500);

  private final LogLimiter unexpected;
  private final Dialer dialer;
  private final Link link;
  private final StoreThreads crew;
  private final FeedWire.Form form;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<FeedWatch> fresh = new ArrayList<>();
  private final List<FeedWatch> watches = new ArrayList<>();
  private @Nullable FeedWire wire;
  private final WatchLog log;
  private final AtomicLong reconnects = new AtomicLong();
  private boolean started;
  private boolean closed;

  FeedReader(RedisSettings settings, Dialer dialer, Link link, Time time, StoreThreads crew) {
    this.unexpected = LogLimiter.everyMinute(time);
    this.dialer = dialer;
    this.link = link;
    this.crew = crew;
    this.form = new FeedWire.Form(settings);
    this.log = new WatchLog(time, settings.namespace());
  }

  Watch watch(Feed feed, long after, Watcher watcher) {
    var watch = new FeedWatch(feed, after, watcher, link.ticker()::end);
    @Nullable FeedWire blocked;
    lock.lock();
    try {
      if (closed) {
        throw new StoreException.Closed();
      }
      link.ticker().begin();
      fresh.add(watch);
      if (!started) {
        crew.start("feeds", this::run);
        started = true;
      }
      blocked = wire;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (blocked != null) {
      wake(blocked);
    }
    return watch;
  }

  private void wake(FeedWire blocked) {
    var unused = link.ask(ScriptCalls.wake(blocked.name()), Call.Effect.READ)
        .whenComplete((done, failure) -> {
          if (failure != null) {
            // The reader finds the new watch by itself when its XREAD ends, a second later at most.
            LOG.debug("The reader was not woken: {}", failure.getMessage());
          }
        });
  }

  /** What is being read may be from a life that is over: look again. */
  void epochBegan() {
    lock.lock();
    try {
      if (wire != null) {
        wire.cut();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (wire != null) {
        wire.cut();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The one loop of the reader's thread: whatever is thrown, it goes on until the store is closed. */
  private void run() {
    long pause = PAUSE_MIN;
    while (awaitWatches()) {
      try (FeedWire opened = open()) {
        pause = PAUSE_MIN;
        followOrCompact(opened);
      } catch (JedisException | StoreException e) {
        // Also when Redis refuses us: that is an outage with a reason, which ends.
        log.failed(String.valueOf(e.getMessage()), link.isServing());
        reconnects.incrementAndGet();
        pause(pause);
        pause = Math.min(2 * pause, PAUSE_MAX);
      } catch (RuntimeException | Error e) {
        var unused = unexpected.log(
            String.valueOf(e),
            more -> LOG.error(
                "Redis: an unexpected error while feeds were read{}. They are read again.",
                more,
                e));
        reconnects.incrementAndGet();
        pause(pause);
        pause = Math.min(2 * pause, PAUSE_MAX);
      } finally {
        forget();
      }
    }
    everyWatch().forEach(FeedWatch::close);
  }

  /** How often the connection on which feeds are read was given up and made again. */
  long reconnects() {
    return reconnects.get();
  }

  /** An entry that cannot be read would be met again and again: who follows scans, and goes on behind it. */
  private void followOrCompact(FeedWire opened) {
    try {
      follow(opened);
    } catch (JedisException | StoreException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      watches.forEach(FeedWatch::compact);
      throw e;
    }
  }

  private FeedWire open() {
    var at = link.primary()
        .orElseThrow(() -> new StoreException.Unavailable("There is no connection yet.", null));
    var opened = new FeedWire(dialer.dial(at), form);
    lock.lock();
    try {
      wire = opened;
      if (closed) {
        opened.cut();
      }
    } finally {
      lock.unlock();
    }
    return opened;
  }

  private void forget() {
    lock.lock();
    try {
      wire = null;
    } finally {
      lock.unlock();
    }
  }

  /** Reads until the connection breaks, the epoch changes, or nobody listens. */
  private void follow(FeedWire opened) {
    DataSetLife known = link.known();
    opened.begin();
    long stand = heard(opened.tail(known, List.of())).stand();
    while (link.known().sameLife(known)) {
      stand = Math.max(stand, admit(opened, known));
      watches.removeIf(watch -> !watch.isOpen());
      watches.stream().filter(watch -> watch.isBefore(known.epoch())).forEach(FeedWatch::compact);
      if (watches.isEmpty()) {
        return;
      }
      FeedWire.Read read = opened.read(watches, known);
      FeedWire.Tail tail = heard(read.tail());
      log.read();
      if (!read.isEmpty() && !durable(known)) {
        return;
      }
      if (!read.isEmpty()) {
        link.saw(tail.stand());
      }
      lookCloser(opened, known, deliver(read, stand, tail.dropped()), stand);
      stand = tail.stand();
    }
  }

  private FeedWire.Tail heard(FeedWire.TailAnswer answer) {
    return switch (answer) {
      case FeedWire.Tail tail -> tail;
      case FeedWire.OtherLife other -> {
        askLink();
        throw new StoreException.Unavailable("Redis has begun another epoch.", null);
      }
    };
  }

  /**
   * This connection may lead to a server that the link has just left, or has not found yet. What counts is what the link is told, so it is made to
   * ask.
   */
  private void askLink() {
    var unused = link.askIn(link.known(), ScriptCalls.barrier()).whenComplete((done, failure) -> {
      if (failure != null) {
        LOG.debug("The link looked for another epoch: {}", failure.getMessage());
      }
    });
  }

  /** New watches find their place before they are followed. */
  private long admit(FeedWire opened, DataSetLife known) {
    List<FeedWatch> admitted;
    lock.lock();
    try {
      admitted = List.copyOf(fresh);
    } finally {
      lock.unlock();
    }
    if (admitted.isEmpty()) {
      return Revision.NONE;
    }
    FeedWire.Tail tail =
        heard(opened.tail(known, admitted.stream().map(FeedWatch::feed).toList()));
    lock.lock();
    try {
      fresh.removeAll(admitted);
      watches.addAll(admitted);
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < admitted.size(); i++) {
      admitted.get(i).begin(tail.stand(), tail.ends().get(i));
    }
    // Older watches may have unread changes before this stand, so it does not count for them.
    return Revision.NONE;
  }

  /** Whether no failover can take back what was just read. */
  private boolean durable(DataSetLife known) {
    if (known.acknowledgements() == 0) {
      return true;
    }
    try {
      var unused = link.askIn(known, ScriptCalls.barrier())
          .toCompletableFuture()
          .get(2 * link.patience().toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("What was read is not acknowledged yet: {}", e.getMessage());
      pause(PAUSE_MIN);
      return false;
    } catch (InterruptedException e) {
      // By a watcher, on whose thread it was called: this thread ends by close() only. It is read
      // again.
      return false;
    }
  }

  /**
   * Passes on what was read. A watch for which nothing was there moves on, unless something was cut off a feed behind it.
   *
   * @param quiet up to where everything was there to be read, or had been cut off
   * @return those that read nothing, and may have missed something
   */
  private List<FeedWatch> deliver(FeedWire.Read read, long quiet, long dropped) {
    var doubtful = new ArrayList<FeedWatch>(0);
    for (FeedWatch watch : watches) {
      List<FeedEntry> entries = read.of(watch.feed());
      if (!entries.isEmpty()) {
        entries.forEach(watch::hear);
      } else if (dropped <= watch.position()) {
        watch.quietUpTo(quiet);
      } else {
        doubtful.add(watch);
      }
    }
    return doubtful;
  }

  /** Rare: after a connection was lost for long, or when feeds are cut while they are read. */
  private void lookCloser(
      FeedWire opened, DataSetLife known, List<FeedWatch> doubtful, long quiet) {
    if (doubtful.isEmpty()) {
      return;
    }
    List<FeedWire.FeedEnd> ends = heard(
            opened.tail(known, doubtful.stream().map(FeedWatch::feed).toList()))
        .ends();
    for (int i = 0; i < ends.size(); i++) {
      doubtful.get(i).lookedAt(ends.get(i), quiet);
    }
  }

  private boolean awaitWatches() {
    lock.lock();
    try {
      while (!closed && fresh.isEmpty() && watches.isEmpty()) {
        changed.await();
      }
      return !closed;
    } catch (InterruptedException e) {
      // By a watcher, on whose thread it was called: this thread ends by close() only.
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private List<FeedWatch> everyWatch() {
    lock.lock();
    try {
      var all = new ArrayList<>(watches);
      all.addAll(fresh);
      watches.clear();
      fresh.clear();
      return all;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long nanos) {
    lock.lock();
    try {
      for (long left = nanos; left > 0 && !closed; ) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // By a watcher: a pause that is shorter does no harm.
    } finally {
      lock.unlock();
    }
  }
}
