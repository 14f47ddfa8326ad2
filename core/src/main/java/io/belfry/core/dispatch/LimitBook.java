package io.belfry.core.dispatch;

import io.belfry.model.job.Limit;
import io.belfry.model.job.Rate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Counts held tasks and starts by limit key.
 *
 * <p>Concurrency: the tasks held (assigned or running) under a key stay below the limit of the task that asks; a new leader adds every
 * held task. Rate: see {@link RateWindow}. A new leader does not know at first what earlier ones started: it assumes the worst and
 * starts nothing under a rate until one whole window has passed since the time from which it knows every start.
 * So the rate holds across a failover. As the leader reads starts back from history, that time moves back, and this class
 * reports for which windows reading on is worthwhile.
 *
 * <p>A key's tasks usually share one limit. While a job's edit is in progress there may be two: each task is checked against its own,
 * and both limits count all starts.
 *
 * <p>Threading: confined to the leader loop.
 */
final class LimitBook {
  private static final int SWEEP_FROM = 1_024;

  private static final class Tally {
    int held;
    final List<RateWindow> starts = new ArrayList<>(1);

    RateWindow under(Rate rate) {
      for (RateWindow known : starts) {
        if (known.rate.equals(rate)) {
          return known;
        }
      }
      RateWindow fresh =
          starts.isEmpty() ? new RateWindow(rate) : new RateWindow(rate, starts.getFirst());
      starts.add(fresh);
      return fresh;
    }

    boolean isForgettable(long nanos) {
      starts.removeIf(known -> known.isForgettable(nanos));
      return held == 0 && starts.isEmpty();
    }
  }

  /** Windows that were asked for while they were not known. */
  private final Set<Rate.Unit> asked = EnumSet.noneOf(Rate.Unit.class);

  private OptionalLong knownSince;
  private final Map<String, Tally> tallies = new HashMap<>();
  private int sweepAt = SWEEP_FROM;

  private LimitBook(OptionalLong knownSince) {
    this.knownSince = knownSince;
  }

  /** For a namespace in which no task has ever started. */
  static LimitBook blank() {
    return new LimitBook(OptionalLong.empty());
  }

  /** For a leader that knows, or is about to learn, every start after that time, and none before. */
  static LimitBook knownSince(long nanos) {
    return new LimitBook(OptionalLong.of(nanos));
  }

  int size() {
    return tallies.size();
  }

  Permission mayStart(String key, Limit limit, long nanos) {
    Tally tally = tallies.get(key);
    if (tally != null
        && limit.concurrency().isPresent()
        && tally.held >= limit.concurrency().get()) {
      return Permission.AfterAnEnd.AFTER_AN_END;
    }
    return limit.rate().isPresent() ? byRate(key, limit.rate().get(), nanos) : Permission.Now.NOW;
  }

  private Permission byRate(String key, Rate rate, long nanos) {
    if (!isKnown(rate.per(), nanos)) {
      asked.add(rate.per());
      return new Permission.At(knownAt(rate.per()));
    }
    Tally tally = tallies.get(key);
    if (tally == null) {
      return Permission.Now.NOW;
    }
    RateWindow starts = tally.under(rate);
    return starts.mayStart(nanos) ? Permission.Now.NOW : new Permission.At(starts.freeAt());
  }

  private boolean isKnown(Rate.Unit window, long nanos) {
    return knownSince.isEmpty() || knownAt(window) - nanos <= 0;
  }

  private long knownAt(Rate.Unit window) {
    return knownSince.orElseThrow() + window.length().toNanos();
  }

  /** The windows that tasks wait for because the starts within them are not known. */
  Set<Rate.Unit> unknown(long nanos) {
    asked.removeIf(window -> isKnown(window, nanos));
    return Collections.unmodifiableSet(asked);
  }

  /** Every start since this time has been reported. */
  void moveKnown(long since) {
    if (knownSince.isPresent() && since - knownSince.getAsLong() < 0) {
      knownSince = OptionalLong.of(since);
    }
  }

  void started(String key, Limit limit, long nanos) {
    Tally tally = tally(key, nanos);
    tally.held++;
    limit.rate().ifPresent(tally::under);
    for (RateWindow starts : tally.starts) {
      starts.started(nanos);
    }
  }

  /** Counts a task that was assigned under an earlier leader and is still held. */
  void holds(String key, long nanos) {
    tally(key, nanos).held++;
  }

  /** Counts a start that was read back from history; in any order. */
  void recall(String key, Limit limit, long startedNanos, long nanos) {
    Tally tally = tally(key, nanos);
    limit.rate().ifPresent(tally::under);
    for (RateWindow starts : tally.starts) {
      starts.recalled(startedNanos, nanos);
    }
  }

  void ended(String key) {
    Tally tally = tallies.get(key);
    if (tally == null) {
      return;
    }
    tally.held = Math.max(0, tally.held - 1);
    if (tally.held == 0 && tally.starts.isEmpty()) {
      tallies.remove(key);
    }
  }

  /** Undoes a start at that time. */
  void undo(String key, long nanos) {
    Tally tally = tallies.get(key);
    if (tally != null) {
      tally.starts.forEach(starts -> starts.undo(nanos));
      ended(key);
    }
  }

  private Tally tally(String key, long nanos) {
    Tally known = tallies.get(key);
    if (known != null) {
      return known;
    }
    if (tallies.size() >= sweepAt) {
      tallies.values().removeIf(tally -> tally.isForgettable(nanos));
      sweepAt = Math.max(SWEEP_FROM, 2 * tallies.size()); // so that sweeping costs O(1) per new key
    }
    Tally fresh = new Tally();
    tallies.put(key, fresh);
    return fresh;
  }
}
