package io.belfry.simulation;

import io.belfry.store.Change;
import io.belfry.store.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * The recent steps of an engine and who listens to them.
 *
 * <p>Threading: confined to its engine.
 */
final class Feeds {
  private static final int STEPS_MAX = 10_000;

  private final ArrayDeque<EngineStep> steps = new ArrayDeque<>();
  private final List<SimWatch> watches = new ArrayList<>();
  private long forgottenUpTo;
  private long last;
  private boolean silent;

  Feeds(long beginning) {
    this.last = beginning;
  }

  /** The last revision that watchers have been told of. */
  long last() {
    return last;
  }

  /** While it is, watchers are told nothing and do not notice: no engine may do that. */
  void silent(boolean is) {
    silent = is;
  }

  void publish(EngineStep step) {
    last = step.revision();
    if (step.changes().isEmpty() || silent) {
      return;
    }
    steps.add(step);
    if (steps.size() > STEPS_MAX) {
      forgottenUpTo = steps.remove().revision();
    }
    for (int i = 0; i < watches.size(); i++) {
      tell(watches.get(i), step);
    }
  }

  /** From now on the watch hears what comes after {@code after}, or that it cannot. */
  void open(SimWatch watch, long after) {
    watch.sayOpened(after);
    if (after < forgottenUpTo) {
      watch.sayCompacted();
      return;
    }
    for (EngineStep step : after < last ? steps : List.<EngineStep>of()) {
      if (step.revision() > after) {
        tell(watch, step);
      }
    }
    watches.add(watch);
  }

  void close(SimWatch watch) {
    watches.remove(watch);
  }

  /** Forgets all steps so far; a watch that has not been told all of them cannot be any more. */
  void forget() {
    forget(SimWatch::lagsBehind);
  }

  /** The same, and some that wanted nothing but a moment were too slow as well. */
  void forget(RandomGenerator random) {
    forget(watch -> watch.lagsBehind() || random.nextInt(4) == 0);
  }

  private void forget(Predicate<SimWatch> gap) {
    steps.clear();
    forgottenUpTo = last;
    for (SimWatch watch : List.copyOf(watches)) {
      if (gap.test(watch)) {
        watches.remove(watch);
        watch.loseTheRest();
      }
    }
  }

  /** Everybody must scan again, and nobody can resume before {@code revision}. */
  void compact(long revision) {
    steps.clear();
    forgottenUpTo = revision;
    last = revision;
    List<SimWatch> all = List.copyOf(watches);
    watches.clear();
    all.forEach(SimWatch::loseTheRest);
  }

  private static void tell(SimWatch watch, EngineStep step) {
    Feed feed = watch.feed();
    List<Change> heard = null;
    for (Change change : step.changes()) {
      if (feed.covers(change.key())) {
        if (heard == null) {
          heard = new ArrayList<>(2);
        }
        heard.add(change);
      }
    }
    if (heard != null) {
      watch.sayChanged(step.revision(), heard);
    }
  }
}
