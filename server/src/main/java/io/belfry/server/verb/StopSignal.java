package io.belfry.server.verb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The stop signal of the process: Ctrl-C or SIGTERM. The JVM then waits until this is closed, so that the program can shut down gracefully.
 *
 * <p>Threading: safe.
 */
public final class StopSignal implements AutoCloseable {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  private StopSignal() {}

  public static StopSignal listen() {
    var signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::pass, "belfry-stop"));
    return signal;
  }

  private void pass() {
    asked.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the signal. */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** Waits for the signal with a timeout; returns whether it was received. */
  boolean await(Duration patience) throws InterruptedException {
    return asked.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Lets the JVM exit. */
  @Override
  public void close() {
    stopped.countDown();
  }
}
