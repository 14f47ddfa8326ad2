package io.belfry.core.event;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.EventBatch;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.Records;
import io.belfry.core.record.Told;
import io.belfry.core.record.Weight;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Receives the events of one term, and publishes to the other nodes the kinds that they subscribe to: whole batches into one key, each
 * overwriting the last, while the feed of that key keeps their order.
 *
 * <p>Without subscribers on other nodes it costs nothing. Every batch is guarded by the term, so that no event of a deposed leader follows
 * those of its successor. Events that come faster than they can be published are dropped, and show as a gap in the numbers.
 *
 * <p>Threading: confined to its loop.
 */
public final class Publisher implements Observer {
  private static final Duration GATHER = Duration.ofMillis(25);
  private static final int WAITING_MAX = 10_000;

  private record Numbered(long number, Told event) {}

  private final Loop loop;
  private final String node;
  private final long term;
  private final long fence;
  private final Observer here;
  private final Supplier<Set<EventKind>> wanted;
  private final RetryingCommitter settler;
  private final ArrayDeque<Numbered> waiting = new ArrayDeque<>();
  private long numbers;
  private boolean sending;

  /**
   * A publisher for one term.
   *
   * @param fence the revision of the term
   * @param leads asked before every retry
   * @param here receives every event at once
   * @param wanted the kinds that other nodes subscribe to now
   */
  public Publisher(
      Loop loop,
      Store store,
      String node,
      long term,
      long fence,
      BooleanSupplier leads,
      Observer here,
      Supplier<Set<EventKind>> wanted) {
    this.loop = loop;
    this.node = node;
    this.term = term;
    this.fence = fence;
    this.here = here;
    this.wanted = wanted;
    this.settler = new RetryingCommitter(loop, store, leads, closed -> waiting.clear());
  }

  @Override
  public void observed(Happening happening) {
    here.observed(happening);
    Set<EventKind> kinds = wanted.get();
    if (kinds.isEmpty() || !kinds.contains(Telling.kind(happening))) {
      return;
    }
    long number = numbers++;
    if (waiting.size() < WAITING_MAX) {
      waiting.add(new Numbered(number, Telling.tell(happening)));
    }
    if (!sending) {
      sending = true;
      var unused = loop.after(GATHER, this::send);
    }
  }

  private void send() {
    if (waiting.isEmpty()) {
      sending = false;
      return;
    }
    long first = waiting.getFirst().number;
    Commit batch = Commit.when()
        .holds(Keys.FENCE, fence)
        .put(Keys.EVENT_BATCH, Records.encode(new EventBatch(node, term, first, gather(first))))
        .build();
    settler.commit(batch, settled -> {
      if (settled.outcome() instanceof Outcome.Done) {
        var unused = loop.after(
            waiting.size() < CommitLimits.EVENTS.items() ? GATHER : Duration.ZERO, this::send);
      } else {
        waiting.clear(); // a later term holds: its leader publishes the events
      }
    });
  }

  /** As many as fit and are numbered without a gap. */
  private List<Told> gather(long first) {
    var batch = new ArrayList<Told>();
    long bytes = 0;
    while (!waiting.isEmpty()
        && batch.size() < CommitLimits.EVENTS.items()
        && bytes < CommitLimits.EVENTS.bytes()
        && waiting.getFirst().number == first + batch.size()) {
      Told event = waiting.removeFirst().event;
      bytes += event instanceof Told.OfTask of ? Weight.of(of.task()) : 100;
      batch.add(event);
    }
    return batch;
  }
}
