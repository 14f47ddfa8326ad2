package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.job.Job;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.lang.management.ManagementFactory;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Benchmarks a failover with many cron jobs: the time until a new leader has loaded all of them, and their memory. */
public final class JobsBench {
  private JobsBench() {}

  public static void main(String[] words) throws Exception {
    BenchOptions asked = BenchOptions.of(
        words, List.of("embedded", "redis"), Map.of("jobs", 1_000_000, "rounds", 3));
    var sheet = new ResultTable(
        asked,
        "engine",
        "round",
        "jobs",
        "loaded after s",
        "jobs/s",
        "heap bytes/job",
        "CPU µs/job client",
        "engine");
    for (String engine : asked.engines()) {
      try (Subject subject = Subject.open(engine)) {
        sow(subject, asked.number("jobs"));
        for (int round = 1; round <= asked.number("rounds"); round++) {
          ResultTable.progress("%s: a new leader, round %d", engine, round);
          load(sheet, subject, round, asked.number("jobs"));
        }
      }
    }
    sheet.end();
  }

  private static void sow(Subject subject, int jobs) {
    var seed = new JobSeed(subject.store());
    int part = Math.max(1, jobs / 10);
    for (int from = 0; from < jobs; from += part) {
      ResultTable.progress("%s: writing jobs, %,d of %,d", subject.name(), from, jobs);
      seed.sow(from, Math.min(jobs, from + part), Time.system().wall(), JobsBench::job);
    }
  }

  /** The jobs fire on one day of the year that is not today, so that none is due during a run. */
  static Job job(int number) {
    var today = Time.system().wall().atZone(ZoneOffset.UTC).plusMonths(5);
    return Job.named("job-" + number)
        .cron(
            "%d %d %d %d %d *"
                .formatted(
                    number % 60,
                    number / 60 % 60,
                    number / 3600 % 24,
                    1 + number % 28,
                    today.getMonthValue()),
            ZoneOffset.UTC)
        .local("noop")
        .build();
  }

  private static void load(ResultTable sheet, Subject subject, int round, int jobs) {
    Store store = subject.another();
    long before = heap();
    var meter = new CpuMeter(subject);
    try (Node node = new Node(store, 1, task -> {})) {
      node.awaitLead(jobs);
      CpuMeter.Passed passed = meter.passed(jobs);
      sheet.row(
          subject.name(),
          round,
          jobs,
          passed.seconds(),
          passed.perSecond(),
          (double) (heap() - before) / jobs,
          passed.clientMicros(),
          passed.engineMicros());
    } finally {
      if (!store.equals(subject.store())) {
        store.close();
      }
    }
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }
}
