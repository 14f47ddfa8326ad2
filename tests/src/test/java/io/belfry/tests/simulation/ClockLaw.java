package io.belfry.tests.simulation;

import io.belfry.core.node.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node whose clock is off by more than two seconds from those of most others does not lead for long, if one of the others could.
 *
 * <p>Looked at ten times a second. Who could is a scheduler by a clock near the median that has been running and reaching its engines
 * all the while.
 *
 * <p>Threading: confined to its world.
 */
final class ClockLaw {
  /** Two heartbeats, two looks, and what an interval between them adds; then the lead is given up. */
  private static final Duration LONG = Duration.ofSeconds(10);
  /** Delays on the way make a clock look further behind than it is. */
  private static final Duration OFF = Duration.ofMillis(3500);

  private static final Duration NEAR = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(100);

  private static final class Member {
    final Scheduler scheduler;
    long offSince = Long.MAX_VALUE;
    long ableSince = Long.MAX_VALUE;

    Member(Scheduler scheduler) {
      this.scheduler = scheduler;
    }
  }

  private final Simulation simulation;
  private final World world;
  private final Map<SimNode, Member> members = new LinkedHashMap<>();

  ClockLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    look();
  }

  void joined(SimNode node, Scheduler scheduler) {
    members.put(node, new Member(scheduler));
  }

  private void look() {
    world.in(LOOK, this::look);
    members.keySet().removeIf(node -> !node.alive());
    List<Duration> skews = new ArrayList<>();
    members.keySet().forEach(node -> skews.add(node.time().skew()));
    if (skews.size() < 3) {
      members.values().forEach(member -> member.offSince = Long.MAX_VALUE);
      return;
    }
    skews.sort(null);
    Duration median = skews.get(skews.size() / 2);
    members.forEach((node, member) -> look(node, member, median));
    members.forEach(this::check);
  }

  private void look(SimNode node, Member member, Duration median) {
    Duration apart = node.time().skew().minus(median).abs();
    boolean leads = !node.paused() && member.scheduler.leadership().isPresent();
    boolean reaches = simulation.cluster().reachesAll(node);
    member.offSince = since(member.offSince, leads && reaches && apart.compareTo(OFF) > 0);
    member.ableSince =
        since(member.ableSince, !node.paused() && reaches && apart.compareTo(NEAR) < 0);
  }

  private long since(long before, boolean now) {
    return now ? Math.min(before, world.now()) : Long.MAX_VALUE;
  }

  private void check(SimNode node, Member member) {
    long limit = world.now() - LONG.toNanos();
    boolean others =
        members.values().stream().filter(other -> other.ableSince <= limit).count() >= 2;
    if (member.offSince <= limit && others) {
      throw world.violation(
          "a clock that is off does not lead",
          node.id() + " leads since " + member.offSince + " although its clock is off by "
              + node.time().skew());
    }
  }
}
