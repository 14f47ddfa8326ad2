package io.belfry.simulation;

import io.belfry.core.loop.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One process, from its start to its end. Everything that happens to it arrives through {@link #arrive}: after a crash nothing does,
 * during a pause it waits. A process that starts again is another {@code SimNode} with the next incarnation.
 *
 * <p>Threading: confined to its world.
 */
final class SimNode {
  /** A step that takes longer is a stall, which others can notice. */
  private static final long STALL_NANOS = 100_000_000L;

  private static final long SECOND_NANOS = 1_000_000_000L;
  /** A stall strikes at one of the first so many reads of a clock or calls of a step. */
  private static final int MOMENTS = 5;

  /** How long a step takes, in nanoseconds. */
  interface Costs {
    long next(RandomGenerator random);
  }

  private final World world;
  private final String name;
  private final String id;
  private final SimTime time;
  private final RandomGenerator random;
  private final ArrayDeque<Runnable> meanwhile = new ArrayDeque<>();
  /** Timers whose time has come meanwhile. */
  private final ArrayDeque<Runnable> rang = new ArrayDeque<>();

  private final List<Runnable> atCrash = new ArrayList<>();
  private boolean alive = true;
  private long resumesAt = Long.MIN_VALUE;
  private long pausedSince;
  private long pausedBefore;
  private long resumedAt = Long.MIN_VALUE / 2;
  private @Nullable Costs costs;
  private long granularity;
  private long busyUntil = Long.MIN_VALUE;
  /** Whether steps that came meanwhile are running now, so that no other may run before them. */
  private boolean drains;

  private long stepBegan;
  private boolean inStep;
  private long cost;
  private int momentsLeft;
  private long ahead;

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
    time.isAheadBy(() -> {
      long now = ahead;
      moment();
      return now;
    });
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

  /** Whether it is paused, or a step of it has been taking long. */
  boolean standsStill() {
    return paused() || (alive && isBusy() && busyUntil - stepBegan >= STALL_NANOS);
  }

  /** From now on steps take time, during which nothing else of this process runs. */
  void costs(Costs ofSteps) {
    costs = ofSteps;
  }

  /** From now on timers of a second or more run at multiples of this length only, as on a machine that saves power. */
  void timersEvery(Duration length) {
    granularity = length.toNanos();
  }

  /** When a timer runs that is due at this moment of the world. */
  long rounded(long due, Duration delay) {
    return granularity == 0 || delay.toNanos() < SECOND_NANOS
        ? due
        : (due + granularity - 1) / granularity * granularity;
  }

  /** The time of the world, or within a step what it will be when the step has come so far. */
  long now() {
    return world.now() + ahead;
  }

  /** The step that runs now has come to a point at which time may pass. */
  void moment() {
    if (cost > 0 && inStep && momentsLeft-- == 0) {
      ahead = cost;
    }
  }

  /** When the step began that runs now, or that ends now. */
  long stepBegan() {
    return inStep || isBusy() ? stepBegan : world.now();
  }

  private boolean isBusy() {
    return busyUntil != Long.MIN_VALUE;
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
    rang.clear();
    atCrash.forEach(Runnable::run);
  }

  /** What the outside sees when the process is gone: connections break, bodies vanish. */
  void whenGone(Runnable consequence) {
    atCrash.add(consequence);
  }

  /** Nothing runs, the clocks go on; afterwards timers that rang meanwhile run, and then what came, in the order in which it came. */
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
    if (isBusy()) {
      return;
    }
    List<Runnable> waiting = new ArrayList<>(rang);
    waiting.addAll(meanwhile);
    rang.clear();
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
    if (mustWait()) {
      meanwhile.add(step);
      return;
    }
    run(step);
  }

  /** What the connections' own threads do: a step of a loop that takes long does not hold them up, a pause of the process does. */
  void deliver(Runnable answer) {
    if (alive && isBusy() && resumesAt == Long.MIN_VALUE) {
      answer.run();
    } else {
      arrive(answer);
    }
  }

  /** The time of a timer has come; a loop that was held up looks at its timers before it reads what came. */
  void ring(Runnable timer) {
    if (!alive) {
      return;
    }
    if (mustWait()) {
      rang.add(timer);
      return;
    }
    run(timer);
  }

  /** A step that arrives in the moment of waking waits behind what came during the pause. */
  private boolean mustWait() {
    return resumesAt != Long.MIN_VALUE || isBusy() || drains;
  }

  private void run(Runnable step) {
    begin();
    try {
      step.run();
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException | AssertionError e) {
      throw new Violation("a step must not throw", id + " threw " + e, world, e);
    } finally {
      inStep = false;
      ahead = 0;
    }
    if (cost > 0 && alive) {
      beBusy();
    }
  }

  private void begin() {
    inStep = true;
    stepBegan = world.now();
    ahead = 0;
    cost = costs == null ? 0 : costs.next(random);
    momentsLeft = cost > 0 ? random.nextInt(MOMENTS) : 0;
  }

  private void beBusy() {
    if (cost >= STALL_NANOS) {
      world.note(id, "stalls", cost / 1_000_000);
      world.count("stalls");
    }
    busyUntil = world.now() + cost;
    world.at(busyUntil, () -> {
      if (busyUntil - stepBegan >= STALL_NANOS) {
        resumedAt = world.now();
      }
      busyUntil = Long.MIN_VALUE;
      goOn();
    });
  }

  /** The timers that rang meanwhile, then the steps that came, in their order, one after another. */
  private void goOn() {
    Deque<Runnable> next = rang.isEmpty() ? meanwhile : rang;
    drains = alive && !isBusy() && resumesAt == Long.MIN_VALUE && !next.isEmpty();
    if (drains) {
      run(next.remove());
      world.in(0, this::goOn);
    }
  }
}
