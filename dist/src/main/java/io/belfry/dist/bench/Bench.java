package io.belfry.dist.bench;

import io.belfry.cli.verb.Complaint;
import io.belfry.cli.verb.Surroundings.Waiting;
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
 * One node with work that does nothing: first as much as it can do, then a steady rate.
 *
 * <p>Threading: confined to its verb; what the handlers write is safe.
 */
final class Bench implements AutoCloseable {
  static final int TASKS_MAX = 2_000_000;
  private static final int LOT = 500;
  private static final int AWAY_MAX = 2_000;
  private static final Duration BREATH = Duration.ofMillis(5);
  private static final Duration LEAD = Duration.ofSeconds(30);
  private static final Duration AHEAD = Duration.ofSeconds(2);
  private static final long SECOND = 1_000_000_000L;

  private final Time time;
  private final Waiting waiting;
  private final AtomicLong ran = new AtomicLong();
  private final ConcurrentLinkedQueue<Long> late = new ConcurrentLinkedQueue<>();
  private final Belfry belfry;

  Bench(Place place, Time time, Waiting waiting) {
    this.time = time;
    this.waiting = waiting;
    this.belfry = Belfry.open(
        Settings.defaults()
            .store(place.engine())
            .prefix(Place.PREFIX)
            .namespace(place.namespace())
            .stopPatience(Duration.ofSeconds(2)),
        node -> {
          node.handle("nothing", attempt -> ran.incrementAndGet());
          node.handle(
              "clock",
              attempt ->
                  late.add(Duration.between(attempt.scheduled(), time.wall()).toNanos()));
        });
  }

  void awaitLead() throws InterruptedException {
    long until = time.nanos() + LEAD.toNanos();
    while (!belfry.isLeader()) {
      require(
          until,
          "The node did not come to lead its own namespace within " + LEAD.toSeconds() + " s.");
      waiting.await(BREATH);
    }
  }

  /** How long so many tasks took, submitted as fast as they are done. */
  record Passed(long tasks, double seconds) {}

  /** Runs as many as it can for so long. */
  Passed throughput(int seconds, IntConsumer progress) throws InterruptedException {
    long begun = time.nanos();
    long before = ran.get();
    long submitted = 0;
    int told = 0;
    while (time.nanos() - begun < seconds * SECOND && submitted < TASKS_MAX) {
      if (submitted - (ran.get() - before) < AWAY_MAX) {
        submit(Collections.nCopies(LOT, Submission.local("nothing")));
        submitted += LOT;
      } else {
        waiting.await(BREATH);
      }
      told = tell(begun, seconds, told, progress);
    }
    long until = time.nanos() + LEAD.toNanos();
    while (ran.get() - before < submitted) {
      require(
          until,
          "Only " + (ran.get() - before) + " of " + submitted + " tasks were run within "
              + LEAD.toSeconds() + " s after the last was submitted.");
      waiting.await(BREATH);
    }
    return new Passed(submitted, (time.nanos() - begun) / (double) SECOND);
  }

  /** How late each of so many a second begins, in nanoseconds. */
  long[] lateness(int rate, int seconds, IntConsumer progress) throws InterruptedException {
    Instant first = time.wall().plus(AHEAD).plusSeconds(1);
    long begun = time.nanos();
    int told = 0;
    for (int second = 0; second < seconds; second++) {
      while (time.wall().isBefore(first.plusSeconds(second).minus(AHEAD))) {
        waiting.await(BREATH);
      }
      var lot = new ArrayList<Submission>();
      for (int i = 0; i < rate; i++) {
        lot.add(
            Submission.local("clock").at(first.plusSeconds(second).plusNanos(SECOND * i / rate)));
      }
      submit(lot);
      told = tell(begun, seconds, told, progress);
    }
    int all = rate * seconds;
    long until = time.nanos() + AHEAD.toNanos() + LEAD.toNanos();
    while (late.size() < all) {
      require(
          until,
          "Only " + late.size() + " of " + all + " tasks began within " + LEAD.toSeconds()
              + " s after the last was due. Try a lower --rate.");
      waiting.await(BREATH);
    }
    return late.stream().mapToLong(Long::longValue).toArray();
  }

  private int tell(long begun, int seconds, int told, IntConsumer progress) {
    int passed = (int) Math.min(seconds, (time.nanos() - begun) / SECOND);
    if (passed > told) {
      progress.accept(passed - told);
    }
    return passed;
  }

  private void submit(List<Submission> lot) {
    for (int from = 0; from < lot.size(); from += LOT) {
      for (Submitted each : belfry.submitAll(lot.subList(from, Math.min(lot.size(), from + LOT)))) {
        if (each instanceof Submitted.Refused refused) {
          throw new Complaint("A task was not taken in: " + refused.cause().getMessage());
        }
      }
    }
  }

  private void require(long until, String complaint) {
    if (time.nanos() > until) {
      throw new Complaint(complaint);
    }
    belfry.failure().ifPresent(cause -> {
      throw new Complaint("The node has stopped by itself: " + cause.getMessage(), cause);
    });
  }

  @Override
  public void close() {
    belfry.close();
  }
}
