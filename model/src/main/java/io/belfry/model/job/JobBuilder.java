package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.missed.MissedPolicy;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds a job. Values that are not set have their documented defaults. A wrong value is refused at once or, if it
 * depends on another one, by {@link #build}. Threading: one thread.
 */
public final class JobBuilder {
  private final JobId id;
  private final WorkDefaults defaults;
  private String name;
  private String description = "";
  private Trigger trigger = new Trigger.Manual();
  private @Nullable ExecutorSpec executor;
  private Payload payload = Payload.EMPTY;
  private Duration timeout;
  private @Nullable RetryPolicy retry;
  private boolean atMostOnce;
  private MissedPolicy missed = MissedPolicy.DEFAULT;
  private OverlapPolicy overlap = OverlapPolicy.SKIP;
  private Priority priority = Priority.NORMAL;
  private String queue = Work.DEFAULT_QUEUE;
  private Map<String, String> workers = Map.of();
  private Limit limit = Limit.NONE;
  private Shards shards = Shards.ONE;
  private Expect expect = Expect.NOTHING;
  private Notifications notifications = Notifications.NONE;
  private Duration retain = Job.DEFAULT_RETAIN;
  private Optional<Integer> retainLast = Optional.empty();
  private boolean enabled = true;
  private Map<String, String> metadata = Map.of();
  private Optional<JobVersion> saved = Optional.empty();

  JobBuilder(JobId id, WorkDefaults defaults) {
    this.id = id;
    this.defaults = defaults;
    this.timeout = defaults.timeout();
    this.name = id.value();
  }

  JobBuilder(Job job) {
    this(job.id(), WorkDefaults.USUAL);
    Work work = job.work();
    name(work.name()).description(job.description()).trigger(job.trigger());
    executor(work.executor()).payload(work.payload()).timeout(work.timeout());
    retry(work.retry()).atMostOnce(work.atMostOnce()).missed(job.missed()).overlap(job.overlap());
    priority(job.priority()).queue(work.queue()).workers(work.workers()).limit(work.limit());
    shards(job.shards())
        .expect(job.expect())
        .notifications(job.notifications())
        .retain(job.retain());
    retainLast = job.retainLast();
    enabled(job.enabled()).metadata(work.metadata());
    saved = job.saved();
  }

  public JobBuilder name(String to) {
    name = to;
    return this;
  }

  public JobBuilder description(String to) {
    description = to;
    return this;
  }

  public JobBuilder trigger(Trigger to) {
    trigger = to;
    return this;
  }

  public JobBuilder cron(String expression, ZoneId zone) {
    return trigger(Trigger.cron(expression, zone));
  }

  public JobBuilder every(Duration interval) {
    return trigger(Trigger.every(interval));
  }

  public JobBuilder at(Instant instant) {
    return trigger(new Trigger.At(instant));
  }

  public JobBuilder after(String job, Trigger.After.Outcome on) {
    return trigger(new Trigger.After(new JobId(job), on));
  }

  public JobBuilder executor(ExecutorSpec to) {
    executor = to;
    return this;
  }

  public JobBuilder local(String handler) {
    return executor(ExecutorSpec.local(handler));
  }

  public JobBuilder local(String handler, Payload with) {
    return local(handler).payload(with);
  }

  public JobBuilder http(String method, String url) {
    return executor(ExecutorSpec.http(method, url));
  }

  public JobBuilder payload(Payload to) {
    payload = to;
    return this;
  }

  public JobBuilder timeout(Duration to) {
    timeout = to;
    return this;
  }

  public JobBuilder retry(RetryPolicy to) {
    retry = to;
    return this;
  }

  /** Disables retries, unless a retry policy is set as well. */
  public JobBuilder atMostOnce(boolean to) {
    atMostOnce = to;
    return this;
  }

  public JobBuilder missed(MissedPolicy to) {
    missed = to;
    return this;
  }

  public JobBuilder overlap(OverlapPolicy to) {
    overlap = to;
    return this;
  }

  public JobBuilder priority(Priority to) {
    priority = to;
    return this;
  }

  public JobBuilder queue(String to) {
    queue = to;
    return this;
  }

  public JobBuilder workers(Map<String, String> labels) {
    workers = labels;
    return this;
  }

  public JobBuilder limit(Limit to) {
    limit = to;
    return this;
  }

  public JobBuilder shards(Shards to) {
    shards = to;
    return this;
  }

  public JobBuilder expect(Expect to) {
    expect = to;
    return this;
  }

  public JobBuilder notifications(Notifications to) {
    notifications = to;
    return this;
  }

  public JobBuilder retain(Duration to) {
    retain = to;
    return this;
  }

  /** Keeps only this many of its finished tasks, the latest, and no longer than {@link #retain(Duration)} allows. */
  public JobBuilder retainLast(int to) {
    retainLast = Optional.of(to);
    return this;
  }

  public JobBuilder enabled(boolean to) {
    enabled = to;
    return this;
  }

  public JobBuilder metadata(Map<String, String> to) {
    metadata = to;
    return this;
  }

  public JobBuilder saved(JobVersion to) {
    saved = Optional.of(to);
    return this;
  }

  /** Builds the job. Throws {@link InvalidException} if the values do not fit together. */
  public Job build() {
    return new Job(
        id,
        description,
        trigger,
        work(),
        priority,
        missed,
        overlap,
        shards,
        expect,
        notifications,
        retain,
        retainLast,
        enabled,
        saved);
  }

  private Work work() {
    if (executor == null) {
      throw Check.refusal(
          "executor",
          new Check.Plain("nothing"),
          "must be given, because it defines what the job does",
          "Set a local handler, an HTTP URL or another executor.");
    }
    RetryPolicy chosen = retry != null ? retry : defaults.retry(atMostOnce);
    return new Work(
        name, executor, payload, timeout, chosen, atMostOnce, queue, workers, limit, metadata);
  }
}
