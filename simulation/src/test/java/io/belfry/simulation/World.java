package io.belfry.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * One thread, one seed, virtual time: a queue of steps ordered by (time, order of being asked for). Whoever wants something to happen
 * says when; nothing happens otherwise.
 *
 * <p>Threading: confined to the thread that runs it.
 */
final class World {
  private static final int TRACE_LINES = Integer.getInteger("belfry.trace", 400);

  private record Step(long at, long order, Runnable action) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final long seed;
  private final String test;
  private final SplittableRandom random;
  private final Trace trace = new Trace(TRACE_LINES);
  private final PriorityQueue<Step> steps = new PriorityQueue<>(256);
  private final List<Runnable> afterEachStep = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private long now;
  private long order;
  private long stepsDone;

  World(long seed) {
    this(seed, "SimulationTest");
  }

  /**
   * @param test the name of the test that runs it, for the command that runs it again
   */
  World(long seed, String test) {
    this.seed = seed;
    this.test = test;
    this.random = new SplittableRandom(seed);
  }

  long seed() {
    return seed;
  }

  /** What to paste to see the same world again. */
  String command() {
    return "./belfry test --only " + test + " --seed " + seed;
  }

  /** Virtual nanoseconds since the world began. */
  long now() {
    return now;
  }

  long stepsDone() {
    return stepsDone;
  }

  Trace trace() {
    return trace;
  }

  void note(String who, String what, Object about) {
    trace.note(now, who, what, about);
  }

  /** Something happened that a law is about: one that is never counted would prove nothing. */
  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  Map<String, Long> counts() {
    return counts;
  }

  /** Dice of one's own, so that one actor's throws do not change another's. */
  RandomGenerator dice() {
    return random.split();
  }

  void in(long nanos, Runnable action) {
    at(now + Math.max(0, nanos), action);
  }

  void in(Duration delay, Runnable action) {
    in(delay.toNanos(), action);
  }

  /** At this moment, and after everything that was asked for before with the same moment. */
  void at(long moment, Runnable action) {
    steps.add(new Step(Math.max(now, moment), order++, action));
  }

  /** The law is looked at after each step; it throws a {@link Violation} when it does not hold. */
  void afterEachStep(Runnable law) {
    afterEachStep.add(law);
  }

  /** Runs every step up to and including this moment of virtual time. */
  void runUntil(Duration end) {
    long last = end.toNanos();
    for (Step next = steps.peek(); next != null && next.at <= last; next = steps.peek()) {
      steps.poll();
      now = next.at;
      stepsDone++;
      take(next);
    }
    now = Math.max(now, last);
  }

  private void take(Step step) {
    try {
      step.action.run();
      for (int i = 0; i < afterEachStep.size(); i++) {
        afterEachStep.get(i).run();
      }
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw new Violation("a step must not throw", "the world threw " + e, this, e);
    }
  }

  Violation violation(String law, String what) {
    return new Violation(law, what, this);
  }
}
