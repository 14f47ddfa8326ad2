package io.belfry.bench.store;

import io.belfry.model.time.Time;
import io.belfry.store.Space;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Benchmarks commits of one record of 300 bytes by 64 callers with 1 or 32 outstanding commits each. Belfry and the raw engine are
 * measured alternately.
 */
public final class StoreBench {
  private static final int CALLERS = 64;
  private static final int[] OUTSTANDING = {1, 32};
  private static final int ROUNDS = 3;
  private static final Duration LENGTH = Duration.ofSeconds(4);

  private final Time time = Time.system();

  private StoreBench() {}

  public static void main(String[] arguments) throws Exception {
    List<String> engines =
        arguments.length == 0 ? List.of("embedded", "redis", "etcd") : Arrays.asList(arguments);
    System.out.println(
        "| engine | space | callers × outstanding | records/s | raw engine | share | goal |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (String engine : engines) {
      try (Subject subject = Subject.open(engine)) {
        new StoreBench().measure(subject);
      }
    }
  }

  private void measure(Subject subject) throws Exception {
    for (Space space : subject.spaces()) {
      for (int outstanding : OUTSTANDING) {
        row(subject, space, outstanding);
      }
    }
  }

  private void row(Subject subject, Space space, int outstanding) throws Exception {
    int total = CALLERS * outstanding;
    var ours = new ArrayList<Double>();
    var raws = new ArrayList<Double>();
    try (RawEngine raw = subject.raw(space)) {
      for (int round = 0; round <= ROUNDS; round++) {
        String run = outstanding + "-" + round;
        double our = new Callers(subject.store(), space, time, run).perSecond(total, LENGTH);
        double limit = raw.perSecond(total, LENGTH);
        if (round > 0) { // the first round warms both up
          ours.add(our);
          raws.add(limit);
        }
      }
    }
    double our = median(ours);
    double limit = median(raws);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %d × %d | %,.0f | %,.0f | %.0f %% | %,d |%n",
        subject.name(),
        space.ordered() ? "ordered, watched" : "plain",
        CALLERS,
        outstanding,
        our,
        limit,
        100 * our / limit,
        subject.goal(space));
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    return values.get(values.size() / 2);
  }

  /** Waits for the length of the measurement; nothing signals its end. */
  static void waitFor(Time time, Duration length) {
    long end = time.nanos() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = end - time.nanos()) {
      LockSupport.parkNanos(left);
    }
  }
}
