package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.history.Bucket;
import io.belfry.core.history.Listing;
import io.belfry.core.history.Query;
import io.belfry.core.history.Slice;
import io.belfry.core.jobs.Requests;
import io.belfry.core.keys.Keys;
import io.belfry.core.log.AttemptLog;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.Progress;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Receipt;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A Belfry node in this process: the entry point of the library.
 *
 * <pre>{@code
 * try (Belfry belfry = Belfry.open(Settings.defaults().store("redis://localhost:6379"))) {
 *   belfry.handle("send-invoice", Invoice.class, (invoice, attempt) -> mail(invoice, attempt.token()));
 *   belfry.jobs().save(Job.named("nightly").cron("0 30 2 * * *", zone).local("send-invoice", Payloads.of(all)).build());
 *   TaskId id = belfry.submit(Submission.local("send-invoice", invoice).in(Duration.ofMinutes(5)).priority(HIGH));
 * }
 * }</pre>
 *
 * <p>Methods that use the store block until it answers, at most for {@link Settings#callTimeout} in total. They throw a {@link StoreException}
 * if the store fails; after {@link StoreException.Unknown} the change may still take effect. Invalid arguments throw an {@link
 * InvalidException} and change nothing.
 *
 * <p>Threading: safe.
 */
public final class Belfry implements AutoCloseable {
  private static final int REASON_CHARS_MAX = 500;

  final NodeParts parts;
  private final Calls calls;
  private final JobOperations jobs;
  private final CalendarOperations calendars;
  private final NamespaceSwitch namespace;
  private final LoadBalancing strategy;
  private final QueueOperations queues;
  private final WorkerOperations workers;
  private final RunOnce stop = new RunOnce();

  private Belfry(NodeParts parts, Settings settings) {
    this.parts = parts;
    this.calls = parts.calls;
    this.jobs = new JobOperations(calls, parts);
    this.calendars = new CalendarOperations(calls, () -> parts.scheduler().calendars);
    this.namespace = new NamespaceSwitch(calls, parts.state);
    this.strategy = new LoadBalancing(namespace, settings.strategies());
    this.queues = new QueueOperations(calls, parts.state);
    this.workers = new WorkerOperations(calls, parts::scheduler);
  }

  /** A registered event callback; {@link #close} unregisters it. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Connects to the store and starts the node. Attempts that start before their handler is registered wait up to {@link
   * Settings#handlerGrace} for it.
   *
   * @throws InvalidException if a setting is invalid or settings contradict each other
   * @throws StoreException if the store cannot be used
   */
  public static Belfry open(Settings settings) {
    return open(settings, belfry -> {});
  }

  /** Like {@link #open(Settings)}, but runs {@code prepare} before the node starts. Register handlers and callbacks there. */
  public static Belfry open(Settings settings, Consumer<Belfry> prepare) {
    var belfry = new Belfry(NodeParts.open(settings.checked()), settings);
    try {
      settings.options().strategy.ifPresent(belfry.strategy::initialize);
      prepare.accept(belfry);
      belfry.parts.start();
    } catch (RuntimeException | Error e) {
      belfry.stop(Duration.ZERO);
      throw e;
    }
    return belfry;
  }

  /** Manages jobs: save, delete, enable, trigger, explain. */
  public JobOperations jobs() {
    return jobs;
  }

  /** Manages calendars, which define the days on which jobs fire. */
  public CalendarOperations calendars() {
    return calendars;
  }

  /** Gets and sets the load-balancing strategy of the namespace. */
  public LoadBalancing strategy() {
    return strategy;
  }

  /** Manages queues: push or pull mode, pause, resume. */
  public QueueOperations queues() {
    return queues;
  }

  /**
   * Pauses the whole namespace: no job fires and no attempt starts until {@link #resume}. The leader applies it within milliseconds; running
   * attempts continue. After the resume, each job's missed-fire policy decides which missed fires are caught up.
   *
   * @param reason shown to users while the namespace is paused
   */
  public void pause(String reason) {
    Check.text("reason", reason, REASON_CHARS_MAX);
    namespace.change(now -> now.pausedFor(reason));
  }

  /** Resumes the namespace. */
  public void resume() {
    namespace.change(NamespaceSettings::resumed);
  }

  public boolean isPaused() {
    return namespace.get().paused();
  }

  /** The reason given to {@link #pause}; empty if the namespace is not paused. */
  public Optional<String> pauseReason() {
    NamespaceSettings now = namespace.get();
    return now.paused() ? Optional.of(now.reason()) : Optional.empty();
  }

  /** Registers the handler that runs tasks of this name on this node. */
  public <T> void handle(String name, Class<T> payload, Handler<T> handler) {
    handleWithResult(name, payload, (value, attempt) -> {
      handler.handle(value, attempt);
      return null;
    });
  }

  /** Registers a handler that ignores the payload. */
  public void handle(String name, Handler.Plain handler) {
    parts.local().handle(name, attempt -> {
      handler.handle(attempt);
      return Result.OK;
    });
  }

  /** Registers a handler whose return value becomes the data of the task's result: bytes unchanged, anything else as JSON. */
  public <T> void handleWithResult(String name, Class<T> payload, Handler.WithResult<T> handler) {
    parts.local().handle(name, Handlers.of(payload, handler));
  }

  /** Registers the handler for tasks that name no handler. */
  public <T> void handleDefault(Class<T> payload, Handler<T> handler) {
    parts.local().handleDefault(Handlers.of(payload, (value, attempt) -> {
      handler.handle(value, attempt);
      return null;
    }));
  }

  /**
   * Submits a task. The task is durable when this method returns.
   *
   * @return the id of the task; if the same submission was accepted before, the id of that earlier task
   * @throws ConflictException if the id or idempotency key was used before with different content
   */
  public TaskId submit(Submission submission) {
    return Batch.task(calls.write(() -> send(submission)));
  }

  private CompletionStage<Receipt> send(Submission submission) {
    var task = submission.toCore(parts.options, parts.time.wall(), parts.random);
    return parts.scheduler().submitter.submit(task);
  }

  /** Submits many tasks in few round trips; one outcome each, in order. One that is unknown in time is refused with {@link StoreException.Unknown}. */
  public List<Submitted> submitAll(List<Submission> submissions) {
    calls.requireWritable();
    return new Batch(calls).submit(submissions, this::send);
  }

  /** Gets a task, unfinished or finished; empty if it does not exist or its retention time is over. */
  public Optional<Task> task(TaskId id) {
    return calls.read(() -> parts.history.find(id));
  }

  /**
   * Lists a page of the tasks that match the query: unfinished tasks first, then finished ones by end time, newest first.
   *
   * @param cursor {@link Listing#next} of the previous page; empty for the first page
   * @param limit page size, from 1 to {@link io.belfry.core.history.History#LIMIT_MAX}
   */
  public Listing tasks(Query query, Optional<String> cursor, int limit) {
    return calls.read(() -> parts.history.list(query, cursor, limit));
  }

  /** Sums up finished tasks of one job, or of all jobs, over whole hours: counts by outcome and run times. */
  public Rollup stats(Optional<JobId> job, Instant from, Instant to) {
    return calls.read(() -> parts.history.stats(job, from, to));
  }

  /**
   * Sums up finished tasks by hour or UTC day, in order, from the bucket of {@code from} to that of {@code to}.
   *
   * @throws InvalidException if the range has more than {@link io.belfry.core.history.History#SLICES_MAX} buckets
   */
  public List<Slice> stats(Optional<JobId> job, Instant from, Instant to, Bucket by) {
    return calls.read(() -> parts.history.stats(job, from, to, by));
  }

  /** Explains why no online worker matches the queue and labels of a waiting task; empty if one does, or if the task is not waiting. */
  public Optional<String> unmatchedReason(Task task) {
    return calls.read(() -> parts.scheduler().explaining.waits(task));
  }

  /**
   * Requests the cancellation of a task. A waiting task is cancelled at once; a running attempt is interrupted, and the task is cancelled
   * unless the attempt still succeeds. The request is durable when this method returns.
   *
   * @param reason shown to users, at most 500 characters
   * @return false if the task has already finished or does not exist
   */
  public boolean cancel(TaskId id, String reason) {
    return cancel(id, reason, parts.scheduler().node);
  }

  /** Like {@link #cancel(TaskId, String)}, with the name of the requester instead of this node's name, at most 160 characters. */
  public boolean cancel(TaskId id, String reason, String by) {
    String why = Requests.checkedReason(reason);
    Calls.Span span = calls.begin();
    if (span.read(() -> parts.state.get(List.of(Keys.task(id)))).isEmpty()) {
      return false;
    }
    span.write(() -> parts.scheduler().requests.cancel(id, why, Task.checkedSubmitter(by)));
    return true;
  }

  /** Changes the priority of a waiting task. */
  public void prioritize(TaskId id, Priority priority) {
    calls.write(() -> parts.scheduler().requests.prioritise(id, priority, parts.scheduler().node));
  }

  /**
   * Retries a failed or cancelled task as a new task of the same job with the same work and priority, due now. The finished task does not
   * change; the new task refers to it in the metadata {@code belfry.retry-of}. Within the idempotency window a second call returns the same
   * new task.
   *
   * @return the id of the new task, which the leader creates within a moment
   * @throws InvalidException if the task has not failed and was not cancelled, or if it does not exist
   */
  public TaskId retry(TaskId id) {
    return calls.write(() -> parts.scheduler().retries.retry(id, ""));
  }

  /** Like {@link #retry(TaskId)}, and stores the name of the requester as the submitter of the new task, at most 160 characters. */
  public TaskId retry(TaskId id, String by) {
    return calls.write(() -> parts.scheduler().retries.retry(id, Task.checkedSubmitter(by)));
  }

  /** The progress that the running attempt of a task reported last; empty if it reported none, or if the task is not running. */
  public Optional<Progress> progress(TaskId id) {
    return calls.read(() -> parts.journal.progress(id));
  }

  /** The logs of the task's attempts, in order, from whichever nodes they ran on. Attempts that logged nothing are left out. */
  public List<AttemptLog> logs(TaskId id) {
    return calls.read(() -> parts.journal.logs(id));
  }

  /** The logs of all attempts as one text, under a heading each if there are several. The log of a running attempt lags by about a second. */
  public Optional<String> log(TaskId id) {
    return Logs.joined(logs(id));
  }

  /**
   * Reports rejected because the worker's lease had expired and its attempt was already reassigned. They changed nothing, but the code did
   * run. The last {@link LateReport#KEPT} in order of the attempts, kept as long as finished tasks.
   */
  public List<LateReport> lateReports(TaskId id) {
    return calls.read(() -> parts.journal.late(id));
  }

  /**
   * Registers a callback for events of this type, whichever node leads. It has its own thread and receives the events of one task in order.
   * Delivery is at most once: events lost during a failover, or because the callback is too slow, are counted and logged. Use {@link #task}
   * and {@link #tasks} to read the actual state. On a node that does not lead, events begin a moment after this call, and their tasks have no
   * payload and no result data. A callback that throws is still called for the next event.
   */
  public <H extends Happening> Subscription on(Class<H> type, Consumer<? super H> callback) {
    return parts.events.on(type, callback);
  }

  /** The workers that have a lease. */
  public List<WorkerRecord> workers() {
    return new MetricsReader(parts).workers(calls.begin());
  }

  /** Manages workers on any node: drain, resume, change capacity. */
  public WorkerOperations workerOperations() {
    return workers;
  }

  /** Sets how many attempts this node's worker runs at once; 0 stops new ones. The last change wins, also against {@link #workerOperations}. */
  public void capacity(int attempts) {
    WorkerSettings.requireCapacity("capacity", attempts);
    parts.capacity(attempts);
  }

  /** The metrics of this node, from memory, without access to the store. Returns at once, from any thread. */
  public NodeMetrics nodeMetrics() {
    return new MetricsReader(parts).nodeMetrics();
  }

  /** The health of this node, from memory. Returns at once, from any thread. */
  public NodeHealth health() {
    return parts.health();
  }

  /** The metrics of the namespace. On a node that does not lead, this reads all unfinished tasks. */
  public Metrics metrics() {
    return new MetricsReader(parts).now(calls.begin());
  }

  /** The nodes and the leader of the cluster, read from the store; the same on every node. */
  public ClusterStatus cluster() {
    return calls.read(() -> ClusterStatus.read(parts.state, parts.election));
  }

  /** Like {@link #cluster}, without blocking. */
  public CompletionStage<ClusterStatus> clusterAsync() {
    return ClusterStatus.read(parts.state, parts.election);
  }

  /** Whether this node is the leader of the namespace, as far as its own lease tells. */
  public boolean isLeader() {
    SchedulerPart now = parts.scheduler();
    return calls.ask(now.loop, now::leads);
  }

  /** The node that is the leader, or that has won the election and is about to start. */
  public Optional<String> leader() {
    return calls.read(() -> parts.election.get(List.of(Keys.LEADER))).stream()
        .findFirst()
        .map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
  }

  /** This node's name and incarnation; another one after a part of it was restarted. */
  public String nodeId() {
    return parts.scheduler().node;
  }

  /** The id of this node's worker, with its incarnation; empty if the node has none. */
  public Optional<String> workerId() {
    return parts.worker().map(WorkerPart::id);
  }

  /** The error that made a part of this node fail more than five times within a minute, so that the process should be replaced. */
  public Optional<Throwable> failure() {
    return parts.failure();
  }

  /** Terminates the namespace permanently, on all nodes, if it is empty. See {@link Remaining} for what counts. */
  public Remaining endIfEmpty() {
    return new NamespaceTermination(calls, parts.state, NamespaceTermination.LEASE).endIfEmpty();
  }

  /** Shuts down gracefully: stops new work, gives up leadership, and hands back attempts that outlast the patience. Safe to call twice. */
  public void stop(Duration patience) {
    stop.once(() -> parts.stop(patience));
  }

  /** Calls {@link #stop} with {@link Settings#stopPatience}. */
  @Override
  public void close() {
    stop(parts.options.stopPatience);
  }
}
