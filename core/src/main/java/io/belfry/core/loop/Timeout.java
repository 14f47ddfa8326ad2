package io.belfry.core.loop;

import java.time.Duration;

/**
 * A timer that, when it expires, posts its step to the mailbox, and can be canceled until the step runs.
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
