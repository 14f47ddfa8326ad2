package io.belfry.core.loop;

import java.time.Duration;

/**
 * A timer whose step takes its place in the mailbox when it rings, and can be canceled until it runs.
 *
 * <p>Threading: confined to its loop.
 */
final class Timeout implements Loop.Timer {
  private final Loop.Timer ringing;
  private final Runnable step;
  private boolean canceled;

  Timeout(Loop loop, Duration delay, Runnable step) {
    this.step = step;
    this.ringing = loop.after(delay, () -> loop.post(this::run));
  }

  private void run() {
    if (!canceled) {
      step.run();
    }
  }

  @Override
  public void cancel() {
    canceled = true;
    ringing.cancel();
  }
}
