package io.belfry.core.record;

import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Shards;
import io.belfry.model.missed.MissedPolicy;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Job definitions. Read and written rarely: policies are always written in full. Threading: stateless. */
final class JobCodec {
  private static final int ENABLED = 1;
  private static final int SAVED = 1 << 1;
  private static final int LAST = 1 << 2;

  private static final int FINISHED_BY = 1;
  private static final int MAX_LATENESS = 1 << 1;
  private static final int MAX_DURATION = 1 << 2;
  private static final int EXPECT_ALL = (1 << 3) - 1;

  private static final int FIXED = 0;
  private static final int PER_WORKER = 1;

  private static final Priority[] PRIORITIES = Priority.values();
  private static final OverlapPolicy[] OVERLAPS = OverlapPolicy.values();
  private static final MissedPolicy.Policy[] POLICIES = MissedPolicy.Policy.values();
  private static final Notifications.Occasion[] OCCASIONS = Notifications.Occasion.values();
  private static final Notifications.Target.Channel[] CHANNELS =
      Notifications.Target.Channel.values();

  private JobCodec() {}

  static void write(Writer out, Job job) {
    out.text(job.id().value());
    out.number((job.enabled() ? ENABLED : 0)
        | (job.saved().isPresent() ? SAVED : 0)
        | (job.retainLast().isPresent() ? LAST : 0));
    out.text(job.description());
    TriggerCodec.write(out, job.trigger());
    WorkCodec.write(out, job.work());
    out.constant(job.priority());
    writeMissed(out, job.missed());
    out.constant(job.overlap());
    writeShards(out, job.shards());
    writeExpect(out, job.expect());
    writeNotifications(out, job.notifications());
    out.duration(job.retain());
    job.retainLast().ifPresent(out::number);
    job.saved().ifPresent(saved -> writeSaved(out, saved));
  }

  static Job read(Reader in) {
    JobId id = new JobId(in.text());
    int flags = in.flags(ENABLED | SAVED | LAST);
    return new Job(
        id,
        in.text(),
        TriggerCodec.read(in),
        WorkCodec.read(in),
        in.constant(PRIORITIES),
        readMissed(in),
        in.constant(OVERLAPS),
        readShards(in),
        readExpect(in),
        readNotifications(in),
        in.duration(),
        (flags & LAST) == 0 ? Optional.empty() : Optional.of(in.integer()),
        (flags & ENABLED) != 0,
        (flags & SAVED) == 0 ? Optional.empty() : Optional.of(readSaved(in)));
  }

  private static void writeMissed(Writer out, MissedPolicy missed) {
    int begun = out.begin();
    out.constant(missed.policy());
    out.duration(missed.maxAge());
    out.number(missed.maxCount());
    out.end(begun);
  }

  private static MissedPolicy readMissed(Reader in) {
    int outer = in.enter();
    MissedPolicy missed = new MissedPolicy(in.constant(POLICIES), in.duration(), in.integer());
    in.leave(outer);
    return missed;
  }

  private static void writeShards(Writer out, Shards shards) {
    int begun = out.begin();
    switch (shards) {
      case Shards.Fixed(int count) -> {
        out.number(FIXED);
        out.number(count);
      }
      case Shards.PerWorker unused -> out.number(PER_WORKER);
    }
    out.end(begun);
  }

  private static Shards readShards(Reader in) {
    int outer = in.enter();
    int tag = in.integer();
    Shards shards = switch (tag) {
      case FIXED -> new Shards.Fixed(in.integer());
      case PER_WORKER -> new Shards.PerWorker();
      default -> throw in.damaged("shards of the unknown kind " + tag);
    };
    in.leave(outer);
    return shards;
  }

  private static void writeExpect(Writer out, Expect expect) {
    int begun = out.begin();
    out.number((expect.finishedBy().isPresent() ? FINISHED_BY : 0)
        | (expect.maxLateness().isPresent() ? MAX_LATENESS : 0)
        | (expect.maxDuration().isPresent() ? MAX_DURATION : 0));
    expect.finishedBy().ifPresent(time -> out.number(time.toNanoOfDay()));
    expect.maxLateness().ifPresent(out::duration);
    expect.maxDuration().ifPresent(out::duration);
    out.end(begun);
  }

  private static Expect readExpect(Reader in) {
    int outer = in.enter();
    int flags = in.flags(EXPECT_ALL);
    Expect expect = new Expect(
        (flags & FINISHED_BY) == 0
            ? Optional.empty()
            : Optional.of(LocalTime.ofNanoOfDay(in.number())),
        (flags & MAX_LATENESS) == 0 ? Optional.empty() : Optional.of(in.duration()),
        (flags & MAX_DURATION) == 0 ? Optional.empty() : Optional.of(in.duration()));
    in.leave(outer);
    return expect;
  }

  private static void writeNotifications(Writer out, Notifications notifications) {
    int begun = out.begin();
    out.constants(notifications.on());
    out.number(notifications.to().size());
    for (Notifications.Target target : notifications.to()) {
      out.constant(target.channel());
      out.text(target.address());
    }
    out.end(begun);
  }

  private static Notifications readNotifications(Reader in) {
    int outer = in.enter();
    Set<Notifications.Occasion> on = in.constants(Notifications.Occasion.class, OCCASIONS);
    List<Notifications.Target> to =
        in.list(r -> new Notifications.Target(r.constant(CHANNELS), r.text()));
    in.leave(outer);
    return new Notifications(on, to);
  }

  private static void writeSaved(Writer out, JobVersion saved) {
    int begun = out.begin();
    out.number(saved.generation());
    out.instant(saved.created());
    out.instant(saved.updated());
    if (saved.incarnation() > 1) {
      out.number(saved.incarnation());
    }
    out.end(begun);
  }

  private static JobVersion readSaved(Reader in) {
    int outer = in.enter();
    JobVersion saved =
        new JobVersion(in.number(), in.instant(), in.instant(), in.hasMore() ? in.number() : 1);
    in.leave(outer);
    return saved;
  }
}
