package io.belfry.model.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A time zone as a list of windows with one offset each, for the years that cron supports. A call of
 * {@link ZoneRules} costs hundreds of nanoseconds and allocates; this costs two array reads, because
 * nearly every lookup hits the window of the previous one.
 *
 * <pre>
 *   1969-12-28      start[1]          start[2]         2200-01-05
 *      |  offset[0]     |   offset[1]     |   offset[2]     |
 * </pre>
 *
 * <p>All expressions in a zone share one object (at most 6 kB). Threading: immutable except for
 * {@link #hint}, which every reader verifies, so that a stale value only costs a search.
 */
final class ZoneClock {

  /** The range of instants that can be looked up, with margin for any offset and for a leap of the search. */
  static final long FIRST = -4L * Civil.SECONDS_PER_DAY;

  static final long LAST = (Civil.END_DAY + 4L) * Civil.SECONDS_PER_DAY;

  private static final int SHARED_AT_MOST = 2_000;
  private static final ConcurrentMap<ZoneId, ZoneClock> SHARED = new ConcurrentHashMap<>();

  private final ZoneId zone;
  private final long[] start;
  private final int[] offset;
  private int hint;

  private ZoneClock(ZoneId zone, long[] start, int[] offset) {
    this.zone = zone;
    this.start = start;
    this.offset = offset;
  }

  static ZoneClock of(ZoneId zone) {
    ZoneClock known = SHARED.get(zone);
    if (known != null) {
      return known;
    }
    ZoneClock made = read(zone);
    // Offsets such as +01:02:03 are zones too, so the tz database does not bound the number of
    // zones.
    if (SHARED.size() >= SHARED_AT_MOST) {
      return made;
    }
    ZoneClock first = SHARED.putIfAbsent(zone, made);
    return first == null ? made : first;
  }

  private static ZoneClock read(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    Instant from = Instant.ofEpochSecond(FIRST);
    long[] start = new long[16];
    int[] offset = new int[16];
    int windows = 1;
    start[0] = FIRST;
    offset[0] = rules.getOffset(from).getTotalSeconds();
    ZoneOffsetTransition change = rules.nextTransition(from);
    while (change != null && change.toEpochSecond() < LAST) {
      if (windows == offset.length) {
        start = Arrays.copyOf(start, windows * 2);
        offset = Arrays.copyOf(offset, windows * 2);
      }
      start[windows] = change.toEpochSecond();
      offset[windows++] = change.getOffsetAfter().getTotalSeconds();
      change = rules.nextTransition(change.getInstant());
    }
    start = Arrays.copyOf(start, windows + 1);
    start[windows] = LAST;
    return new ZoneClock(zone, start, Arrays.copyOf(offset, windows));
  }

  ZoneId zone() {
    return zone;
  }

  /** The window that holds this instant, from {@link #FIRST} to before {@link #LAST}. */
  int windowAt(long epochSecond) {
    int guess = hint;
    if (start[guess] <= epochSecond && epochSecond < start[guess + 1]) {
      return guess;
    }
    int found = Arrays.binarySearch(start, epochSecond);
    int window = found >= 0 ? found : -found - 2;
    hint = window;
    return window;
  }

  long start(int window) {
    return start[window];
  }

  long end(int window) {
    return start[window + 1];
  }

  int offset(int window) {
    return offset[window];
  }

  /** How far the clocks jump when this window begins: above zero a gap, below zero a repeat. */
  int jumpAtStart(int window) {
    return window == 0 ? 0 : offset[window] - offset[window - 1];
  }

  /** How far the clocks jump when this window ends: above zero a gap, below zero a repeat. */
  int jumpAtEnd(int window) {
    return window == offset.length - 1 ? 0 : offset[window + 1] - offset[window];
  }
}
