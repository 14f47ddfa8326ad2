package io.belfry.library;

import io.belfry.core.execute.Executor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes executors, all at once, each on a thread of its own: one that hangs or throws keeps neither the others nor the process.
 *
 * <p>Threading: stateless.
 */
final class ExecutorsEnd {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  private ExecutorsEnd() {}

  static void close(List<Executor> executors, Duration patience) throws InterruptedException {
    List<Thread> closing = new ArrayList<>();
    for (Executor executor : executors) {
      closing.add(Thread.ofVirtual().name("belfry-close").start(() -> close(executor)));
    }
    for (int i = 0; i < closing.size(); i++) {
      if (!closing.get(i).join(patience)) {
        LOG.warn(
            "Executor {} did not close within {}; what it keeps open ends with the process.",
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
          "Executor {} threw when it was closed; what it keeps open ends with the process.",
          executor.type(),
          e);
    }
  }
}
