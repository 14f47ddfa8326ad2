package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Thousands of random expressions, each read twice: by {@link Cron} and by {@link Reference}. */
class RandomExpressionsTest {

  private static final int EXPRESSIONS = 3_000;

  @Test
  void name_the_same_days_over_years() {
    RandomGenerator random = Seed.generator("days");
    RandomExpressions expressions = new RandomExpressions(random, RandomExpressions.Taste.BELFRY);
    int checked = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.next();
      Reference reference = Reference.of(text);
      Cron cron = parseIfItFires(text, reference);
      if (cron == null) {
        continue;
      }
      checked++;
      LocalDate date = LocalDate.of(2018, 1, 1).plusDays(random.nextInt(20_000));
      for (int day = 0; day < 400; day++, date = date.plusDays(1)) {
        long midnight = date.toEpochDay() * Civil.SECONDS_PER_DAY;
        long next = cron.nextEpochSecond(midnight - 1);
        long previous = cron.previousEpochSecond(midnight + Civil.SECONDS_PER_DAY);
        boolean named = reference.matches(date);
        if (next < midnight + Civil.SECONDS_PER_DAY != named || previous >= midnight != named) {
          fail("\"%s\" on %s: named %s; %s", text, date, named, Seed.hint());
        }
      }
    }
    assertThat(checked).isGreaterThan(EXPRESSIONS * 9 / 10);
  }

  @Test
  void name_the_same_times_within_a_day() {
    RandomExpressions expressions =
        new RandomExpressions(Seed.generator("times"), RandomExpressions.Taste.BELFRY);
    for (int i = 0; i < 150; i++) {
      String text = expressions.next();
      Reference reference = Reference.of(text);
      Cron cron = parseIfItFires(text, reference);
      if (cron == null || cron.nextEpochSecond(1_800_000_000L) == Cron.NEVER_AGAIN) {
        continue;
      }
      LocalDateTime midnight = LocalDateTime.ofEpochSecond(
              cron.nextEpochSecond(1_800_000_000L), 0, ZoneOffset.UTC)
          .toLocalDate()
          .atStartOfDay();
      List<Long> expected = List.copyOf(new BruteForce(
              ZoneOffset.UTC.getRules(), midnight, midnight.plusDays(1), Duration.ofSeconds(1))
          .fires(reference, List.of(DstRule.DEFAULT))
          .getFirst());
      long from = midnight.toEpochSecond(ZoneOffset.UTC);
      String hint = text + " on " + midnight + "; " + Seed.hint();
      assertThat(BruteForce.forwards(cron, from, from + 86_400)).as(hint).isEqualTo(expected);
      assertThat(BruteForce.backwards(cron, from, from + 86_400)).as(hint).isEqualTo(expected);
    }
  }

  @Test
  void go_back_the_way_they_came_in_any_zone() {
    RandomGenerator random = Seed.generator("inverse");
    RandomExpressions expressions = new RandomExpressions(random, RandomExpressions.Taste.BELFRY);
    List<ZoneId> zones =
        ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList();
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.next();
      Cron parsed = parseIfItFires(text, Reference.of(text));
      if (parsed == null) {
        continue;
      }
      Cron cron = parsed.in(zones.get(random.nextInt(zones.size())));
      long start = random.nextLong(0, 2_500_000_000L);
      long last = Cron.NEVER_BEFORE;
      long t = start;
      for (int n = 0; n < 50; n++) {
        long next = cron.nextEpochSecond(t);
        String hint = text + " in " + cron.zone() + " after " + t + "; " + Seed.hint();
        if (next == Cron.NEVER_AGAIN) {
          break;
        }
        assertThat(next).as(hint).isGreaterThan(t);
        assertThat(cron.nextEpochSecond(next - 1)).as(hint).isEqualTo(next);
        assertThat(cron.previousEpochSecond(next + 1)).as(hint).isEqualTo(next);
        if (last != Cron.NEVER_BEFORE) {
          assertThat(cron.previousEpochSecond(next)).as(hint).isEqualTo(last);
        }
        last = next;
        t = next;
      }
    }
  }

  /** Null if the expression never fires, which must then be true. */
  private static @Nullable Cron parseIfItFires(String text, Reference reference) {
    try {
      return Cron.parse(text);
    } catch (CronSyntaxException e) {
      assertThat(e.problem()).as(text).contains("never fire");
      LocalDate date = LocalDate.EPOCH;
      while (date.getYear() < 2200) {
        assertThat(reference.matches(date))
            .as("%s on %s; %s", text, date, Seed.hint())
            .isFalse();
        date = date.plusDays(1);
      }
      return null;
    }
  }
}
