package io.belfry.model.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.CronExpression;

/**
 * Against Spring's expressions, without a zone. Left out, because the two differ on purpose: both
 * day fields restricted (Spring wants both to match, Belfry either), ranges over the end of a field
 * (Spring refuses them), a step over weekdays without an end (Spring's week is Monday to Sunday,
 * crontab's and Belfry's Sunday to Saturday), {@code 0-SUN} (a week for Spring, a day for Belfry), W on a Sunday that ends
 * a month (Spring drops the month), a seventh field (Spring has none), clock changes (Spring has its own rule).
 */
class SpringDifferentialTest {

  private static final int EXPRESSIONS = 4_000;

  @Test
  void fires_when_spring_fires() {
    RandomGenerator random = Seed.generator("spring");
    RandomExpressions expressions = new RandomExpressions(random, RandomExpressions.Taste.SPRING);
    int compared = 0;
    for (int i = 0; i < EXPRESSIONS; i++) {
      String text = expressions.next();
      Cron cron;
      try {
        cron = Cron.parse(text);
      } catch (CronSyntaxException never) {
        assertThat(never.problem()).as("%s; %s", text, Seed.hint()).contains("never fire");
        continue;
      }
      CronExpression spring = CronExpression.parse(text);
      LocalDateTime t = LocalDateTime.ofEpochSecond(
          random.nextLong(1_600_000_000L, 2_200_000_000L), 0, ZoneOffset.UTC);
      for (int n = 0; n < 10; n++) {
        LocalDateTime theirs = spring.next(t);
        LocalDateTime ours = LocalDateTime.ofEpochSecond(
            cron.nextEpochSecond(t.toEpochSecond(ZoneOffset.UTC)), 0, ZoneOffset.UTC);
        assertThat(ours).as("\"%s\" after %s; %s", text, t, Seed.hint()).isEqualTo(theirs);
        t = ours;
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(EXPRESSIONS * 9);
  }
}
