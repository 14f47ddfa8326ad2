package io.belfry.dist.bench;

import io.belfry.cli.verb.CliException;
import io.belfry.cli.verb.VerbContext.Sleeper;
import io.belfry.library.Belfry;
import io.belfry.library.Settings;
import io.belfry.library.Submission;
import io.belfry.library.Submitted;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Runs a node with tasks that do nothing: first at full load, then at a steady rate.
 *
 * <p>Threading: confined to its verb; handlers write thread-safe counters only.
 */
final class Bench implements AutoCloseable {
  static final int TASKS_MAX = 2_000_000;
  private static final int BATCH_MAX = 500;
  private static final int IN_FLIGHT_MAX = 2_000;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration SUBMIT_AHEAD = Duration.ofSeconds(2);
  private static final long SECOND = 1_000_000_000L;

  private final Time time;
  private final Sleeper sleeper;
  private final AtomicLong ran = new AtomicLong();
  private final ConcurrentLinkedQueue<Long> late = new ConcurrentLinkedQueue<>();
  private final Belfry belfry;

  Bench(BenchStore benchStore, Time time, Sleeper sleeper) {
    this.time = time;
    this.sleeper = sleeper;
    this.belfry = Belfry.open(
        Settings.defaults()
            .store(benchStore.engine())
            .prefix(BenchStore.PREFIX)
            .namespace(benchStore.namespace())
            .stopPatience(Duration.ofSeconds(2)),
        node -> {
          node.handle("nothing", attempt -> ran.incrementAndGet());
          node.handle(
              "clock",
              attempt ->
                  late.add(Duration.between(attempt.scheduled(), time.wall()).toNanos()));
        });
  }

  void awaitLeadership() throws InterruptedException {
    long deadline = time.nanos() + TIMEOUT.toNanos();
    while (!belfry.isLeader()) {
      requireBefore(
          deadline,
          "The node did not become leader of its namespace within " + TIMEOUT.toSeconds() + " s.");
      sleeper.sleep(POLL_INTERVAL);
    }
  }

  /** Number of tasks that ran, and the seconds that this took. */
  record Throughput(long tasks, double seconds) {}

  /** Runs tasks at full load for this time. */
  Throughput throughput(int seconds, IntConsumer progress) throws InterruptedException {
    long started = time.nanos();
    long before = ran.get();
    long submitted = 0;
    int reported = 0;
    while (time.nanos() - started < seconds * SECOND && submitted < TASKS_MAX) {
      if (submitted - (ran.get() - before) < IN_FLIGHT_MAX) {
        submit(Collections.nCopies(BATCH_MAX, Submission.local("nothing")));
        submitted += BATCH_MAX;
      } else {
        sleeper.sleep(POLL_INTERVAL);
      }
      reported = report(started, seconds, reported, progress);
    }
    long deadline = time.nanos() + TIMEOUT.toNanos();
    while (ran.get() - before < submitted) {
      requireBefore(
          deadline,
          "Only " + (ran.get() - before) + " of " + submitted + " tasks ran within "
              + TIMEOUT.toSeconds() + " s after the last was submitted.");
      sleeper.sleep(POLL_INTERVAL);
    }
    return new Throughput(submitted, (time.nanos() - started) / (double) SECOND);
  }

  /** Runs tasks at a steady rate and returns the start latency of each, in nanoseconds. */
  long[] lateness(int rate, int seconds, IntConsumer progress) throws InterruptedException {
    Instant first = time.wall().plus(SUBMIT_AHEAD).plusSeconds(1);
    long started = time.nanos();
    int reported = 0;
    for (int second = 0; second < seconds; second++) {
      while (time.wall().isBefore(first.plusSeconds(second).minus(SUBMIT_AHEAD))) {
        sleeper.sleep(POLL_INTERVAL);
      }
      var batch = new ArrayList<Submission>();
      for (int i = 0; i < rate; i++) {
        batch.add(
            Submission.local("clock").at(first.plusSeconds(second).plusNanos(SECOND * i / rate)));
      }
      submit(batch);
      reported = report(started, seconds, reported, progress);
    }
    int all = rate * seconds;
    long deadline = time.nanos() + SUBMIT_AHEAD.toNanos() + TIMEOUT.toNanos();
    while (late.size() < all) {
      requireBefore(
          deadline,
          "Only " + late.size() + " of " + all + " tasks started within " + TIMEOUT.toSeconds()
              + " s after the last was due. Try a lower --rate.");
      sleeper.sleep(POLL_INTERVAL);
    }
    return late.stream().mapToLong(Long::longValue).toArray();
  }

  private int report(long started, int seconds, int reported, IntConsumer progress) {
    int passed = (int) Math.min(seconds, (time.nanos() - started) / SECOND);
    if (passed > reported) {
      progress.accept(passed - reported);
    }
    return passed;
  }

  private void submit(List<Submission> batch) {
    for (int from = 0; from < batch.size(); from += BATCH_MAX) {
      for (Submitted each :
          belfry.submitAll(batch.subList(from, Math.min(batch.size(), from + BATCH_MAX)))) {
        if (each instanceof Submitted.Refused refused) {
          throw new CliException("A task was refused: " + refused.cause().getMessage());
        }
      }
    }
  }

  private void requireBefore(long deadline, String message) {
    if (time.nanos() > deadline) {
      throw new CliException(message);
    }
    belfry.failure().ifPresent(cause -> {
      throw new CliException("The node stopped: " + cause.getMessage(), cause);
    });
  }

  @Override
  public void close() {
    belfry.close();
  }
}
