package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.task.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Measures the lateness of starts: one job for each fire per second, evenly spread over the second. Each start is compared with its due
 * instant; the first seconds are warm-up.
 */
public final class LatenessBench {
  private static final int MILLION = 1_000_000;

  private record Start(Instant due, long nanos) {}

  private final ConcurrentLinkedQueue<Start> starts = new ConcurrentLinkedQueue<>();

  private LatenessBench() {}

  public static void main(String[] words) throws Exception {
    BenchOptions asked = BenchOptions.of(
        words, TaskBench.ENGINES, Map.of("rate", 1_000, "warm-up", 10, "seconds", 20));
    var sheet = new ResultTable(
        asked,
        "engine",
        "fires/s",
        "fires",
        "missing",
        "min ms",
        "p50 ms",
        "p99 ms",
        "max ms",
        "CPU µs/fire client",
        "engine");
    for (String engine : asked.engines()) {
      new LatenessBench().measure(engine, asked, sheet);
    }
    sheet.end();
  }

  private void measure(String engine, BenchOptions asked, ResultTable sheet) throws Exception {
    int rate = asked.number("rate");
    try (Subject subject = Subject.open(engine);
        Node node = new Node(subject.store(), 1, this::began)) {
      node.awaitLead(0);
      Instant now = node.time().wall();
      Instant first = now.truncatedTo(java.time.temporal.ChronoUnit.SECONDS).plusSeconds(3);
      new JobSeed(subject.store())
          .sow(
              0,
              rate,
              now,
              i -> Job.named("late-" + i)
                  .trigger(new Trigger.Every(
                      Duration.ofSeconds(1),
                      Trigger.Every.From.START,
                      Window.ALWAYS.from(first.plusMillis(1000L * i / rate))))
                  .local("noop")
                  .build());
      node.open();
      ResultTable.progress("%s: warming up for %d s", engine, asked.number("warm-up"));
      node.await(rate * asked.number("warm-up"));
      Instant from =
          node.time().wall().plusSeconds(1).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
      Instant until = from.plusSeconds(asked.number("seconds"));
      ResultTable.progress("%s: measuring for %d s", engine, asked.number("seconds"));
      var meter = new CpuMeter(subject);
      node.await(rate * asked.number("seconds") + rate + rate);
      CpuMeter.Passed passed = meter.passed((long) rate * (asked.number("seconds") + 2));
      long[] late = starts.stream()
          .filter(start -> !start.due.isBefore(from) && start.due.isBefore(until))
          .mapToLong(start -> start.nanos)
          .sorted()
          .toArray();
      int expected = rate * asked.number("seconds");
      sheet.row(
          engine,
          rate,
          late.length,
          expected - late.length,
          at(late, 0),
          at(late, 0.5),
          at(late, 0.99),
          at(late, 1),
          passed.clientMicros(),
          passed.engineMicros());
      requireNoneEarly(late);
    }
  }

  private void began(Task task) {
    Instant now = io.belfry.model.time.Time.system().wall();
    starts.add(
        new Start(task.scheduled(), Duration.between(task.scheduled(), now).toNanos()));
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1L, (long) (share * sorted.length))]
        / (double) MILLION;
  }

  private static void requireNoneEarly(long[] late) {
    long early = Arrays.stream(late).filter(nanos -> nanos < 0).count();
    if (early > 0) {
      throw new IllegalStateException(
          early + " of " + late.length + " tasks started before they were due.");
    }
  }
}
