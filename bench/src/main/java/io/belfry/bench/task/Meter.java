package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.time.Time;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.OptionalLong;

/** A stopwatch that also reads the CPU time of this process and of the engine's. */
final class Meter {
  private final Time time = Time.system();
  private final OptionalLong engine;
  private long wall;
  private long client;
  private long server;

  /** What passed between two readings. */
  record Passed(long tasks, double seconds, double clientMicros, double engineMicros) {
    double perSecond() {
      return tasks / seconds;
    }

    double micros() {
      return clientMicros + engineMicros;
    }
  }

  Meter(Subject subject) {
    engine = subject.engine();
    start();
  }

  void start() {
    wall = time.nanos();
    client = clientNanos();
    server = engineNanos();
  }

  /** CPU is told per task. */
  Passed passed(long tasks) {
    return new Passed(
        tasks,
        (time.nanos() - wall) / 1e9,
        (clientNanos() - client) / 1e3 / tasks,
        (engineNanos() - server) / 1e3 / tasks);
  }

  private static long clientNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  private long engineNanos() {
    return engine.stream()
        .mapToObj(ProcessHandle::of)
        .flatMap(found -> found.flatMap(process -> process.info().totalCpuDuration()).stream())
        .mapToLong(Duration::toNanos)
        .sum();
  }
}
