package io.belfry.simulation;

import io.belfry.core.loop.Loop;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A loop whose steps are steps of the world, each a little later than asked, never in another order; a loop that was held up looks at its
 * timers first, as one on a thread does.
 *
 * <p>Threading: confined to its world.
 */
final class SimLoop implements Loop {
  /** A mailbox is usually quick. */
  private static final int LAG_NANOS = 200_000;
  /** Once in a while the machine is busy. */
  private static final int LONG_LAG_NANOS = 20_000_000;

  private final SimNode node;
  private final World world;
  private long lastPosted;

  SimLoop(SimNode node) {
    this.node = node;
    this.world = node.world();
  }

  @Override
  public Time time() {
    return node.time();
  }

  @Override
  public RandomGenerator random() {
    return node.random();
  }

  /** A step that takes long may post when it has come so far; what others post meanwhile comes before that. */
  @Override
  public void post(Runnable step) {
    if (node.now() == world.now()) {
      postNow(step);
    } else {
      world.at(node.now(), () -> postNow(step));
    }
  }

  private void postNow(Runnable step) {
    lastPosted = Math.max(lastPosted, world.now() + lag());
    world.at(lastPosted, () -> node.arrive(step));
  }

  @Override
  public Timer after(Duration delay, Runnable step) {
    var timer = new SimTimer(step);
    long due = node.now() + node.time().worldNanos(delay.toNanos()) + lag();
    world.at(node.rounded(due, delay), () -> node.ring(timer));
    return timer;
  }

  private long lag() {
    return node.random().nextInt(node.random().nextInt(50) == 0 ? LONG_LAG_NANOS : LAG_NANOS);
  }

  private static final class SimTimer implements Timer, Runnable {
    private final Runnable step;
    private boolean cancelled;

    SimTimer(Runnable step) {
      this.step = step;
    }

    @Override
    public void cancel() {
      cancelled = true;
    }

    @Override
    public void run() {
      if (!cancelled) {
        step.run();
      }
    }
  }
}
