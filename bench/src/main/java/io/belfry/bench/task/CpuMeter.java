package io.belfry.bench.task;

import io.belfry.bench.store.Subject;
import io.belfry.model.time.Time;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** A stopwatch that also measures the CPU time of this process and of the engine process. */
final class CpuMeter {
  /** Idle load: the share of a processor that heartbeats and similar work take. */
  private static final double AT_REST = 0.15;

  private static final int REST_LOOKS_MAX = 90;

  private final Time time = Time.system();
  private final OptionalLong engine;
  private long wall;
  private long client;
  private long server;

  /** The differences between two readings. */
  record Passed(long tasks, double seconds, double clientMicros, double engineMicros) {
    double perSecond() {
      return tasks / seconds;
    }

    double micros() {
      return clientMicros + engineMicros;
    }
  }

  CpuMeter(Subject subject) {
    engine = subject.engine();
    start();
  }

  void start() {
    wall = time.nanos();
    client = clientNanos();
    server = engineNanos();
  }

  /**
   * Waits until this process and the engine are idle, with a time limit: engines compact data for some time after writes, and that cost
   * would be attributed to the next measurement.
   */
  void awaitRest() throws InterruptedException {
    double busy;
    int looks = 0;
    do {
      start();
      TimeUnit.SECONDS.sleep(1);
      busy = passed(1).micros() / passed(1).seconds() / 1e6;
      looks++;
    } while (busy > AT_REST && looks < REST_LOOKS_MAX);
    if (busy > AT_REST) {
      ResultTable.progress("still busy after %d s: %.0f %% of a processor", looks, 100 * busy);
    }
  }

  /** The readings so far, with CPU time per task. */
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
