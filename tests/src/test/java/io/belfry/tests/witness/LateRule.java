package io.belfry.tests.witness;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What is due begins soon: within one bound while nothing is disturbed, within another around a disturbance, where only the time counts in
 * which nothing was away.
 *
 * <p>Threading: confined to one check.
 */
final class LateRule {
  private record Span(Instant from, Instant to) {}

  private final Bounds bounds;
  private final Findings findings;
  /** Apart from each other, in their order. */
  private final List<Span> disturbed = new ArrayList<>();

  private int quiet;

  LateRule(List<Strike> strikes, List<Outage> outages, Bounds bounds, Findings findings) {
    this.bounds = bounds;
    this.findings = findings;
    var all = new ArrayList<Span>();
    strikes.forEach(each -> all.add(new Span(each.at(), each.over())));
    outages.forEach(each -> all.add(new Span(each.from(), each.back())));
    all.sort(Comparator.comparing(Span::from));
    for (Span each : all) {
      if (disturbed.isEmpty() || disturbed.getLast().to.isBefore(each.from)) {
        disturbed.add(each);
      } else if (disturbed.getLast().to.isBefore(each.to)) {
        disturbed.set(disturbed.size() - 1, new Span(disturbed.getLast().from, each.to));
      }
    }
  }

  /** How many were due while all was quiet, and so were held to the shorter bound. */
  int quiet() {
    return quiet;
  }

  void check(String task, Instant due, Instant start) {
    Duration late = Duration.between(due, start);
    boolean isQuiet = disturbed.stream()
        .noneMatch(each ->
            !each.from.isAfter(start) && !each.to.plus(bounds.recovery()).isBefore(due));
    if (isQuiet) {
      quiet++;
    }
    Duration limit = isQuiet ? bounds.late() : bounds.recovery();
    if (late.compareTo(limit) > 0 && late.minus(away(due, start)).compareTo(limit) > 0) {
      findings.note(
          Verdict.Kind.LATE,
          task + " was due at " + due + " and began at " + start + ", " + late.toMillis()
              + " ms later, of which something was away for " + away(due, start).toMillis()
              + " ms");
    }
  }

  private Duration away(Instant from, Instant to) {
    Duration sum = Duration.ZERO;
    for (Span each : disturbed) {
      Instant begin = each.from.isAfter(from) ? each.from : from;
      Instant end = each.to.isBefore(to) ? each.to : to;
      if (begin.isBefore(end)) {
        sum = sum.plus(Duration.between(begin, end));
      }
    }
    return sum;
  }
}
