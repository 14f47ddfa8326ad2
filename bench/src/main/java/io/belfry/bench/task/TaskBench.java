package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.time.Time;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * Durable no-op tasks, end to end: first all are submitted, then all are run, each exactly once; scheduler and worker in one process.
 * Several rounds, because the first ones warm up.
 */
public final class TaskBench {
  private static final int TASKS = Integer.getInteger("tasks", 200_000);
  private static final int ROUNDS = Integer.getInteger("rounds", 3);

  private TaskBench() {}

  public static void main(String[] arguments) throws Exception {
    List<String> engines =
        arguments.length == 0 ? List.of("embedded", "redis", "etcd") : Arrays.asList(arguments);
    System.out.println(
        "| engine | round | submitted/s | run/s | end to end/s | CPU µs per task, this process |");
    System.out.println("|---|---|---|---|---|---|");
    for (String engine : engines) {
      try (Subject subject = Subject.open(engine);
          Node node = new Node(subject.store())) {
        for (int round = 1; round <= ROUNDS; round++) {
          row(engine, round, node);
        }
      }
    }
  }

  private static void row(String engine, int round, Node node) {
    Time time = Time.system();
    long cpu = cpuNanos();
    long start = time.nanos();
    node.submit(TASKS);
    long submitted = time.nanos();
    node.run(TASKS);
    long ran = time.nanos();
    System.out.printf(
        "| %s | %d | %,.0f | %,.0f | %,.0f | %.1f |%n",
        engine,
        round,
        perSecond(submitted - start),
        perSecond(ran - submitted),
        perSecond(ran - start),
        (cpuNanos() - cpu) / 1000.0 / TASKS);
  }

  private static double perSecond(long nanos) {
    return TASKS / (nanos / 1e9);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
