package io.belfry.dist.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The measurements of a bench. Threading: immutable.
 *
 * @param seconds duration of the throughput measurement
 * @param late start latencies in nanoseconds, ascending
 */
record BenchResult(long tasks, double seconds, int rate, long[] late) {
  private static final double NANOS_IN_MILLI = 1e6;
  private static final double[] STEPS = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

  /** Creates the result; sorts the latencies. */
  static BenchResult of(long tasks, double seconds, int rate, long[] late) {
    long[] sorted = late.clone();
    Arrays.sort(sorted);
    return new BenchResult(tasks, seconds, rate, sorted);
  }

  double perSecond() {
    return tasks / seconds;
  }

  /** The percentile of the start latency in milliseconds, for a share such as 0.99. */
  double millis(double share) {
    int index = (int) Math.ceil(share * late.length) - 1;
    return late[Math.clamp(index, 0, late.length - 1)] / NANOS_IN_MILLI;
  }

  /** A histogram bucket: the number of starts below this limit and not below the previous one. */
  record Bar(String label, long count) {}

  /** The buckets from the first to the last that is not empty. */
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
