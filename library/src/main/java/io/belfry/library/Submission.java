package io.belfry.library;

import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.leader.task.TaskBody;
import io.belfry.core.submit.LimitKeys;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.KeyTemplate;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A task to submit: {@code Submission.local("send-invoice", invoice).in(Duration.ofMinutes(5)).priority(HIGH)}. Every method returns a modified
 * copy.
 *
 * <p>Threading: immutable.
 */
public final class Submission {
  private static final LimitKeys KEYS = new LimitKeys(new JsonPath());
  private static final TaskBody SERIAL = new TaskBody(new JsonPath());

  private static final Duration LONGEST_DELAY = Duration.ofDays(3660);

  /** The values, modified only right after a copy. */
  private static final class FoldBatch implements Cloneable {
    ExecutorSpec executor;
    Payload payload = Payload.EMPTY;
    Optional<String> name = Optional.empty();
    Optional<String> id = Optional.empty();
    Optional<String> key = Optional.empty();
    Duration delay = Duration.ZERO;
    Optional<Instant> at = Optional.empty();
    Priority priority = Priority.NORMAL;
    Optional<RetryPolicy> retry = Optional.empty();
    Optional<Duration> timeout = Optional.empty();
    boolean atMostOnce;
    String queue = Work.DEFAULT_QUEUE;
    Map<String, String> workers = Map.of();
    Limit limit = Limit.NONE;
    Map<String, String> metadata = Map.of();
    Optional<Job> job = Optional.empty();
    Optional<Payload> ownPayload = Optional.empty();
    Optional<String> by = Optional.empty();

    FoldBatch(ExecutorSpec executor) {
      this.executor = executor;
    }

    FoldBatch copy() {
      try {
        return (FoldBatch) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError("it is cloneable", e);
      }
    }
  }

  private final FoldBatch draft;

  private Submission(FoldBatch draft) {
    this.draft = draft;
  }

  private Submission with(Consumer<FoldBatch> change) {
    FoldBatch copy = draft.copy();
    change.accept(copy);
    return new Submission(copy);
  }

  /** A task for the handler of this name. The payload is written as JSON; bytes and a {@link Payload} are used unchanged. */
  public static Submission local(String handler, Object payload) {
    return of(ExecutorSpec.local(handler)).payload(payload);
  }

  /** A task for the handler of this name, without a payload. */
  public static Submission local(String handler) {
    return of(ExecutorSpec.local(handler));
  }

  /** A task for the default handler. */
  public static Submission unnamed(Object payload) {
    return of(new ExecutorSpec(LocalExecutor.TYPE, Map.of())).payload(payload);
  }

  /** A task for any executor. */
  public static Submission of(ExecutorSpec executor) {
    return new Submission(new FoldBatch(executor));
  }

  /**
   * A task of a stored job, with the job's executor, payload, timeout, retry policy, queue and limits. It belongs to the job like a triggered
   * task. Unlike a trigger it can have its own idempotency key, delay and priority. Submissions with the same key are equal if job and payload
   * are equal, even if the job was changed in between.
   */
  public static Submission of(Job job) {
    Work work = job.work();
    return of(work.executor()).with(d -> {
      d.job = Optional.of(job);
      d.name = Optional.of(work.name());
      d.payload = work.payload();
      d.timeout = Optional.of(work.timeout());
      d.retry = Optional.of(work.retry());
      d.atMostOnce = work.atMostOnce();
      d.queue = work.queue();
      d.workers = work.workers();
      d.limit = work.limit();
      d.metadata = work.metadata();
      d.priority = job.priority();
    });
  }

  /** Payload of the task: written as JSON, or used unchanged if it is bytes or a {@link Payload}. */
  public Submission payload(Object payload) {
    Payload made = Payloads.of(payload);
    return with(d -> {
      d.payload = made;
      d.ownPayload = Optional.of(made);
    });
  }

  /**
   * Submitter, stored with the task: one line of at most {@link Task#SUBMITTED_BY_CHARS_MAX} characters. It is ignored when submissions are
   * compared for idempotency.
   */
  public Submission by(String who) {
    String checked = Task.checkedSubmitter(who);
    return with(d -> d.by = Optional.of(checked));
  }

  /** Display name of the task. Default: the handler's name, or the executor's type. */
  public Submission name(String name) {
    return with(d -> d.name = Optional.of(name));
  }

