package io.belfry.tests.simulation;

import io.belfry.model.time.Time;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Runs a scenario over many seeds, or over the one that was asked for. */
final class Seeds {
  private Seeds() {}

  /** The seed of {@code ./belfry test --seed N}. */
  static Optional<Long> asked() {
    return Optional.ofNullable(System.getProperty("belfry.seed"))
        .filter(text -> !text.isEmpty())
        .map(Long::valueOf);
  }

  /** Every seed from {@code first} on, or only the asked one; prints how fast that was. */
  static void run(String name, long first, int count, LongConsumer scenario) {
    if (asked().isPresent()) {
      scenario.accept(asked().get());
      return;
    }
    Time time = Time.system();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = time.nanos();
    long cpuAtStart = threads.getCurrentThreadCpuTime();
    for (long seed = first; seed < first + count; seed++) {
      scenario.accept(seed);
    }
    double seconds = (time.nanos() - start) / 1e9;
    double cpu = (threads.getCurrentThreadCpuTime() - cpuAtStart) / 1e9;
    System.out.printf(
        "%s: %d seeds in %.1f s, %.0f seeds/s, %.0f seeds per second of CPU%n",
        name, count, seconds, count / seconds, count / cpu);
  }

  /** The first violation among so many seeds. */
  static Optional<Violation> firstViolation(long first, int count, LongConsumer scenario) {
    for (long seed = first; seed < first + count; seed++) {
      try {
        scenario.accept(seed);
      } catch (Violation e) {
        return Optional.of(e);
      }
    }
    return Optional.empty();
  }
}
