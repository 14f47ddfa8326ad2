package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures whether the cost of a task depends on the number of jobs and workers. Every figure is a median. */
public final class FlatBench {
  private static final List<Integer> JOBS = List.of(1_000, 10_000, 100_000, 1_000_000);
  private static final List<Integer> WORKERS = List.of(1, 10, 100);

  private FlatBench() {}

  public static void main(String[] words) throws Exception {
    BenchOptions asked = BenchOptions.of(
        words,
        TaskBench.ENGINES,
        Map.of("tasks", 50_000, "rounds", 5, "warm-up", 600_000, "jobs-max", 1_000_000));
    var sheet = new ResultTable(
        asked,
        "engine",
        "jobs",
        "workers",
        "tasks/s",
        "CPU µs/task client",
        "engine",
        "together",
        "relative to the first row");
    for (String engine : asked.engines()) {
      byJobs(engine, asked, sheet);
      byWorkers(engine, asked, sheet);
    }
    sheet.end();
  }

  private static void byJobs(String engine, BenchOptions asked, ResultTable sheet)
      throws Exception {
    double first = 0;
    int sown = 0;
    try (Subject subject = Subject.open(engine);
        Node node = new Node(subject.store(), 1, task -> {})) {
      node.open();
      node.flow(asked.number("warm-up"), Node.CAPACITY);
      for (int jobs : JOBS) {
        if (jobs <= asked.number("jobs-max")) {
          ResultTable.progress("%s: %,d jobs", engine, jobs);
          new JobSeed(subject.store()).sow(sown, jobs, Time.system().wall(), JobsBench::job);
          sown = jobs;
          node.awaitLead(jobs);
          first = measure(sheet, subject, node, jobs, 1, first, asked);
        }
      }
    }
  }

  private static void byWorkers(String engine, BenchOptions asked, ResultTable sheet)
      throws Exception {
    double first = 0;
    for (int workers : WORKERS) {
      ResultTable.progress("%s: %d workers", engine, workers);
      try (Subject subject = Subject.open(engine);
          Node node = new Node(subject.store(), workers, task -> {})) {
        node.open();
        node.flow(asked.number("warm-up") / 3, Node.CAPACITY);
        first = measure(sheet, subject, node, 0, workers, first, asked);
      }
    }
  }

  private static double measure(
      ResultTable sheet,
      Subject subject,
      Node node,
      int jobs,
      int workers,
      double first,
      BenchOptions asked)
      throws InterruptedException {
    new CpuMeter(subject).awaitRest();
    var rounds = new ArrayList<CpuMeter.Passed>();
    for (int i = 0; i < asked.number("rounds"); i++) {
      var meter = new CpuMeter(subject);
      node.flow(asked.number("tasks"), Node.CAPACITY);
      rounds.add(meter.passed(asked.number("tasks")));
    }
    rounds.sort(java.util.Comparator.comparingDouble(CpuMeter.Passed::micros));
    CpuMeter.Passed median = rounds.get(rounds.size() / 2);
    double base = first == 0 ? median.micros() : first;
    sheet.row(
        subject.name(),
        jobs,
        workers,
        median.perSecond(),
        median.clientMicros(),
        median.engineMicros(),
        median.micros(),
        median.micros() / base);
    return base;
  }
}
