package io.belfry.store.etcd;

import io.belfry.store.Feed;
import io.belfry.store.Revision;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.etcd.proto.RangeRequest;
import io.belfry.store.etcd.proto.RequestOp;
import io.belfry.store.etcd.proto.WatchResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All watches of a store over one stream, and over the next one when it breaks.
 *
 * <pre>
 *   watch ──▶ look (which era, which revision) ──▶ create on the stream ──▶ opened ──▶ changed, changed …
 *                 ▲                                        │
 *                 └── pause ◀── stream broke: next member ─┘   each watch resumes behind what it has told
 * </pre>
 *
 * The look is a read through the quorum: a new watch begins behind everything that was acknowledged before, and a stream
 * that was broken resumes only if the data set is still the one it followed.
 *
 * <p>No watch ends because etcd refuses it: it waits until etcd permits it, and resumes then. An unexpected exception costs a stream, not the hub.
 *
 * <p>Threading: everything happens on the hub's one thread, which also calls the watchers.
 */
final class WatchHub implements AutoCloseable {
  private static final Duration PAUSE_MIN = Duration.ofMillis(20);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(WatchHub.class);

  private final Link link;
  private final Tokens tokens;
  private final Reads reads;
  private final EpochGuard eras;
  private final Names names;
  private final EngineTroubleLog troubles;
  private final ScheduledExecutorService thread;
  private final Map<Long, Subscription> subscriptions = new LinkedHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile @Nullable WatchStream stream;
  /** The stream on which a refusal is being looked into. */
  private @Nullable WatchStream checking;

  private boolean connecting;
  private int failures;
  private volatile boolean closed;

  WatchHub(
      Link link,
      Tokens tokens,
      Reads reads,
      EpochGuard eras,
      Names names,
      EngineTroubleLog troubles,
      ScheduledExecutorService thread) {
    this.link = link;
    this.tokens = tokens;
    this.reads = reads;
    this.eras = eras;
    this.names = names;
    this.troubles = troubles;
    this.thread = thread;
    eras.listen(era -> run(this::dropOtherEras));
  }

  Watch watch(Feed feed, long after, Watcher watcher) {
    long id = ids.incrementAndGet();
    var subscription =
        new Subscription(id, feed, after, watcher, names, () -> run(() -> cancel(id)));
    run(() -> {
      subscriptions.put(id, subscription);
      look(subscription);
    });
    return subscription;
  }

