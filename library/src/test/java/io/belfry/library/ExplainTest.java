package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.core.event.Happening.FiresSkipped;
import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.fire.Explanation;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.StateName;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The explanations of docs/jobs.md; each kind is tested in FactsTest. */
class ExplainTest {
  @TempDir
  Path dir;

  private Settings settings() {
    return Settings.defaults()
        .store("embedded:" + dir)
        .node("n1")
        .stopPatience(Duration.ofSeconds(5));
  }

  @Test
  void a_fire_is_found_and_what_is_not_a_fire_time_is_told_from_it() throws Exception {
    var done = new LinkedBlockingQueue<TaskId>();
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.on(TaskCompleted.class, event -> done.add(event.task().id()));
      belfry.handle("noop", attempt -> {});
      belfry
          .jobs()
          .save(Job.named("tick")
              .local("noop")
              .cron("* * * * * *", ZoneOffset.UTC)
              .build());
      TaskId.Fire fire = (TaskId.Fire) done.poll(60, TimeUnit.SECONDS);
      assertThat(fire).isNotNull();
      assertThat(belfry.jobs().explain("tick", fire.at()))
          .isEqualTo(new Explanation.Fired(fire, StateName.SUCCEEDED));
      assertThat(belfry.jobs().explain("tick", fire.at().plusMillis(300)))
          .isInstanceOf(Explanation.NotAFireTime.class);
      assertThat(belfry.jobs().explain("tick", fire.at().plusSeconds(86_400)))
          .isInstanceOf(Explanation.NotYetDue.class);
      assertThat(belfry.jobs().explain("tock", fire.at())).isInstanceOf(Explanation.NoJob.class);
      belfry.pause("moving house");
      assertThat(belfry.jobs().explain("tick", fire.at().plusSeconds(86_400)))
          .isEqualTo(new Explanation.Paused("moving house"));
    }
  }

  @Test
  void a_skip_is_found_with_its_reason_however_many_there_are() throws Exception {
    var skipped = new LinkedBlockingQueue<FiresSkipped>();
    var release = new CountDownLatch(1);
    try (Belfry belfry = Belfry.open(settings())) {
      belfry.on(FiresSkipped.class, skipped::add);
      belfry.handle("slow", attempt -> release.await(60, TimeUnit.SECONDS));
      belfry
          .jobs()
          .save(Job.named("slow").local("slow").every(Duration.ofMillis(100)).build());
      FiresSkipped first = skipped.poll(60, TimeUnit.SECONDS);
      for (int i = 0; i < 20; i++) {
        assertThat(skipped.poll(60, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(first).isNotNull();
      assertThat(first.range().reason()).isEqualTo(SkipReason.OVERLAP);
      assertThat(belfry.jobs().explain("slow", first.range().from()))
          .isInstanceOfSatisfying(Explanation.Skipped.class, why -> {
            assertThat(why.range().reason()).isEqualTo(SkipReason.OVERLAP);
            assertThat(why.range().from()).isEqualTo(first.range().from());
            assertThat(why.range().count())
                .as("consecutive skips are one record")
                .isGreaterThan(20);
          });
      release.countDown();
    }
  }

  @Test
  void an_excluded_day_is_named() {
    Instant now = Time.system().wall();
    LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(3);
    Instant noon = day.atTime(12, 0).toInstant(ZoneOffset.UTC);
    try (Belfry belfry = Belfry.open(settings())) {
      belfry
          .calendars()
          .save(Calendar.everyDay("office", ZoneOffset.UTC).excluding(new Days.Range(day, day)));
      belfry
          .jobs()
          .save(Job.named("report")
              .local("noop")
              .trigger(new Trigger.Every(
                  Duration.ofDays(1),
                  Trigger.Every.From.START,
                  Window.ALWAYS.from(noon).on("office")))
              .build());
      Explanation why = belfry.jobs().explain("report", noon);
      assertThat(why).isEqualTo(new Explanation.Excluded("office", day));
      assertThat(why.sentence()).contains("office", day.toString());
      assertThat(belfry.jobs().explain("report", noon.plus(Duration.ofDays(1))))
          .isInstanceOf(Explanation.NotYetDue.class);
    }
  }
}
