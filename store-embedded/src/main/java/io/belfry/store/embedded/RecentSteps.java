package io.belfry.store.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The recent steps, each under a place that counts up, bounded by count and by bytes: the oldest go first.
 *
 * <p>Threading: confined to the lock of the feed.
 */
final class RecentSteps {
  private final int stepsMax;
  private final long bytesMax;
  private @Nullable Step[] steps = new @Nullable Step[64];
  private long first;
  private long next;
  private long bytes;
  private long forgottenUpTo;

  RecentSteps(int stepsMax, long bytesMax, long forgottenUpTo) {
    this.stepsMax = stepsMax;
    this.bytesMax = bytesMax;
    this.forgottenUpTo = forgottenUpTo;
  }

  void add(Step step) {
    if (next - first == steps.length && steps.length < stepsMax) {
      grow();
    }
    while (next > first
        && (next - first >= Math.min(stepsMax, steps.length) || bytes + step.bytes() > bytesMax)) {
      dropFirst();
    }
    steps[index(next++)] = step;
    bytes += step.bytes();
  }

  private void grow() {
    @Nullable Step[] larger = new @Nullable Step[2 * steps.length];
    for (long place = first; place < next; place++) {
      larger[(int) (place & larger.length - 1)] = steps[index(place)];
    }
    steps = larger;
  }

  private void dropFirst() {
    Step step = at(first);
    forgottenUpTo = step.revision();
    bytes -= step.bytes();
    steps[index(first++)] = null;
  }

  /** Drops everything; nobody can resume before {@code revision} any more. */
  void forget(long revision) {
    while (first < next) {
      dropFirst();
    }
    forgottenUpTo = revision;
  }

  List<Step> from(long place, int most) {
    var some = new ArrayList<Step>();
    for (long at = place; at < next && some.size() < most; at++) {
      some.add(at(at));
    }
    return some;
  }

  List<Step> between(long afterRevision, long place) {
    var some = new ArrayList<Step>();
    for (long at = first; at < place; at++) {
      if (at(at).revision() > afterRevision) {
        some.add(at(at));
      }
    }
    return some;
  }

  private Step at(long place) {
    return Objects.requireNonNull(steps[index(place)]);
  }

  private int index(long place) {
    return (int) (place & steps.length - 1);
  }

  long first() {
    return first;
  }

  long next() {
    return next;
  }

  long bytes() {
    return bytes;
  }

  long forgottenUpTo() {
    return forgottenUpTo;
  }
}
