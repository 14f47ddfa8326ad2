package io.belfry.tests.witness;

import io.belfry.tests.witness.Outage.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Never more bodies at once than a policy allows, and never more starts in a time than a rate allows.
 *
 * <pre>
 *   a body counts    from START to END or STOP
 *                    to the kill of its process, if it wrote neither
 *                    to the beginning of a pause of its process that is longer than a lease: what it does after that is stale
 * </pre>
 *
 * <p>Threading: confined to one check.
 */
final class AtOnceRule {
  /** A task that was given out before a worker stood still may begin so much later. */
  private static final Duration DELIVERY_DISTURBED = Duration.ofSeconds(15);
  /** Windows that are judged, in seconds: short ones, one that is longer than every delivery, and one in which small excesses add up. */
  private static final List<Integer> WINDOWS = List.of(1, 2, 4, 14);

  private record Body(String task, Instant from, Instant to) {}

  private final List<Outage> outages;
  private final List<Strike> strikes;
  private final Findings findings;

  AtOnceRule(List<Outage> outages, List<Strike> strikes, Findings findings) {
    this.outages = outages;
    this.strikes = strikes;
    this.findings = findings;
  }

  /** One task of the ledger, with its id. */
  record Known(String task, Instant due, Seen seen) {}

  /** At most so many bodies of these tasks ran at the same moment. */
  void atMost(int max, Collection<Known> tasks, Verdict.Kind kind) {
    List<Body> bodies = new ArrayList<>();
    for (Known each : tasks) {
      for (Seen.Attempt attempt : each.seen.attempts()) {
        if (attempt.hasStarted() && !attempt.wasTurnedAway()) {
          bodies.add(new Body(each.task, attempt.start(), until(attempt)));
        }
      }
    }
    bodies.sort(Comparator.comparing(Body::from));
    var running = new PriorityQueue<Body>(Comparator.comparing(Body::to));
    for (Body body : bodies) {
      while (!running.isEmpty() && !running.peek().to.isAfter(body.from)) {
        running.remove();
      }
      running.add(body);
      if (running.size() > max) {
        findings.note(
            kind,
            body.task + " began at " + body.from + ", and then "
                + running.stream().map(Body::task).toList() + " ran at once, but at most " + max
                + " may");
      }
    }
  }

  private Instant until(Seen.Attempt attempt) {
    Instant end = attempt.over().orElse(Instant.MAX);
    for (Outage outage : outages) {
      boolean stops = switch (outage.kind()) {
        case KILLED, STOPPED -> attempt.over().isEmpty();
        case PAUSED ->
          outage.length().compareTo(Bounds.LEASE) > 0 || outage.who().equals(Outage.ENGINE);
        case STALLED -> true;
        case CUT -> false; // it must stop its bodies itself, before others begin them
      };
      if (stops && outage.strikes(attempt.process) && outage.touches(attempt.start(), end)) {
        end = outage.from().isAfter(attempt.start()) ? outage.from() : attempt.start();
      }
    }
    return end.equals(Instant.MAX) ? attempt.start() : end;
  }

  /**
   * At most so many attempts of these tasks were given out in a second. The ledger has their STARTs: within a window that is shorter by
   * what a delivery may take there are no more of them.
   */
  void atMostPerSecond(int max, Collection<Known> tasks, Deliveries deliveries) {
    List<Instant> starts = tasks.stream()
        .flatMap(each -> each.seen.attempts().stream())
        .filter(attempt -> attempt.hasStarted() && !attempt.wasTurnedAway())
        .map(Seen.Attempt::start)
        .sorted()
        .toList();
    for (int seconds : WINDOWS) {
      if (isExceeded(starts, max, seconds, deliveries)) {
        return; // longer windows would tell the same
      }
    }
  }

  private boolean isExceeded(List<Instant> starts, int max, int seconds, Deliveries deliveries) {
    int most = max * seconds;
    for (int i = 0; i + most < starts.size(); i++) {
      Instant first = starts.get(i);
      Instant last = starts.get(i + most);
      Duration delivery = deliveries.atMost(first, last);
      Duration window = Duration.ofSeconds(seconds).minus(delivery);
      if (Duration.between(first, last).compareTo(window) < 0 && !isDelayed(first, last)) {
        findings.note(
            Verdict.Kind.LIMIT,
            (most + 1) + " tasks began from " + first + " to " + last + ", but at most " + most
                + " may be given out in " + seconds + " s, and a delivery took at most "
                + delivery.toMillis() + " ms");
        return true;
      }
    }
    return false;
  }

  /** Whether workers, or what they are told by, stood still shortly before: then the ledger does not show when tasks were given out. */
  private boolean isDelayed(Instant first, Instant last) {
    Instant begin = first.minus(DELIVERY_DISTURBED);
    return outages.stream()
            .anyMatch(each -> each.kind() != Kind.KILLED
                && each.kind() != Kind.STOPPED
                && each.touches(begin, last))
        || strikes.stream()
            .anyMatch(each -> each.fault().delaysDelivery()
                && !each.at().isAfter(last)
                && !each.over().isBefore(begin));
  }
}
