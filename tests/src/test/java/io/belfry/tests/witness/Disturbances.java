package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** When something was disturbed: a fault was under way, or a process or the engine was away. Threading: immutable. */
final class Disturbances {
  private record Span(Instant from, Instant to) {}

  private final Duration recovery;
  /** Apart from each other, in their order. */
  private final List<Span> spans = new ArrayList<>();

  Disturbances(List<Strike> strikes, List<Outage> outages, Duration recovery) {
    this.recovery = recovery;
    var all = new ArrayList<Span>();
    strikes.forEach(each -> all.add(new Span(each.at(), each.over())));
    outages.forEach(each -> all.add(new Span(each.from(), each.back())));
    all.sort(Comparator.comparing(Span::from));
    for (Span each : all) {
      if (spans.isEmpty() || spans.getLast().to.isBefore(each.from)) {
        spans.add(each);
      } else if (spans.getLast().to.isBefore(each.to)) {
        spans.set(spans.size() - 1, new Span(spans.getLast().from, each.to));
      }
    }
  }

  /** Whether nothing was disturbed from one instant to the other, nor so shortly before that it may not have recovered. */
  boolean isQuiet(Instant from, Instant to) {
    int next = firstOver(from.minus(recovery));
    return next == spans.size() || spans.get(next).from.isAfter(to);
  }

  /** For how much of the time from one instant to the other something was disturbed. */
  Duration away(Instant from, Instant to) {
    Duration sum = Duration.ZERO;
    for (int i = firstOver(from); i < spans.size() && spans.get(i).from.isBefore(to); i++) {
      Span each = spans.get(i);
      Instant begin = each.from.isAfter(from) ? each.from : from;
      Instant end = each.to.isBefore(to) ? each.to : to;
      if (begin.isBefore(end)) {
        sum = sum.plus(Duration.between(begin, end));
      }
    }
    return sum;
  }

  /** The first span that is not over before this instant: there may be thousands, and they are asked for each fire. */
  private int firstOver(Instant at) {
    int low = 0;
    int high = spans.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (spans.get(middle).to.isBefore(at)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
