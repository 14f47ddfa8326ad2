package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Trigger;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.retry.FailureKind;
import io.belfry.testkit.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What may change without a new version, and what must not change by accident. */
class CodecEvolutionTest {
  static final List<Kind<?>> KINDS = Kind.ALL;

  private static final byte[] FUTURE = {42, -1, 0, 7};

  @ParameterizedTest
  @FieldSource("KINDS")
  <R> void fields_that_a_newer_version_appends_are_passed_over(Kind<R> kind) {
    Seeds.each(200, random -> {
      R record = kind.any().apply(random);
      byte[] bytes = kind.encode().apply(record);
      assertThat(kind.decode().apply(appended(bytes, bytes.length))).isEqualTo(record);
    });
  }

  @Test
  void so_are_those_of_the_work_within_a_task() {
    byte[] bytes = Records.encode(Samples.FRESH);
    int work = bytes[1];
    byte[] newer = appended(bytes, 2 + work);
    newer[1] += (byte) FUTURE.length;
    assertThat(Records.task(newer)).isEqualTo(Samples.FRESH);
  }

  @Test
  void so_are_those_of_a_task_within_a_message() {
    SubmittedTasks news = new SubmittedTasks(List.of(Samples.FRESH, Samples.FRESH));
    byte[] bytes = Records.encode(news);
    int task = bytes[2];
    byte[] newer = appended(bytes, 3 + task);
    newer[2] += (byte) FUTURE.length;
    assertThat(Records.news(newer)).isEqualTo(news);
  }

  @Test
  void constants_keep_their_place_because_that_is_what_is_stored() {
    assertThat(Priority.values())
        .extracting(Enum::name)
        .startsWith("LOW", "NORMAL", "HIGH", "URGENT");
    assertThat(FailureKind.values())
        .extracting(Enum::name)
        .startsWith("ERROR", "TIMEOUT", "LOST", "REJECTED");
    assertThat(SkipReason.values())
        .extracting(Enum::name)
        .startsWith(
            "OVERLAP",
            "QUEUE_FULL",
            "PENDING_FULL",
            "DISABLED",
            "CALENDAR",
            "MISSED",
            "SUPERSEDED",
            "TOO_OLD",
            "TOO_MANY",
            "ID_TAKEN");
    assertThat(OverlapPolicy.values())
        .extracting(Enum::name)
        .startsWith("ALLOW", "SKIP", "QUEUE", "REPLACE");
    assertThat(MissedPolicy.Policy.values())
        .extracting(Enum::name)
        .startsWith("SKIP", "LAST", "ALL");
    assertThat(Notifications.Occasion.values())
        .extracting(Enum::name)
        .startsWith("FAILED", "MISSED", "LATE", "RECOVERED");
    assertThat(Notifications.Target.Channel.values())
        .extracting(Enum::name)
        .startsWith("WEBHOOK", "MAIL");
    assertThat(Rate.Unit.values())
        .extracting(Enum::name)
        .startsWith("SECOND", "MINUTE", "HOUR", "DAY");
    assertThat(Trigger.Every.From.values()).extracting(Enum::name).startsWith("START", "END");
    assertThat(Trigger.After.Outcome.values())
        .extracting(Enum::name)
        .startsWith("SUCCEEDED", "FAILED", "FINISHED");
    assertThat(DstRule.Gap.values()).extracting(Enum::name).startsWith("NEXT", "SKIP");
    assertThat(DstRule.Repeat.values())
        .extracting(Enum::name)
        .startsWith("FIRST", "SECOND", "BOTH");
    assertThat(Calendar.Effect.values()).extracting(Enum::name).startsWith("INCLUDE", "EXCLUDE");
    assertThat(Dialect.values()).extracting(Enum::name).startsWith("BELFRY", "QUARTZ");
    assertThat(NodeRecord.Role.values()).extracting(Enum::name).startsWith("SCHEDULER", "WORKER");
    assertThat(EventKind.values())
        .extracting(Enum::name)
        .startsWith(
            "TASK_SUBMITTED",
            "TASK_SCHEDULED",
            "TASK_STARTED",
            "TASK_COMPLETED",
            "TASK_FAILED",
            "TASK_CANCELLED",
            "TASK_RETRYING",
            "FIRES_SKIPPED",
            "WORKER_JOINED",
            "WORKER_LEFT",
            "WORKER_ONLINE",
            "WORKER_OFFLINE",
            "LEADER_CHANGED",
            "REPORT_REJECTED",
            "TASKS_UNMATCHED");
    assertThat(Fraction.values())
        .extracting(Enum::name)
        .containsExactly("NONE", "MILLIS", "MICROS", "NANOS");
  }

  private static byte[] appended(byte[] bytes, int at) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, at);
    out.writeBytes(FUTURE);
    out.write(bytes, at, bytes.length - at);
    return out.toByteArray();
  }
}
