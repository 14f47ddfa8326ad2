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
 * A task to be carried out once: {@code Submission.local("send-invoice", invoice).in(Duration.ofMinutes(5)).priority(HIGH)}. Every
 * method returns a new one.
 *
 * <p>Threading: immutable.
 */
public final class Submission {
  private static final LimitKeys KEYS = new LimitKeys(new JsonPath());
  private static final TaskBody SERIAL = new TaskBody(new JsonPath());

  private static final Duration LONGEST_DELAY = Duration.ofDays(3660);

  /** Changed only by the one who has just copied it. */
  private static final class Draft implements Cloneable {
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

    Draft(ExecutorSpec executor) {
      this.executor = executor;
    }

    Draft copy() {
      try {
        return (Draft) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError("it is cloneable", e);
      }
    }
  }

  private final Draft draft;

  private Submission(Draft draft) {
    this.draft = draft;
  }

  private Submission with(Consumer<Draft> change) {
    Draft copy = draft.copy();
    change.accept(copy);
    return new Submission(copy);
  }

  /** For the handler of that name; the payload becomes JSON, or stays what it is if it is bytes or a {@link Payload}. */
  public static Submission local(String handler, Object payload) {
    return of(ExecutorSpec.local(handler)).payload(payload);
  }

  public static Submission local(String handler) {
    return of(ExecutorSpec.local(handler));
  }

  /** For the default handler. */
  public static Submission unnamed(Object payload) {
    return of(new ExecutorSpec(LocalExecutor.TYPE, Map.of())).payload(payload);
  }

  /** For any executor. */
  public static Submission of(ExecutorSpec executor) {
    return new Submission(new Draft(executor));
  }

  /**
   * What the saved job says: its executor, payload, timeout, retry, queue, limit and all else. The task belongs to the job like one that was
   * triggered; unlike a trigger it can have a key, a delay and a priority of its own. Under a key it is the same submission if job and payload are the
   * same, whatever the job's definition has become meanwhile.
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

  public Submission payload(Object payload) {
    Payload made = Payloads.of(payload);
    return with(d -> {
      d.payload = made;
      d.ownPayload = Optional.of(made);
    });
  }

  /**
   * Who submits it, kept with the task: one line of at most {@link Task#SUBMITTED_BY_CHARS_MAX} characters. No part of what makes it the
   * same submission when it comes again.
   */
  public Submission by(String who) {
    String checked = Task.checkedSubmitter(who);
    return with(d -> d.by = Optional.of(checked));
  }

  /** For people. Default: the handler's name, or the executor's type. */
  public Submission name(String name) {
    return with(d -> d.name = Optional.of(name));
  }

  /** An id of your own: the same id with the same content is the same task, for the window of idempotency. */
  public Submission id(String id) {
    Check.that(
        draft.job.isEmpty(),
        "id",
        id,
        "must not be given for a task of a job, because its id names the job",
        "Give it a key instead.");
    return with(d -> d.id = Optional.of(id));
  }

  /**
   * Handed to the target, and recognised when the same comes again within the window of idempotency. It must have whole characters: a text
   * that was cut within an emoji is refused when it is submitted.
   */
  public Submission key(String idempotencyKey) {
    return with(d -> d.key = Optional.of(idempotencyKey));
  }

  /** Not before so much time has passed. */
  public Submission in(Duration delay) {
    Check.between(
        "in", delay, Duration.ZERO, LONGEST_DELAY, "nothing runs before it was submitted");
    return with(d -> {
      d.delay = delay;
      d.at = Optional.empty();
    });
  }

  /** Not before that instant; at once if it has passed. */
  public Submission at(Instant due) {
    return with(d -> {
      d.at = Optional.of(due);
      d.delay = Duration.ZERO;
    });
  }

  public Submission priority(Priority priority) {
    return with(d -> d.priority = priority);
  }

  public Submission retry(RetryPolicy policy) {
    return with(d -> d.retry = Optional.of(policy));
  }

  /** Of one attempt. */
  public Submission timeout(Duration timeout) {
    return with(d -> d.timeout = Optional.of(timeout));
  }

  /** The code is started at most once, and neither retried nor, once begun, rescued. */
  public Submission atMostOnce() {
    return with(d -> d.atMostOnce = true);
  }

  public Submission queue(String queue) {
    return with(d -> d.queue = queue);
  }

  /** Labels that the worker must have. */
  public Submission workers(Map<String, String> labels) {
    return with(d -> d.workers = Map.copyOf(labels));
  }

  public Submission limit(Limit limit) {
    return with(d -> d.limit = limit);
  }

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

  /** The job by its id, and the payload if the caller gave one: all that the caller said. */
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
