package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.job.Job;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Benchmarks a thundering herd: many tasks or one-time jobs that are due within one second. All must run, each once, the urgent ones
 * first. The heap after a garbage collection shows whether memory is bounded.
 *
 * <p><em>Out of order</em> counts starts while more tasks of higher priority were waiting than the workers have capacity: fewer may
 * already be on their way to a worker.
 */
public final class HerdBench {
  private static final Priority[] PRIORITIES = Priority.values();
  private static final int LEAD_SECONDS = 3;

  private record Start(Priority priority, Instant due, Instant at) {}

  private final ConcurrentLinkedQueue<Start> starts = new ConcurrentLinkedQueue<>();

  private HerdBench() {}

  public static void main(String[] words) throws Exception {
    BenchOptions asked =
        BenchOptions.of(words, TaskBench.ENGINES, Map.of("herd", 100_000, "rounds", 2));
    var sheet = new ResultTable(
        asked,
        "engine",
        "kind",
        "herd",
        "drained after s",
        "tasks/s",
        "lost",
        "early",
        "out of order",
        "heap MB after a collection, most",
        "CPU µs/task client",
        "engine");
    for (String engine : asked.engines()) {
      for (int round = 0; round < asked.number("rounds"); round++) {
        for (String kind : List.of("tasks", "jobs")) {
          new HerdBench().measure(engine, kind, asked.number("herd"), sheet);
        }
      }
    }
    sheet.end();
  }

  private void measure(String engine, String kind, int herd, ResultTable sheet) throws Exception {
    try (Subject subject = Subject.open(engine);
        Node node = new Node(subject.store(), 1, this::began)) {
      node.awaitLead(0);
      ResultTable.progress("%s: warming up", engine);
      node.open();
      node.flow(herd / 2, Node.CAPACITY);
      starts.clear();
      node.shut();
      ResultTable.progress("%s: writing %,d %s", engine, herd, kind);
      Instant due = gather(subject, node, kind, herd);
      ResultTable.progress("%s: due at %s", engine, due);
      awaitInstant(node, due.plusSeconds(1));
      resetPeaks();
      var meter = new CpuMeter(subject);
      node.open();
      node.await(herd);
      CpuMeter.Passed passed = meter.passed(herd);
      sheet.row(
          engine,
          kind,
          herd,
          passed.seconds(),
          passed.perSecond(),
          herd - starts.size(),
          starts.stream().filter(start -> start.at.isBefore(start.due)).count(),
          outOfOrder(herd),
          peakMegabytes(),
          passed.clientMicros(),
          passed.engineMicros());
    }
  }

  private void began(Task task) {
    starts.add(new Start(task.priority(), task.scheduled(), Time.system().wall()));
  }

  private static Instant gather(Subject subject, Node node, String kind, int herd) {
    Instant now = node.time().wall();
    Instant due = now.plusSeconds(LEAD_SECONDS + herd / 5_000);
    if (kind.equals("jobs")) {
      new JobSeed(subject.store())
          .sow(
              0,
              herd,
              now,
              i -> Job.named("herd-" + i)
                  .at(within(due, i, herd))
                  .priority(PRIORITIES[i % PRIORITIES.length])
                  .local("noop")
                  .build());
    } else {
      node.submit(herd, i -> node.task(within(due, i, herd), PRIORITIES[i % PRIORITIES.length]));
    }
    return due;
  }

  private static Instant within(Instant second, int number, int of) {
    return second.plusMillis(1000L * number / of);
  }

  private static void awaitInstant(Node node, Instant at) {
    Duration left = Duration.between(node.time().wall(), at);
    while (left.isPositive()) {
      java.util.concurrent.locks.LockSupport.parkNanos(left.toNanos());
      left = Duration.between(node.time().wall(), at);
    }
  }

  private long outOfOrder(int herd) {
    int[] waiting = new int[PRIORITIES.length];
    java.util.Arrays.fill(waiting, herd / PRIORITIES.length);
    long wrong = 0;
    for (Start start : starts) {
      int higher = 0;
      for (Priority each : PRIORITIES) {
        higher += each.compareTo(start.priority) > 0 ? waiting[place(each)] : 0;
      }
      wrong += higher > Node.CAPACITY ? 1 : 0;
      waiting[place(start.priority)]--;
    }
    return wrong;
  }

  private static int place(Priority priority) {
    return List.of(PRIORITIES).indexOf(priority);
  }

  private static List<MemoryPoolMXBean> pools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getName().contains("Old"))
        .toList();
  }

  private static void resetPeaks() {
    ManagementFactory.getMemoryMXBean().gc();
    pools().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long peakMegabytes() {
    return pools().stream()
        .mapToLong(pool -> pool.getPeakUsage().getUsed() >> 20)
        .sum();
  }
}
