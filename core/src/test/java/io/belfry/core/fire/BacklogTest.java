package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static Job job(Duration maxAge, int maxCount) {
    return Job.named("j")
        .local("noop")
        .cron("* * * * * *", ZoneOffset.UTC)
        .overlap(OverlapPolicy.ALLOW)
        .missed(new MissedPolicy(MissedPolicy.Policy.ALL, maxAge, maxCount))
        .saved(JobVersion.first(START))
        .build();
  }

  private static Cursor due(Instant next) {
    return new Cursor(1, true, Optional.of(next), Optional.empty(), Optional.empty());
  }

  private static PlanContext room(int fires) {
    return new PlanContext(0, fires, Set.of());
  }

  @Test
  void making_up_for_much_asks_the_timetable_about_once_for_each_instant() {
    int missed = MissedPolicy.MAX_COUNT;
    Job job = job(Duration.ofDays(1), missed);
    var times = new Counting(Timetables.of(job, Optional.empty()));
    var plan = new FirePlan(job, times, Optional.empty(), Optional.empty());
    assertThat(plan.hasBacklog()).isTrue();
    var backlog = new Backlog();
    Cursor cursor = due(START);
    Instant now = START.plusSeconds(missed - 1);
    int fires = 0;
    int plans = 0;
    for (boolean more = true; more; plans++) {
      Plan next = plan.plan(cursor, now, GRACE, room(50), Optional.of(backlog));
      fires += next.fires().size();
      cursor = next.cursor();
      more = next.more();
    }
    assertThat(fires).isEqualTo(missed);
    assertThat(plans).isEqualTo(missed / 50);
    assertThat(times.asked()).isLessThan(2 * missed);
  }

  @Test
  void what_is_remembered_changes_nothing() {
    Seeds.each(300, random -> {
      Job job = job(Duration.ofSeconds(random.nextInt(20, 400)), random.nextInt(1, 200));
      FirePlan plan = FirePlan.of(job, Optional.empty());
      var backlog = new Backlog();
      Cursor cursor = due(START);
      Instant now = START.plusSeconds(random.nextInt(600));
      for (int i = 0; i < 20; i++) {
        PlanContext room = room(random.nextInt(1, 51));
        Plan expected = plan.plan(cursor, now, GRACE, room);
        assertThat(plan.plan(cursor, now, GRACE, room, Optional.of(backlog))).isEqualTo(expected);
        cursor = expected.cursor();
        now = now.plusMillis(random.nextInt(random.nextInt(5) == 0 ? 60_000 : 2_000));
      }
    });
  }

  @Test
  void for_another_definition_it_knows_nothing() {
    FirePlan plan = FirePlan.of(job(Duration.ofDays(1), 1000), Optional.empty());
    FirePlan other = FirePlan.of(job(Duration.ofDays(1), 7), Optional.empty());
    var backlog = new Backlog();
    Instant now = START.plusSeconds(500);
    Cursor cursor = due(START);
    assertThat(plan.plan(cursor, now, GRACE, room(50), Optional.of(backlog)).fires())
        .hasSize(50);
    assertThat(backlog.size()).isEqualTo(501);
    assertThat(other.plan(cursor, now, GRACE, room(50), Optional.of(backlog)))
        .isEqualTo(other.plan(cursor, now, GRACE, room(50)));
  }
}
