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
 * <p>Threading: everything happens on the hub's one thread, which also calls the watchers.
 */
final class WatchHub implements AutoCloseable {
  private static final Duration PAUSE_MIN = Duration.ofMillis(20);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Link link;
  private final Tokens tokens;
  private final Reads reads;
  private final Eras eras;
  private final Names names;
  private final ScheduledExecutorService thread;
  private final Map<Long, Subscription> subscriptions = new LinkedHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private volatile @Nullable WatchStream stream;
  private boolean connecting;
  private int failures;
  private volatile boolean closed;

  WatchHub(
      Link link,
      Tokens tokens,
      Reads reads,
      Eras eras,
      Names names,
      ScheduledExecutorService thread) {
    this.link = link;
    this.tokens = tokens;
    this.reads = reads;
    this.eras = eras;
    this.names = names;
    this.thread = thread;
    eras.listen(era -> thread.execute(this::dropOtherEras));
  }

  Watch watch(Feed feed, long after, Watcher watcher) {
    long id = ids.incrementAndGet();
    var subscription =
        new Subscription(id, feed, watcher, names, () -> thread.execute(() -> cancel(id)));
    thread.execute(() -> {
      subscriptions.put(id, subscription);
      look(subscription, after);
    });
    return subscription;
  }

  /** Whether there is a line to be probed. */
  boolean inUse() {
    return stream != null;
  }

  private void look(Subscription subscription, long after) {
    ask(
        List.of(),
        answer -> {
          failures = 0;
          begin(subscription, after, answer);
        },
        problem -> {
          if (problem instanceof StoreException.Denied denied) {
            fail(subscription, denied);
          } else {
            later(() -> look(subscription, after));
          }
        });
  }

  private void begin(Subscription subscription, long after, Reads.Answer answer) {
    if (!subscription.isOpen()) {
      return;
    }
    if (after == Watch.NOW) {
      subscription.beginAfter(answer.era(), answer.txn().getHeader().getRevision());
    } else if (Revision.epoch(after) == answer.era().epoch() || after == Revision.NONE) {
      subscription.beginAfter(answer.era(), Revision.counter(after));
    } else {
      subscription.opened(after);
      compacted(subscription);
      return;
    }
    create(subscription);
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
        .whenComplete((token, problem) -> thread.execute(() -> {
          if (closed || stream != null) {
            return;
          }
          if (problem != null) {
            later(this::connect);
            return;
          }
          var opened = new WatchStream(link.line(), token, this::heard, this::broke);
          stream = opened;
          opened.start();
          for (Subscription each : subscriptions.values()) {
            if (each.era() != null) {
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

  /** etcd gives a stale token away by a nameless refusal: then all that were not yet accepted are looked at. */
  private void canceled(
      WatchStream from, @Nullable Subscription subscription, WatchResponse answer) {
    if (subscription != null && answer.getCompactRevision() > 0) {
      compacted(subscription);
    } else if (subscription != null || answer.getWatchId() < 0) {
      tokens.forget(from.token());
      for (Subscription each :
          subscription != null ? List.of(subscription) : List.copyOf(subscriptions.values())) {
        checkPermission(each);
      }
      from.cut(link);
    }
  }

  private void checkPermission(Subscription subscription) {
    Names.Stretch stretch = names.stretch(subscription.feed());
    RequestOp question = RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder()
            .setKey(stretch.key())
            .setRangeEnd(stretch.end())
            .setCountOnly(true))
        .build();
    ask(List.of(question), answer -> {}, problem -> {
      if (problem instanceof StoreException.Denied denied) {
        fail(subscription, denied);
      }
    });
  }

  private void broke(WatchStream from, Status status) {
    if (from == stream) {
      stream = null;
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

  private void fail(Subscription subscription, StoreException cause) {
    subscription.failed(cause);
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
    var unused = asked.whenComplete((answer, problem) -> thread.execute(() -> {
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
      var unused =
          thread.schedule(step, Math.min(pause, PAUSE_MAX.toMillis()), TimeUnit.MILLISECONDS);
    }
  }

  /** Watches fall silent. */
  @Override
  public void close() {
    closed = true;
    thread.execute(() -> {
      subscriptions.values().forEach(Subscription::close);
      subscriptions.clear();
      WatchStream present = stream;
      if (present != null) {
        present.end();
      }
    });
  }
}
