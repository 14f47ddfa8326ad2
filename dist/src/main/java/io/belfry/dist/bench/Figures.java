package io.belfry.dist.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What was measured. Threading: immutable.
 *
 * @param seconds how long the tasks of the throughput took
 * @param late of each start, in nanoseconds, ascending
 */
record Figures(long tasks, double seconds, int rate, long[] late) {
  private static final double NANOS_IN_MILLI = 1e6;
  private static final double[] STEPS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

  /** Sorts what it is given. */
  static Figures of(long tasks, double seconds, int rate, long[] late) {
    long[] sorted = late.clone();
    Arrays.sort(sorted);
    return new Figures(tasks, seconds, rate, sorted);
  }

  double perSecond() {
    return tasks / seconds;
  }

  /** The lateness that this share of all starts did not exceed, in milliseconds. */
  double millis(double share) {
    int index = (int) Math.ceil(share * late.length) - 1;
    return late[Math.clamp(index, 0, late.length - 1)] / NANOS_IN_MILLI;
  }

  /** A class of lateness: how many were below so many milliseconds, and not below the class before. */
  record Bar(String label, long count) {}

  /** From the earliest to the latest class in which there is anything. */
  List<Bar> bars() {
    var bars = new ArrayList<Bar>();
    int from = 0;
    for (double step : STEPS) {
      int until = from;
      while (until < late.length && late[until] < step * NANOS_IN_MILLI) {
        until++;
      }
      if (until > from || (!bars.isEmpty() && until < late.length)) {
        bars.add(new Bar("< " + (long) step + " ms", until - from));
      }
      from = until;
    }
    if (from < late.length) {
      bars.add(new Bar("longer", late.length - from));
    }
    return bars;
  }
}
