package io.belfry.tests.simulation;

import io.belfry.core.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One process, from its start to its end. Everything that happens to it arrives through {@link #arrive}: after a crash nothing does,
 * during a pause it waits. A process that starts again is another {@code SimNode} with the next incarnation.
 *
 * <p>Threading: confined to its world.
 */
final class SimNode {
  private final World world;
  private final String name;
  private final String id;
  private final SimTime time;
  private final RandomGenerator random;
  private final ArrayDeque<Runnable> meanwhile = new ArrayDeque<>();
  private final List<Runnable> atCrash = new ArrayList<>();
  private boolean alive = true;
  private long resumesAt = Long.MIN_VALUE;
  private long pausedSince;
  private long pausedBefore;
  private long resumedAt = Long.MIN_VALUE / 2;

  SimNode(World world, String name, int incarnation, Duration skew) {
    this(world, name, incarnation, skew, 0);
  }

  /**
   * @param driftPerMille by how much its stopwatch goes too fast
   */
  SimNode(World world, String name, int incarnation, Duration skew, int driftPerMille) {
    this.world = world;
    this.name = name;
    this.id = name + "~" + incarnation;
    this.random = world.dice();
    this.time = new SimTime(world, skew, random.nextLong(1L << 40), driftPerMille);
  }

  World world() {
    return world;
  }

  String name() {
    return name;
  }

  /** Name and incarnation: what the process calls itself. */
  String id() {
    return id;
  }

  SimTime time() {
    return time;
  }

  RandomGenerator random() {
    return random;
  }

  boolean alive() {
    return alive;
  }

  boolean paused() {
    return alive && resumesAt > world.now();
  }

  /** A new loop of this process. */
  Loop loop() {
    return new SimLoop(this);
  }

  /** Nothing of it ever runs again. */
  void crash() {
    if (alive) {
      world.note(id, "crashes", "");
      end();
    }
  }

  /** As after an orderly stop: the process is gone, and nobody calls that a fault. */
  void exit() {
    if (alive) {
      world.note(id, "exits", "");
      end();
    }
  }

  private void end() {
    alive = false;
    meanwhile.clear();
    atCrash.forEach(Runnable::run);
  }

  /** What the outside sees when the process is gone: connections break, bodies vanish. */
  void whenGone(Runnable consequence) {
    atCrash.add(consequence);
  }

  /** Nothing runs, the clocks go on; afterwards everything that came meanwhile runs in the order in which it came. */
  void pause(Duration length) {
    if (!alive || paused()) {
      return;
    }
    world.note(id, "pauses", length.toMillis());
    pausedSince = world.now();
    resumesAt = world.now() + length.toNanos();
    world.at(resumesAt, this::resume);
  }

  private void resume() {
    if (!alive) {
      return;
    }
    pausedBefore += world.now() - pausedSince;
    resumesAt = Long.MIN_VALUE;
    resumedAt = world.now();
    world.note(id, "resumes", meanwhile.size());
    List<Runnable> waiting = List.copyOf(meanwhile);
    meanwhile.clear();
    waiting.forEach(step -> world.in(0, () -> arrive(step)));
  }

  /** When it last went on after a pause; long ago when it never stood still. */
  long resumedAt() {
    return resumedAt;
  }

  /** How long it has stood still in all its life. */
  long pausedNanos() {
    return pausedBefore + (paused() ? world.now() - pausedSince : 0);
  }

  /** Something reaches the process now. */
  void arrive(Runnable step) {
    if (!alive) {
      return;
    }
    // A step that arrives in the moment of waking waits behind what came during the pause.
    if (resumesAt != Long.MIN_VALUE) {
      meanwhile.add(step);
      return;
    }
    try {
      step.run();
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw new Violation("a step must not throw", id + " threw " + e, world, e);
    }
  }
}
