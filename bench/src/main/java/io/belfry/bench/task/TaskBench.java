package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import java.util.List;
import java.util.Map;

/**
 * Durable no-op tasks, end to end, scheduler and worker in one process: <em>batch</em> submits all and then runs all, each exactly
 * once; <em>flow</em> submits while it runs. Several rounds, because the first ones warm up.
 */
public final class TaskBench {
  static final List<String> ENGINES = List.of("embedded", "redis", "etcd");

  /** The goal in tasks per second on two cores, which limits the CPU time of a task, including that of the engine. */
  private static final Map<String, Integer> GOALS =
      Map.of("embedded", 50_000, "redis", 20_000, "etcd", 8_000);

  private static final double CORES = 2;

  private TaskBench() {}

  public static void main(String[] words) throws Exception {
    BenchOptions asked =
        BenchOptions.of(words, ENGINES, Map.of("tasks", 100_000, "rounds", 4, "flow", 5_000));
    var sheet = new ResultTable(
        asked,
        "engine",
        "round",
        "kind",
        "tasks/s",
        "submitted/s",
        "run/s",
        "CPU µs/task client",
        "engine",
        "together",
        "goal",
        "share of goal by CPU");
    for (String engine : asked.engines()) {
      try (Subject subject = Subject.open(engine);
          Node node = new Node(subject.store(), 1, task -> {})) {
        for (int round = 1; round <= asked.number("rounds"); round++) {
          ResultTable.progress("%s, round %d of %d", engine, round, asked.number("rounds"));
          batch(sheet, subject, node, round, asked.number("tasks"));
          flow(sheet, subject, node, round, asked);
        }
      }
    }
    sheet.end();
  }

  private static void batch(ResultTable sheet, Subject subject, Node node, int round, int tasks) {
    node.shut();
    var all = new CpuMeter(subject);
    node.submit(tasks, node::task);
    double submitted = all.passed(tasks).perSecond();
    var run = new CpuMeter(subject);
    node.open();
    node.await(tasks);
    row(
        sheet,
        subject,
        round,
        "batch",
        all.passed(tasks),
        submitted,
        run.passed(tasks).perSecond());
  }

  private static void flow(
      ResultTable sheet, Subject subject, Node node, int round, BenchOptions asked) {
    var meter = new CpuMeter(subject);
    node.flow(asked.number("tasks"), asked.number("flow"));
    CpuMeter.Passed passed = meter.passed(asked.number("tasks"));
    row(sheet, subject, round, "flow", passed, passed.perSecond(), passed.perSecond());
  }

  private static void row(
      ResultTable sheet,
      Subject subject,
      int round,
      String kind,
      CpuMeter.Passed passed,
      double submitted,
      double run) {
    int goal = GOALS.getOrDefault(subject.name(), 1);
    sheet.row(
        subject.name(),
        round,
        kind,
        passed.perSecond(),
        submitted,
        run,
        passed.clientMicros(),
        passed.engineMicros(),
        passed.micros(),
        goal,
        CORES * 1e6 / goal / passed.micros());
  }
}
