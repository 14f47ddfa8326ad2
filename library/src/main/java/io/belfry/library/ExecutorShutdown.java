package io.belfry.library;

import io.belfry.core.execute.Executor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes all executors concurrently, each on its own thread, so that one that hangs or throws delays neither the others nor the process.
 *
 * <p>Threading: stateless.
 */
final class ExecutorShutdown {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private ExecutorShutdown() {}

  static void close(List<Executor> executors, Duration patience) throws InterruptedException {
    List<Thread> closing = new ArrayList<>();
    for (Executor executor : executors) {
      closing.add(Thread.ofVirtual().name("belfry-close").start(() -> close(executor)));
    }
    for (int i = 0; i < closing.size(); i++) {
      if (!closing.get(i).join(patience)) {
        LOG.warn(
            "Executor {} did not close within {}; its resources are released when the process exits.",
            executors.get(i).type(),
            patience);
      }
    }
  }

  private static void close(Executor executor) {
    try {
      executor.close();
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "Executor {} failed to close; its resources are released when the process exits.",
          executor.type(),
          e);
    }
  }
}
