package io.belfry.simulation;

import io.belfry.model.time.Time;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Runs a scenario over many seeds, or over the one that was asked for. Seeds are shared out among as many threads as there are cores; the
 * world of a seed never leaves its thread.
 */
final class Seeds {
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final long TELL_EVERY = 15_000_000_000L;
  /** After so many violations the rest would tell nothing new. */
  private static final int VIOLATIONS_MAX = 10;

  private static final AtomicLong ALL_DONE = new AtomicLong();
  private static final AtomicLong ALL_VIOLATIONS = new AtomicLong();

  private Seeds() {}

  /** What all runs of this process came to, in one line. */
  static void tellTotals() {
    System.out.printf("in all: %d seeds, %d violations%n", ALL_DONE.get(), ALL_VIOLATIONS.get());
  }

  /** The seed of {@code ./belfry test --seed N}. */
  static Optional<Long> asked() {
    return Optional.ofNullable(System.getProperty("belfry.seed"))
        .filter(text -> !text.isEmpty())
        .map(Long::valueOf);
  }

  /** How many seeds {@code ./belfry test --seeds N} asks for. */
  static int count(int otherwise) {
    String text = System.getProperty("belfry.seeds", "");
    return text.isEmpty() ? otherwise : Integer.parseInt(text);
  }

  /** Every seed from {@code first} on, or only the asked one; tells how far it is, and in the end what came of it. */
  static void run(String name, long first, int count, LongConsumer scenario) {
    if (asked().isPresent()) {
      scenario.accept(asked().get());
      return;
    }
    List<AssertionError> violations = new Progress(name, first, count).run(scenario);
    if (!violations.isEmpty()) {
      AssertionError shown = violations.getFirst();
      violations.stream().skip(1).forEach(shown::addSuppressed);
      throw shown;
    }
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

  /** Threading: safe. */
  private static final class Progress {
    private final String name;
    private final long first;
    private final int count;
    private final Time time = Time.system();
    private final long start = time.nanos();
    private final AtomicLong given = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong tellAt = new AtomicLong(start + TELL_EVERY);
    private final List<AssertionError> violations = Collections.synchronizedList(new ArrayList<>());

    Progress(String name, long first, int count) {
      this.name = name;
      this.first = first;
      this.count = count;
    }

    List<AssertionError> run(LongConsumer scenario) {
      int threads = Math.min(THREADS, count);
      try (var pool = Executors.newFixedThreadPool(Math.max(1, threads))) {
        for (int i = 0; i < threads; i++) {
          pool.execute(() -> work(scenario));
        }
      }
      tell("");
      ALL_DONE.addAndGet(done.get());
      ALL_VIOLATIONS.addAndGet(violations.size());
      return violations;
    }

    private void work(LongConsumer scenario) {
      for (long next = given.getAndIncrement();
          next < count && violations.size() < VIOLATIONS_MAX;
          next = given.getAndIncrement()) {
        one(first + next, scenario);
        done.incrementAndGet();
        long due = tellAt.get();
        if (time.nanos() - due > 0 && tellAt.compareAndSet(due, due + TELL_EVERY)) {
          tell(" so far");
        }
      }
    }

    private void one(long seed, LongConsumer scenario) {
      try {
        scenario.accept(seed);
      } catch (AssertionError e) {
        violations.add(e);
        System.out.println(name + ", seed " + seed + ": "
            + String.valueOf(e.getMessage()).lines().limit(2).toList());
      } catch (RuntimeException e) {
        violations.add(new AssertionError(name + ", seed " + seed + " threw " + e, e));
        System.out.println(name + ", seed " + seed + ": threw " + e
            + "; to see it again, run this test with --seed " + seed);
      }
    }

    private void tell(String when) {
      double seconds = (time.nanos() - start) / 1e9;
      System.out.printf(
          "%s: %d of %d seeds%s in %.1f s, %.1f seeds/s, %d violations%n",
          name, done.get(), count, when, seconds, done.get() / seconds, violations.size());
    }
  }
}
