package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.ParseException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Date;
import java.util.TimeZone;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.quartz.CronExpression;

/**
 * The Quartz dialect against Quartz itself, in zones without clock changes. Left out, because the
 * two differ on purpose: clock changes (Quartz drops and doubles fires), days that a month does not
 * have behind W or L- (Quartz borrows from the next month), lists around L, W and # (Quartz refuses
 * or misreads them), a step behind a name (Quartz drops it), a range of a name and a number (Quartz fails), the middle of a day with L and of a month with W (Quartz skips fires), full names (Quartz knows three letters), five fields (Quartz needs seconds).
 */
class QuartzDifferentialTest {

  private static final int EXPRESSIONS = 4_000;

  @Test
  void fires_when_quartz_fires() throws ParseException {
    RandomGenerator random = Seed.generator("quartz");
    RandomExpressions expressions = new RandomExpressions(random, RandomExpressions.Taste.QUARTZ);
    int compared = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.next();
      Cron cron;
      try {
        cron = Cron.parse(text, Dialect.QUARTZ);
      } catch (CronSyntaxException never) {
        assertThat(never.problem()).as("%s; %s", text, Seed.hint()).contains("never fire");
        continue;
      }
      ZoneId zone = ZoneId.of(random.nextBoolean() ? "UTC" : "Asia/Shanghai");
      cron = cron.in(zone);
      CronExpression quartz = new CronExpression(text);
      quartz.setTimeZone(TimeZone.getTimeZone(zone));
      long t = askableAfter(text, zone, random.nextLong(1_600_000_000L, 2_200_000_000L));
      for (int n = 0; n < 10; n++) {
        Date theirs = quartz.getNextValidTimeAfter(Date.from(BruteForce.instant(t)));
        long ours = cron.nextEpochSecond(t);
        if (theirs == null || ours == Cron.NEVER_AGAIN) {
          // Quartz looks about a century ahead, Belfry to the end of 2199.
          assertThat(theirs == null && ours > 4_000_000_000L)
              .as("%s after %d; %s", text, t, Seed.hint())
              .isTrue();
          break;
        }
        assertThat(BruteForce.instant(ours))
            .as("\"%s\" after %s; %s", text, BruteForce.instant(t), Seed.hint())
            .isEqualTo(theirs.toInstant());
        t = askableAfter(text, zone, ours);
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(EXPRESSIONS * 7);
  }

  /**
   * Asked in the middle of a day, Quartz skips what lies earlier in the day that L or W names. Asked
   * on a Monday that W names because the day itself is the Sunday before, it skips the month. So it
   * is asked about L only at the end of a day, and about W only at the end of a month.
   */
  private static long askableAfter(String text, ZoneId zone, long second) {
    String dayOfMonth = text.split("\\s+", -1)[3];
    LocalDate day = LocalDate.ofInstant(BruteForce.instant(second), zone);
    if (dayOfMonth.contains("W")) {
      day = day.with(TemporalAdjusters.lastDayOfMonth());
    } else if (!dayOfMonth.contains("L")) {
      return second;
    }
    return day.plusDays(1).atStartOfDay(zone).toEpochSecond() - 1;
  }
}
