package io.belfry.simulation;

import io.belfry.core.keys.Keys;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.TaskId;
import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node whose clock is off by more than two seconds from those of most others does not lead for long, if one of the others could; and if
 * it has been off for long, it fires nothing that is not due yet. A leader whose clock is set fires nothing by it, and leads no longer.
 *
 * <p>Looked at ten times a second. Who could is a scheduler by a clock near the median that has been running and reaching its engines
 * all the while.
 *
 * <p>Threading: confined to its world.
 */
final class ClockLaw implements EngineEar {
  /** Two heartbeats, two looks, and what an interval between them adds; then the lead is given up. */
  private static final Duration LONG = Duration.ofSeconds(10);
  /** Delays on the way make a clock look further behind than it is. */
  private static final Duration OFF = Duration.ofMillis(3500);

  private static final Duration NEAR = Duration.ofMillis(500);
  private static final Duration LOOK = Duration.ofMillis(100);
  /** By less a calendar may be set without anybody's noticing. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  private static final Duration ROUNDING = Duration.ofMillis(500);

  private static final class PoolWorker {
    final Scheduler scheduler;
    long leadsOffSince = Long.MAX_VALUE;
    long offSince = Long.MAX_VALUE;
    long ableSince = Long.MAX_VALUE;

    PoolWorker(Scheduler scheduler) {
      this.scheduler = scheduler;
    }
  }

  private final Simulation simulation;
  private final World world;
  private final Map<SimNode, PoolWorker> members = new LinkedHashMap<>();
  private String leader = "";
  private long fence;
  /** When it was first seen to know that it leads: a clock that was set before is the one that it begins with. */
  private long leadsSince = Long.MAX_VALUE;

  ClockLaw(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    simulation.engine().addEar(this);
    look();
  }

  void joined(SimNode node, Scheduler scheduler) {
    members.put(node, new PoolWorker(scheduler));
  }

  private void look() {
    world.in(LOOK, this::look);
    members.keySet().removeIf(node -> !node.alive());
    members.forEach(this::lookWhoLeads);
    List<Duration> skews = new ArrayList<>();
    members.keySet().forEach(node -> skews.add(node.time().skew()));
    if (skews.size() < 3) {
      members.values().forEach(member -> {
        member.offSince = Long.MAX_VALUE;
        member.leadsOffSince = Long.MAX_VALUE;
      });
      return;
    }
    skews.sort(null);
    Duration median = skews.get(skews.size() / 2);
    members.forEach((node, member) -> look(node, member, median));
    members.forEach(this::check);
  }

  private void look(SimNode node, PoolWorker member, Duration median) {
    Duration apart = node.time().skew().minus(median).abs();
    boolean leads = !node.paused() && member.scheduler.leadership().isPresent();
    boolean reaches = simulation.cluster().reachesAll(node);
    boolean off = reaches && apart.compareTo(OFF) > 0;
    member.leadsOffSince = since(member.leadsOffSince, leads && off);
    member.offSince = since(member.offSince, !node.paused() && off);
    member.ableSince =
        since(member.ableSince, !node.paused() && reaches && apart.compareTo(NEAR) < 0);
  }

  private void lookWhoLeads(SimNode node, PoolWorker member) {
    boolean leads = !node.paused()
        && node.id().equals(leader)
        && member.scheduler.leadership().filter(led -> led.fence() == fence).isPresent();
    if (leads) {
      leadsSince = Math.min(leadsSince, world.now());
    }
  }

  private long since(long before, boolean now) {
    return now ? Math.min(before, world.now()) : Long.MAX_VALUE;
  }

  private void check(SimNode node, PoolWorker member) {
    if (isLong(member.leadsOffSince) && othersAreAble()) {
      throw world.violation(
          "I10 a clock that is off does not lead",
          node.id() + " leads since " + member.leadsOffSince + " although its clock is off by "
              + node.time().skew());
    }
  }

  private boolean isLong(long since) {
    return since <= world.now() - LONG.toNanos();
  }

  private boolean othersAreAble() {
    return members.values().stream().filter(other -> isLong(other.ableSince)).count() >= 2;
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      if (!(change instanceof Change.Put(Entry entry))) {
        continue;
      }
      if (entry.key().equals(Keys.FENCE)) {
        leader = step.by();
        fence = entry.revision();
        leadsSince = Long.MAX_VALUE;
      } else if (entry.key().space().equals(Keys.SKIPS)) {
        SkippedRange range = Records.skippedRange(entry.value());
        // In one process it may also be somebody who changes a job.
        if (range.reason() != SkipReason.DISABLED && range.reason() != SkipReason.CHANGED) {
          decided(step, entry.key(), range.to());
        }
      } else if (entry.key().space().equals(Keys.TASKS)
          && step.before(entry.key()) == null
          && TaskId.parse(entry.key().text()) instanceof TaskId.Fire(JobId job, Instant at)) {
        decided(step, entry.key(), at);
      }
    }
  }

  /** Something has become of this instant. */
  private void decided(EngineStep step, Key what, Instant at) {
    Duration ahead = Duration.between(SimTime.trueTime(world), at);
    SimNode writer = simulation.cluster().ever(step.by()).orElse(null);
    if (writer == null || !step.by().equals(leader)) {
      return; // somebody changed a job
    }
    writer
        .time()
        .jump(leadsSince, NOTICED)
        .filter(jump -> ahead.compareTo(jump.before().plus(NOTICED).plus(ROUNDING)) > 0)
        .ifPresent(jump -> {
          throw world.violation(
              "I10 nothing is fired by a calendar that was just set",
              step.by() + " decided " + what + ", which is due in " + ahead + ", after " + jump);
        });
    PoolWorker member = members.get(writer);
    if (member != null && ahead.compareTo(OFF) > 0 && isLong(member.offSince) && othersAreAble()) {
      throw world.violation(
          "I10 nothing is fired by a calendar that is off",
          step.by() + " decided " + what + ", which is due in " + ahead);
    }
  }
}
