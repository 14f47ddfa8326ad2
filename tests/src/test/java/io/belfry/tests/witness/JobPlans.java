package io.belfry.tests.witness;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.calendar.Days;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Limit;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.Collectors;

/** What Belfry is told of the jobs of a run: to its core as a definition, to a server as JSON. Threading: stateless. */
final class JobPlans {
  private JobPlans() {}

  static Job job(JobPlan plan) {
    JobBuilder job = Job.named(plan.job())
        .trigger(trigger(plan.rhythm()))
        .overlap(overlap(plan.policy()))
        .missed(
            new MissedPolicy(MissedPolicy.Policy.ALL, Duration.ofHours(1), MissedPolicy.MAX_COUNT))
        .local(LedgerHandlers.HANDLER, Payload.json(plan.policy().payload))
        .atMostOnce(plan.policy() == Policy.AT_MOST_ONCE)
        .timeout(Duration.ofSeconds(30));
    return switch (plan.policy()) {
      case LIMIT ->
        job.limit(Limit.concurrency(Policy.CONCURRENCY).by(Policy.LIMIT_KEY)).build();
      case RATE ->
        job.limit(
                Limit.rate(new Rate(Policy.RATE_PER_SECOND, Rate.Unit.SECOND)).by(Policy.RATE_KEY))
            .build();
      case PULL -> job.queue(Policy.PULL_QUEUE).build();
      default -> job.build();
    };
  }

  private static OverlapPolicy overlap(Policy policy) {
    return switch (policy) {
      case SKIP -> OverlapPolicy.SKIP;
      case QUEUE -> OverlapPolicy.QUEUE;
      case REPLACE -> OverlapPolicy.REPLACE;
      default -> OverlapPolicy.ALLOW;
    };
  }

  private static Trigger trigger(Rhythm rhythm) {
    return switch (rhythm) {
      case Rhythm.Clockwork clock -> Trigger.cron(clock.cron(), clock.zone());
      case Rhythm.OnDays days -> {
        Trigger.Cron cron = Trigger.cron(days.clock().cron(), days.clock().zone());
        yield new Trigger.Cron(
            cron.expression(),
            cron.zone(),
            cron.dst(),
            cron.dialect(),
            Window.ALWAYS.on(days.calendar()));
      }
      case Rhythm.Following(String job) ->
        new Trigger.After(new JobId(job), Trigger.After.Outcome.SUCCEEDED);
      case Rhythm.Steady(Duration every, Instant start) ->
        new Trigger.Every(every, Trigger.Every.From.START, Window.ALWAYS.from(start));
      case Rhythm.Once(Instant at) -> new Trigger.At(at);
    };
  }

  static Calendar calendar(Rhythm.OnDays days) {
    return Calendar.everyDay(days.calendar(), days.clock().zone())
        .excluding(new Days.Dates(days.excluded()));
  }

  static String calendarJson(Rhythm.OnDays days) {
    String dates = days.excluded().stream()
        .map(LocalDate::toString)
        .collect(Collectors.joining("\", \"", "[\"", "\"]"));
    return "{\"zone\": \"" + zone(days.clock().zone())
        + "\", \"rules\": [{\"exclude\": {\"dates\": " + dates + "}}]}";
  }

  static String jobJson(JobPlan plan) {
    String more = switch (plan.policy()) {
      case LIMIT ->
        ", \"limit\": {\"concurrency\": " + Policy.CONCURRENCY + ", \"key\": \"" + Policy.LIMIT_KEY
            + "\"}";
      case RATE ->
        ", \"limit\": {\"rate\": \"" + Policy.RATE_PER_SECOND + "/s\", \"key\": \""
            + Policy.RATE_KEY + "\"}";
      case PULL -> ", \"queue\": \"" + Policy.PULL_QUEUE + "\"";
      case AT_MOST_ONCE -> ", \"atMostOnce\": true";
      default -> "";
    };
    return """
        {"trigger": %s, "payload": %s, "overlap": "%s", "timeout": "30s",
         "executor": {"type": "local", "handler": "%s"},
         "missed": {"policy": "all", "maxAge": "1h", "maxCount": 10000}%s}
        """.formatted(
            triggerJson(plan.rhythm()),
            plan.policy().payload,
            overlap(plan.policy()).name().toLowerCase(java.util.Locale.ROOT),
            LedgerHandlers.HANDLER,
            more);
  }

  private static String triggerJson(Rhythm rhythm) {
    return switch (rhythm) {
      case Rhythm.Clockwork clock -> cronJson(clock, "");
      case Rhythm.OnDays days ->
        cronJson(days.clock(), ", \"calendar\": \"" + days.calendar() + "\"");
      case Rhythm.Following(String job) -> "{\"after\": \"" + job + "\", \"on\": \"succeeded\"}";
      case Rhythm.Steady(Duration every, Instant start) ->
        "{\"every\": \"" + every.toSeconds() + "s\", \"start\": \"" + start + "\"}";
      case Rhythm.Once(Instant at) -> "{\"at\": \"" + at + "\"}";
    };
  }

  private static String cronJson(Rhythm.Clockwork clock, String more) {
    return "{\"cron\": \"" + clock.cron() + "\", \"zone\": \"" + zone(clock.zone()) + "\"" + more
        + "}";
  }

  private static String zone(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }
}
