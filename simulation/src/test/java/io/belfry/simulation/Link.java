package io.belfry.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The way between one machine and the engine, and what is wrong with it.
 *
 * <p>Threading: confined to its world.
 */
final class Link {
  /** What happens to one request. */
  enum Fate {
    ARRIVES,
    /** Never arrives; the client waits in vain. */
    LOST,
    /** Arrives after the client has given up. */
    LATE,
    /** The client notices at once that it cannot be sent. */
    UNSENT
  }

  private final World world;
  private final RandomGenerator random;
  private final List<Runnable> whenHealed = new ArrayList<>();
  private boolean cut;
  private boolean answersOnly;
  private long cuts;
  /** One message in so many goes wrong; 0 for none. */
  private int oneBadIn;

  private @Nullable EngineState behind;
  private long behindUntil;
  private long answersLate;
  private long wordsLate;
  private long raggedNanos;
  private long troubledAt = Long.MIN_VALUE / 2;

  Link(World world) {
    this.world = world;
    this.random = world.dice();
  }

  /** Nothing gets through for so long, or only requests do. */
  void cut(Duration length, boolean onlyAnswersAreLost) {
    cut = true;
    answersOnly = onlyAnswersAreLost;
    long mine = ++cuts;
    world.in(length, () -> {
      if (cuts == mine) {
        heal();
      }
    });
  }

  void heal() {
    if (isTroubled()) {
      troubledAt = world.now();
    }
    cut = false;
    behind = null;
    behindUntil = 0;
    answersOnly = false;
    cuts++;
    List<Runnable> waiting = List.copyOf(whenHealed);
    whenHealed.clear();
    waiting.forEach(Runnable::run);
  }

  void lossy(int oneMessageIn) {
    troubledAt = world.now();
    oneBadIn = oneMessageIn;
  }

  /** Answers take so much longer. */
  void slow(Duration answers) {
    troubledAt = world.now();
    answersLate = answers.toNanos();
  }

  /** Answers take up to so much longer, each another time, so that on etcd later ones overtake earlier ones. */
  void ragged(Duration answersMax) {
    troubledAt = world.now();
    raggedNanos = answersMax.toNanos();
  }

  /** What watches have to say takes so much longer. */
  void lag(Duration words) {
    troubledAt = world.now();
    wordsLate = words.toNanos();
  }

  /** Some scans are answered by what stood then, for so long. */
  void scansBehind(EngineState then, Duration length) {
    behind = then;
    behindUntil = world.now() + length.toNanos();
  }

  /** What a scan that arrives now is answered by. */
  EngineState scannedBy(EngineState now) {
    EngineState then = behind;
    if (then != null && world.now() >= behindUntil) {
      then = behind = null;
    }
    return then != null && random.nextInt(3) == 0 ? then : now;
  }

  long answersLate() {
    return answersLate + (raggedNanos > 0 ? random.nextLong(raggedNanos) : 0);
  }

  long wordsLate() {
    return wordsLate;
  }

  boolean isCut() {
    return cut;
  }

  /** When something was last wrong with it; long ago when nothing ever was. */
  long troubledAt() {
    return isTroubled() ? world.now() : troubledAt;
  }

  private boolean isTroubled() {
    return cut
        || oneBadIn > 0
        || answersLate > 0
        || raggedNanos > 0
        || wordsLate > 0
        || behindUntil > world.now();
  }

  void whenHealed(Runnable action) {
    if (cut) {
      whenHealed.add(action);
    } else {
      action.run();
    }
  }

  Fate request() {
    if (cut && !answersOnly) {
      int throwOf = random.nextInt(4);
      return throwOf == 0 ? Fate.LATE : throwOf == 1 ? Fate.UNSENT : Fate.LOST;
    }
    if (oneBadIn > 0 && random.nextInt(oneBadIn) == 0) {
      return random.nextBoolean() ? Fate.LATE : Fate.LOST;
    }
    return Fate.ARRIVES;
  }

  boolean losesAnswer() {
    return cut || (oneBadIn > 0 && random.nextInt(oneBadIn) == 0);
  }

  /** How long a message takes that gets through: usually little, sometimes much. */
  long nanos() {
    return random.nextInt(64) == 0
        ? random.nextLong(400_000_000)
        : 100_000 + random.nextInt(3_000_000);
  }
}
