package io.belfry.core.election;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out whether this node's clock is off, by the clocks of the other nodes.
 *
 * <p>A heartbeat says what its sender's calendar said when it was written, and some time passes until it arrives: so what arrives
 * lies behind by an unknown delay, and never ahead. Of the beats of the last moments the one that was quickest, which lies furthest
 * ahead, says most. Beats are kept by our stopwatch, so that a step of our own calendar shows at once. Late ones come in bursts, after a
 * pause or a cut: only a calendar that is off at two looks, a heartbeat apart, is taken to be off.
 *
 * <p>The median counts our own calendar too, and of two in the middle the one nearer to ours: two nodes, or two halves, that
 * contradict each other all go on, because it cannot be known who is right; and at least one of them is not off.
 *
 * <p>Threading: confined to its loop.
 */
public final class ClockMedian {
  private static final Duration TOLERANCE = Duration.ofSeconds(2);
  private static final long SECONDS_MAX = 1L << 40;

  /** A calendar as a stopwatch that stood at 0 would have found it. */
  private record Beat(long arrivedNanos, long zeroMillis) {}

  private final Time time;
  private final long windowNanos;
  private final long apartNanos;
  private final Map<String, ArrayDeque<Beat>> beats = new LinkedHashMap<>();
  private Optional<Duration> suspected = Optional.empty();
  private Optional<Duration> off = Optional.empty();
  private long lookedNanos;

  /**
   * Knows no other node yet.
   *
   * @param heartbeat how often nodes say what their calendars say
   */
  public ClockMedian(Time time, Duration heartbeat) {
    this.time = time;
    this.windowNanos = heartbeat.multipliedBy(3).toNanos();
    this.apartNanos = heartbeat.dividedBy(2).toNanos();
    this.lookedNanos = time.nanos() - apartNanos;
  }

  /** A heartbeat has just arrived. */
  public void heartbeat(String node, Instant heartbeat) {
    long now = time.nanos();
    ArrayDeque<Beat> kept = beats.computeIfAbsent(node, unused -> new ArrayDeque<>());
    kept.add(new Beat(now, millis(heartbeat) - now / 1_000_000));
    prune(kept, now);
  }

  public void gone(String node) {
    beats.remove(node);
  }

  /** Whether a heartbeat of this node has arrived recently. */
  public boolean knows(String node) {
    ArrayDeque<Beat> kept = beats.get(node);
    if (kept != null) {
      prune(kept, time.nanos());
    }
    return kept != null && !kept.isEmpty();
  }

  /** Looks again. To be asked with every heartbeat; how far our calendar is ahead of the median, if it is off. */
  public Optional<Duration> check() {
    if (time.nanos() - lookedNanos < apartNanos) {
      return off;
    }
    lookedNanos = time.nanos();
    Optional<Duration> now = apart();
    off = suspected.isPresent() ? now : Optional.empty();
    suspected = now;
    return off;
  }

  /** What the last look found. */
  public Optional<Duration> off() {
    return off;
  }

  private Optional<Duration> apart() {
    long nanos = time.nanos();
    long own = millis(time.wall()) - nanos / 1_000_000;
    List<Long> others = new ArrayList<>();
    for (ArrayDeque<Beat> kept : beats.values()) {
      prune(kept, nanos);
      kept.stream().mapToLong(Beat::zeroMillis).max().ifPresent(others::add);
    }
    Duration ahead = Duration.ofMillis(own - median(own, others));
    return ahead.abs().compareTo(TOLERANCE) > 0 ? Optional.of(ahead) : Optional.empty();
  }

  private static long median(long own, List<Long> others) {
    List<Long> all = new ArrayList<>(others);
    all.add(own);
    all.sort(null);
    long low = all.get((all.size() - 1) / 2);
    long high = all.get(all.size() / 2);
    return Math.abs(own - low) <= Math.abs(own - high) ? low : high;
  }

  private void prune(ArrayDeque<Beat> kept, long now) {
    while (!kept.isEmpty() && now - kept.getFirst().arrivedNanos > windowNanos) {
      kept.removeFirst();
    }
  }

  /** What is written in a record may be anything. */
  private static long millis(Instant at) {
    return Math.clamp(at.getEpochSecond(), -SECONDS_MAX, SECONDS_MAX) * 1000
        + at.getNano() / 1_000_000;
  }
}