  private void run(Runnable step) {
    thread.execute(() -> guarded(step));
  }

  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      recover(e);
    }
  }

  /** Whatever was thrown, and wherever: all watches resume behind what they have told, on a new stream. */
  private void recover(Throwable e) {
    log.debug("etcd watches: unexpected error", e);
    Status status = Status.INTERNAL.withDescription("unexpected error: " + e).withCause(e);
    troubles.failed(new Failure(Failure.Kind.UNKNOWN, status, link.line().member()), null);
    connecting = false;
    WatchStream present = stream;
    stream = null;
    later(() -> {
      link.cut(present == null ? link.line() : present.line());
      for (Subscription each : List.copyOf(subscriptions.values())) {
        if (each.era() == null || each.isRefused()) {
          look(each);
        }
      }
      connect();
    });
  }

  /** Whether there is a line to be probed. */
  boolean inUse() {
    return stream != null;
  }

  private void look(Subscription subscription) {
    if (!subscription.isOpen()) {
      return;
    }
    ask(
        subscription.isRefused() ? List.of(permission(subscription)) : List.of(),
        answer -> {
          failures = 0;
          begin(subscription, answer);
        },
        problem -> later(() -> look(subscription)));
  }

  private void begin(Subscription subscription, Reads.Answer answer) {
    if (!subscription.isOpen() || (subscription.era() != null && !subscription.isRefused())) {
      return;
    }
    subscription.refused(false);
    long after = subscription.after();
    if (subscription.era() != null) {
      dropOtherEras();
    } else if (after == Watch.NOW) {
      subscription.beginAfter(answer.era(), answer.txn().getHeader().getRevision());
    } else if (Revision.epoch(after) == answer.era().epoch() || after == Revision.NONE) {
      subscription.beginAfter(answer.era(), Revision.counter(after));
    } else {
      subscription.opened(after);
      compacted(subscription);
    }
    if (subscription.isOpen()) {
      create(subscription);
    }
  }

  private void create(Subscription subscription) {
    WatchStream present = stream;
    if (present == null) {
      connect();
    } else {
      present.create(subscription, names.stretch(subscription.feed()));
    }
  }

  private void connect() {
    if (connecting || closed || subscriptions.isEmpty()) {
      return;
    }
    connecting = true;
    ask(
        List.of(),
        answer -> {
          connecting = false;
          dropOtherEras();
          open();
        },
        problem -> {
          connecting = false;
          later(this::connect);
        });
  }

  private void open() {
    var unused = tokens
        .current()
        .whenComplete((token, problem) -> run(() -> {
          if (closed || stream != null) {
            return;
          }
          if (problem != null) {
            later(this::connect);
            return;
          }
          var opened = new WatchStream(
              link.line(),
              token,
              (from, answer) -> guarded(() -> heard(from, answer)),
              (from, status) -> guarded(() -> broke(from, status)));
          stream = opened;
          opened.start();
          for (Subscription each : subscriptions.values()) {
            if (each.era() != null && !each.isRefused()) {
              opened.create(each, names.stretch(each.feed()));
            }
          }
        }));
  }

  private void heard(WatchStream from, WatchResponse answer) {
    if (from != stream) {
      return;
    }
    failures = 0;
    troubles.answered();
    if (answer.getHeader().getClusterId() != eras.now().cluster()) {
      from.cut(link);
      return;
    }
    Subscription subscription = subscriptions.get(answer.getWatchId());
    if (answer.getCanceled()) {
      canceled(from, subscription, answer);
    } else if (subscription != null) {
      if (answer.getCreated()) {
        subscription.opened();
      } else if (answer.getEventsCount() > 0) {
        subscription.heard(answer);
      } else {
        subscription.progressed(answer.getHeader().getRevision());
      }
      forgetUnlessOpen(subscription);
    }
  }

  /**
   * etcd does not name the watch that it refuses, nor tell a stale token from a missing permission: all are asked about, which also renews the
   * token; those that are refused wait for their permission; the others begin again on a new stream.
   */
  private void canceled(
      WatchStream from, @Nullable Subscription subscription, WatchResponse answer) {
    if (subscription != null && answer.getCompactRevision() > 0) {
      compacted(subscription);
    } else if ((subscription != null || answer.getWatchId() < 0) && from != checking) {
      checking = from;
      tokens.forget(from.token());
      checkPermissions(
          subscription != null ? List.of(subscription) : List.copyOf(subscriptions.values()),
          () -> replace(from));
    }
  }

  /** A new stream in the place of this one. */
  private void replace(WatchStream old) {
    if (old == stream) {
      stream = null;
      link.cut(old.line());
      later(this::connect);
    }
  }

  private void checkPermissions(List<Subscription> left, Runnable then) {
    if (left.isEmpty()) {
      then.run();
      return;
    }
    Subscription subscription = left.getFirst();
    Runnable next = () -> checkPermissions(left.subList(1, left.size()), then);
    ask(List.of(permission(subscription)), answer -> next.run(), problem -> {
      if (problem instanceof StoreException.Denied && !subscription.isRefused()) {
        subscription.refused(true);
        later(() -> look(subscription));
      }
      next.run();
    });
  }

  /** A question that etcd answers only to those who may watch. */
  private RequestOp permission(Subscription subscription) {
    Names.Stretch stretch = names.stretch(subscription.feed());
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder()
            .setKey(stretch.key())
            .setRangeEnd(stretch.end())
            .setLimit(1)
            .setKeysOnly(true))
        .build();
  }

  private void broke(WatchStream from, Status status) {
    if (from == stream) {
      stream = null;
      if (!closed) {
        troubles.failed(FailureTable.classify(status, true, from.line().member()), null);
      }
      link.cut(from.line());
      later(this::connect);
    }
  }

  private void dropOtherEras() {
    for (Subscription each : List.copyOf(subscriptions.values())) {
      if (each.era() != null && each.era() != eras.now()) {
        compacted(each);
      }
    }
  }

  private void compacted(Subscription subscription) {
    subscription.compacted();
    cancel(subscription.id());
  }

  private void forgetUnlessOpen(Subscription subscription) {
    if (!subscription.isOpen()) {
      cancel(subscription.id());
    }
  }

  private void cancel(long id) {
    WatchStream present = stream;
    if (subscriptions.remove(id) != null && present != null) {
      present.cancel(id);
    }
  }

  private void ask(
      List<RequestOp> questions,
      Consumer<Reads.Answer> onAnswer,
      Consumer<StoreException> onProblem) {
    CompletableFuture<Reads.Answer> asked = reads.ask(questions);
    var unused = asked.whenComplete((answer, problem) -> run(() -> {
      if (closed) {
        return;
      }
      if (problem != null) {
        onProblem.accept(Calls.surface(problem));
      } else {
        onAnswer.accept(answer);
      }
    }));
  }

  /** Ever later while nothing is heard. */
  private void later(Runnable step) {
    if (!closed) {
      long pause = PAUSE_MIN.toMillis() << Math.min(failures++, 10);
      var unused = thread.schedule(
          () -> guarded(step), Math.min(pause, PAUSE_MAX.toMillis()), TimeUnit.MILLISECONDS);
    }
  }

  /** Watches fall silent. */
  @Override
  public void close() {
    closed = true;
    run(() -> {
      subscriptions.values().forEach(Subscription::close);
      subscriptions.clear();
      WatchStream present = stream;
      if (present != null) {
        present.end();
      }
    });
  }
}
