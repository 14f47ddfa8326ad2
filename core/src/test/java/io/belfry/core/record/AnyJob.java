package io.belfry.core.record;

import io.belfry.model.cron.Dialect;
import io.belfry.model.cron.DstRule;
import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Shards;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.missed.MissedPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Any job, with any trigger and any policies. */
final class AnyJob {
  private static final Duration BRIEF = Duration.ofMillis(1);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration DECADE = Duration.ofDays(3660);

  private AnyJob() {}

  static Job job(RandomGenerator random) {
    return new Job(
        new JobId(Any.name(random, 128)),
        Any.words(random, 4000),
        trigger(random),
        AnyWork.work(random),
        Any.constant(random, Priority.class),
        missed(random),
        Any.constant(random, OverlapPolicy.class),
        Any.flip(random) ? new Shards.PerWorker() : new Shards.Fixed(random.nextInt(1, 10_001)),
        expect(random),
        Any.flip(random) ? Notifications.NONE : notifications(random),
        Any.duration(random, Duration.ofMinutes(1), DECADE),
        Any.maybe(random, r -> r.nextInt(1, 1_000_001)),
        Any.flip(random),
        Any.maybe(random, AnyJob::saved));
  }

  private static JobVersion saved(RandomGenerator random) {
    long generation = Math.max(1, Any.count(random));
    long incarnation = Any.flip(random) ? 1 : 1 + random.nextLong(generation);
    return new JobVersion(generation, Any.instant(random), Any.instant(random), incarnation);
  }

  private static Trigger trigger(RandomGenerator random) {
    return Any.<Trigger>oneOf(
        random,
        Trigger.Manual::new,
        () -> new Trigger.At(Any.instant(random)),
        () -> new Trigger.After(
            new JobId("before-" + Any.name(random, 100)),
            Any.constant(random, Trigger.After.Outcome.class)),
        () -> new Trigger.Every(
            Duration.ofMillis(random.nextLong(100, DECADE.toMillis())),
            Any.constant(random, Trigger.Every.From.class),
            window(random, Duration.ofMillis(99))),
        () -> cron(random));
  }

  private static Trigger.Cron cron(RandomGenerator random) {
    return new Trigger.Cron(
        Any.<String>oneOf(random, () -> "0 30 2 * * *", () -> "*/5 * * * *", () -> "H H * * *"),
        Any.<ZoneId>oneOf(
            random,
            () -> ZoneOffset.UTC,
            () -> ZoneId.of("UTC"),
            () -> ZoneId.of("Europe/Zurich"),
            () -> ZoneId.of("+05:45"),
            () -> ZoneId.of("GMT+2")),
        new DstRule(
            Any.constant(random, DstRule.Gap.class), Any.constant(random, DstRule.Repeat.class)),
        Dialect.BELFRY,
        window(random, Duration.ofDays(1)));
  }

  private static Window window(RandomGenerator random, Duration jitter) {
    Optional<Instant> start = Any.maybe(random, Any::millis);
    return new Window(
        start,
        Any.maybe(
            random,
            r -> start.orElse(Instant.EPOCH).plusNanos(r.nextLong(1, 1_000_000_000_000_000_000L))),
        Any.maybe(random, r -> Any.name(r, 128)),
        Any.flip(random) ? Duration.ZERO : Any.duration(random, Duration.ZERO, jitter));
  }

  private static MissedPolicy missed(RandomGenerator random) {
    return new MissedPolicy(
        Any.constant(random, MissedPolicy.Policy.class),
        Any.duration(random, Duration.ZERO, MissedPolicy.MAX_AGE),
        random.nextInt(1, MissedPolicy.MAX_COUNT + 1));
  }

  private static Expect expect(RandomGenerator random) {
    return new Expect(
        Any.maybe(random, r -> LocalTime.ofNanoOfDay(r.nextLong(86_400_000_000_000L))),
        Any.maybe(random, r -> Any.duration(r, BRIEF, MONTH)),
        Any.maybe(random, r -> Any.duration(r, BRIEF, MONTH)));
  }

  private static Notifications notifications(RandomGenerator random) {
    Set<Notifications.Occasion> on = EnumSet.of(Any.constant(random, Notifications.Occasion.class));
    on.addAll(Any.constants(random, Notifications.Occasion.class));
    List<Notifications.Target> to = Any.list(random, 19, AnyJob::target);
    to.add(target(random));
    return new Notifications(on, to);
  }

  private static Notifications.Target target(RandomGenerator random) {
    return new Notifications.Target(
        Any.constant(random, Notifications.Target.Channel.class), Any.text(random, 256));
  }
}
