package io.belfry.library;

import io.belfry.core.record.WorkerRecord;
import java.lang.management.ManagementFactory;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Measures the load of this machine: CPU, heap, network and executor connections. Threading: confined to the worker's loop. */
final class MachineLoad implements Supplier<WorkerRecord.Load> {
  private final com.sun.management.OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
  private final Runtime runtime = Runtime.getRuntime();
  private final NetworkLoad network;
  private final IntSupplier connections;

  MachineLoad(NetworkLoad network, IntSupplier connections) {
    this.network = network;
    this.connections = connections;
  }

  @Override
  public WorkerRecord.Load get() {
    long used = runtime.totalMemory() - runtime.freeMemory();
    return new WorkerRecord.Load(
        share(system.getCpuLoad()),
        share(used / (double) runtime.maxMemory()),
        network.bytesPerSecond(),
        connections.getAsInt());
  }

  /** The system returns NaN or a negative number if the value is not available. */
  private static double share(double value) {
    return value > 0 ? Math.min(1, value) : 0;
  }
}
