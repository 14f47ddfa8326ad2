package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.belfry.model.cron.DstRule.Gap;
import io.belfry.model.cron.DstRule.Repeat;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Every clock change of every zone, against {@link BruteForce}. Zones that are other names for the
 * same rules are looked at once.
 */
class EveryZoneTest {

  private static final Instant Y1970 = Instant.parse("1970-01-05T00:00:00Z");
  private static final Instant Y2000 = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant Y2038 = Instant.parse("2038-01-01T00:00:00Z");

  private static final List<String> ON_THE_MINUTE = List.of(
      "0 30 2 * * *",
      "0 0 0 * * *",
      "0 15 1 * * *",
      "0 59 23 * * *",
      "0 */15 2 * * *",
      "0 10,50 0-4 * * *",
      "0 0 1,2,3 * * SUN",
      "0 0 22-3 * * *",
      "0 0 0-23 * * *",
      "0 */20 * * * *",
      "0 0 */2 * * *",
      "0 30 1/3 * * *",
      "0 5 * * * SAT,SUN",
      "0 30 0,1,2,3 L * FRI");

  private static final List<String> ON_THE_SECOND =
      List.of("*/7 * * * * *", "29 59,0 0-23/1 * * *", "31 0,29,30,59 0,1,2,3,22,23 * * *");

  private static final List<DstRule> RULES = rules();

  private static Collection<ZoneId> zones() {
    Map<ZoneRules, ZoneId> zones = new HashMap<>();
    for (String id : new TreeSet<>(ZoneId.getAvailableZoneIds())) {
      ZoneId zone = ZoneId.of(id);
      zones.putIfAbsent(zone.getRules(), zone);
    }
    return zones.values();
  }

  private static List<ZoneOffsetTransition> changes(ZoneId zone, Instant from, Instant until) {
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneOffsetTransition change = zone.getRules().nextTransition(from);
    while (change != null && change.getInstant().isBefore(until)) {
      changes.add(change);
      change = zone.getRules().nextTransition(change.getInstant());
    }
    return changes;
  }

  private static List<DstRule> rules() {
    List<DstRule> rules = new ArrayList<>();
    for (Gap gap : Gap.values()) {
      for (Repeat repeat : Repeat.values()) {
        rules.add(new DstRule(gap, repeat));
      }
    }
    return rules;
  }

  private static BruteForce around(
      ZoneId zone, ZoneOffsetTransition change, Duration around, Duration step) {
    LocalDateTime before = change.getDateTimeBefore();
    LocalDateTime after = change.getDateTimeAfter();
    LocalDateTime first = (change.isGap() ? before : after).minus(around);
    LocalDateTime last = (change.isGap() ? after : before).plus(around);
    return new BruteForce(zone.getRules(), first, last, step);
  }

  /** Compares both directions around one change; returns how many fires were compared. */
  private static long compare(
      Reference reference,
      Cron cron,
      BruteForce force,
      ZoneOffsetTransition change,
      Duration around) {
    long from = change.toEpochSecond() - around.toSeconds();
    long until = change.toEpochSecond() + around.toSeconds();
    List<SortedSet<Long>> fires = force.fires(reference, RULES);
    long compared = 0;
    for (int i = 0; i < RULES.size(); i++) {
      Cron ruled = cron.with(RULES.get(i));
      List<Long> expected = new ArrayList<>(fires.get(i).subSet(from, until));
      check(expected, BruteForce.forwards(ruled, from, until), "next", ruled, change);
      check(expected, BruteForce.backwards(ruled, from, until), "previous", ruled, change);
      compared += expected.size();
    }
    return compared;
  }

  private static void check(
      List<Long> expected, List<Long> actual, String way, Cron cron, ZoneOffsetTransition change) {
    if (!expected.equals(actual)) {
      fail(
          "%s of \"%s\" in %s with %s around %s: expected %s but was %s; %s",
          way,
          cron,
          cron.zone(),
          cron.dstRule(),
          change,
          expected.stream().map(BruteForce::instant).toList(),
          actual.stream().map(BruteForce::instant).toList(),
          Seed.hint());
    }
  }

  @Test
  void every_change_from_2000_to_2037_minute_by_minute() {
    RandomGenerator random = Seed.generator("zones");
    List<Reference> references = ON_THE_MINUTE.stream().map(Reference::of).toList();
    Duration hours = Duration.ofHours(3);
    long changes = 0;
    long compared = 0;
    for (ZoneId zone : zones()) {
      List<Cron> crons = ON_THE_MINUTE.stream().map(e -> Cron.parse(e).in(zone)).toList();
      for (ZoneOffsetTransition change : changes(zone, Y2000, Y2038)) {
        BruteForce force = around(zone, change, hours, Duration.ofMinutes(1));
        for (int i = 0; i < crons.size(); i++) {
          compared += compare(references.get(i), crons.get(i), force, change, hours);
        }
        String chance = randomHours(random);
        Cron cron = Cron.parse(chance).in(zone);
        compared += compare(Reference.of(chance), cron, force, change, hours);
        changes++;
      }
    }
    report("by minute", changes, compared);
    assertThat(changes).isGreaterThan(9_000);
  }

  private static String randomHours(RandomGenerator random) {
    return "0 %d/%d %d-%d * * *"
        .formatted(
            random.nextInt(60), 1 + random.nextInt(30), random.nextInt(24), random.nextInt(24));
  }

  @Test
  void every_change_from_1970_to_2000_second_by_second() {
    List<Reference> references = ON_THE_SECOND.stream().map(Reference::of).toList();
    Duration seconds = Duration.ofSeconds(90);
    long changes = 0;
    long compared = 0;
    for (ZoneId zone : zones()) {
      List<Cron> crons = ON_THE_SECOND.stream().map(e -> Cron.parse(e).in(zone)).toList();
      for (ZoneOffsetTransition change : changes(zone, Y1970, Y2000)) {
        BruteForce force = around(zone, change, seconds, Duration.ofSeconds(1));
        for (int i = 0; i < crons.size(); i++) {
          compared += compare(references.get(i), crons.get(i), force, change, seconds);
        }
        changes++;
      }
    }
    report("by second", changes, compared);
    assertThat(changes).isGreaterThan(4_000);
  }

  private static void report(String how, long changes, long compared) {
    System.out.printf("every zone %s: %d changes, %d fires, both ways%n", how, changes, compared);
  }

  /** What {@link CalendarCron} relies on; should a future tz database break it, this says so. */
  @Test
  void no_two_changes_are_closer_than_their_jumps() {
    for (ZoneId zone : zones()) {
      ZoneOffsetTransition last = null;
      for (ZoneOffsetTransition change :
          changes(zone, Y1970, Instant.parse("2200-01-05T00:00:00Z"))) {
        if (last != null) {
          Duration apart = Duration.between(last.getInstant(), change.getInstant());
          assertThat(apart)
              .as("%s: %s and %s", zone, last, change)
              .isGreaterThan(last.getDuration().abs().plus(change.getDuration().abs()));
        }
        last = change;
      }
    }
  }
}
