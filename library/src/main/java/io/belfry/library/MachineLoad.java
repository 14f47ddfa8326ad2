package io.belfry.library;

import io.belfry.core.execute.Executor;
import io.belfry.core.record.WorkerRecord;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How busy this machine is, as the JVM, the system and the executors can tell. Threading: confined to the worker's loop. */
final class MachineLoad implements Supplier<WorkerRecord.Load> {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private final com.sun.management.OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
  private final Runtime runtime = Runtime.getRuntime();
  private final NetworkLoad network;
  private final List<Executor> executors;
  private boolean warned;

  MachineLoad(NetworkLoad network, List<Executor> executors) {
    this.network = network;
    this.executors = executors;
  }

  @Override
  public WorkerRecord.Load get() {
    long used = runtime.totalMemory() - runtime.freeMemory();
    return new WorkerRecord.Load(
        share(system.getCpuLoad()),
        share(used / (double) runtime.maxMemory()),
        network.bytesPerSecond(),
        connections());
  }

  /** Executors are other people's code: what they throw must not end the worker. */
  private int connections() {
    long sum = 0;
    for (Executor executor : executors) {
      try {
        sum += Math.max(0, executor.connections());
      } catch (RuntimeException e) {
        if (!warned) {
          warned = true;
          LOG.warn("Executor {} cannot count its connections; it counts as 0.", executor.type(), e);
        }
      }
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  /** The system says NaN or a negative number when it cannot tell. */
  private static double share(double value) {
    return value > 0 ? Math.min(1, value) : 0;
  }
}
