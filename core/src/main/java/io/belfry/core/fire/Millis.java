package io.belfry.core.fire;

import java.time.Instant;

/**
 * The range and the resolution of instants in task ids: whole milliseconds of the years 0000 to 9999. Threading: stateless.
 */
final class Millis {
  static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private Millis() {}

  /** The first millisecond that is not before this instant. An instant outside the range gives the millisecond next to the range. */
  static long ceil(Instant at) {
    long floor = floor(at);
    boolean between = canNameTask(floor) && Instant.ofEpochMilli(floor).isBefore(at);
    return between ? floor + 1 : floor;
  }

  /** The last millisecond that is not after this instant; outside the range as above. */
  static long floor(Instant at) {
    if (at.isBefore(FIRST)) {
      return FIRST.toEpochMilli() - 1;
    }
    return at.isBefore(END) ? at.toEpochMilli() : END.toEpochMilli();
  }

  static boolean canNameTask(long millis) {
    return FIRST.toEpochMilli() <= millis && millis < END.toEpochMilli();
  }
}