  /** Task id chosen by you. Within the idempotency window, the same id with the same content returns the existing task. */
  public Submission id(String id) {
    Check.that(
        draft.job.isEmpty(),
        "id",
        id,
        "must not be set for a task of a job, because such ids contain the job id",
        "Set an idempotency key instead.");
    return with(d -> d.id = Optional.of(id));
  }

  /**
   * Idempotency key: a repeated submission with the same key returns the existing task, within the idempotency window. The key is also passed
   * to the handler or called service. It must be valid Unicode; a text that was cut within a surrogate pair is refused.
   */
  public Submission key(String idempotencyKey) {
    return with(d -> d.key = Optional.of(idempotencyKey));
  }

  /** Delay before the task may start. */
  public Submission in(Duration delay) {
    Check.between(
        "in", delay, Duration.ZERO, LONGEST_DELAY, "a task cannot start before it is submitted");
    return with(d -> {
      d.delay = delay;
      d.at = Optional.empty();
    });
  }

  /** Earliest start time; a time in the past means now. */
  public Submission at(Instant due) {
    return with(d -> {
      d.at = Optional.of(due);
      d.delay = Duration.ZERO;
    });
  }

  /** Priority of the task. Default: normal. */
  public Submission priority(Priority priority) {
    return with(d -> d.priority = priority);
  }

  /** Retry policy. Default: {@link Settings#retry}. */
  public Submission retry(RetryPolicy policy) {
    return with(d -> d.retry = Optional.of(policy));
  }

  /** Timeout of each attempt. Default: {@link Settings#taskTimeout}. */
  public Submission timeout(Duration timeout) {
    return with(d -> d.timeout = Optional.of(timeout));
  }

  /** At-most-once execution: the code starts at most once. It is not retried, and not restarted if its worker dies after the start. */
  public Submission atMostOnce() {
    return with(d -> d.atMostOnce = true);
  }

  /** Queue of the task. */
  public Submission queue(String queue) {
    return with(d -> d.queue = queue);
  }

  /** Labels that a worker must have to run the task. */
  public Submission workers(Map<String, String> labels) {
    return with(d -> d.workers = Map.copyOf(labels));
  }

  /** Concurrency and rate limits. */
  public Submission limit(Limit limit) {
    return with(d -> d.limit = limit);
  }

  /** Metadata stored with the task. */
  public Submission metadata(Map<String, String> metadata) {
    return with(d -> d.metadata = Map.copyOf(metadata));
  }

  io.belfry.core.submit.Submission toCore(Options defaults, Instant now, RandomGenerator random) {
    Instant due = draft.at.orElseGet(() -> now.plus(draft.delay));
    Task task = Task.pending(id(now, random), work(defaults), draft.priority, due, now);
    Task signed = draft.by.isPresent() ? task.withSubmitter(draft.by) : task;
    Task keyed = draft.key.map(signed::withKey).orElse(signed);
    var made = draft.id.isPresent()
        ? io.belfry.core.submit.Submission.named(keyed)
        : io.belfry.core.submit.Submission.of(keyed);
    return draft.job.map(job -> made.askedAs(asked(job))).orElse(made);
  }

  private TaskId id(Instant now, RandomGenerator random) {
    if (draft.job.isPresent()) {
      return TaskId.triggered(draft.job.get().id(), now, random);
    }
    return draft.id.<TaskId>map(TaskId.OneOff::new).orElseGet(() -> TaskId.oneOff(now, random));
  }

  /** The content that is compared for idempotency: the job id, and the payload if the caller set one. */
  private Work asked(Job job) {
    return Work.of(job.id().value(), new ExecutorSpec("job", Map.of()))
        .withPayload(draft.ownPayload.orElse(Payload.EMPTY));
  }

  private Work work(Options defaults) {
    RetryPolicy retry = draft.retry.orElseGet(() -> defaults.work.retry(draft.atMostOnce));
    String name = draft.name.orElseGet(this::nameOfExecutor);
    draft.limit.key().ifPresent(KeyTemplate::check);
    Work work = new Work(
        name,
        draft.executor,
        defaults.kept(draft.payload),
        draft.timeout.orElse(defaults.work.timeout()),
        retry,
        draft.atMostOnce,
        draft.queue,
        draft.workers,
        draft.limit,
        draft.metadata);
    return draft.job.map(job -> SERIAL.work(job, work)).orElseGet(() -> KEYS.fill(work, name));
  }

  private String nameOfExecutor() {
    Object handler = draft.executor.settings().get(LocalExecutor.HANDLER);
    return handler == null ? draft.executor.type() : handler.toString();
  }
}
