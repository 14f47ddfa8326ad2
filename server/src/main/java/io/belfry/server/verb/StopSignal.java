package io.belfry.server.verb;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * That somebody wants the program to end: Ctrl-C, or the system. The JVM then waits until this is closed, so that what is open can be
 * closed before.
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

  /** Waits for it. */
  public void await() throws InterruptedException {
    asked.await();
  }

  /** The same, but not longer than that; whether somebody has asked. */
  boolean await(Duration patience) throws InterruptedException {
    return asked.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Lets the JVM end. */
  @Override
  public void close() {
    stopped.countDown();
  }
}
