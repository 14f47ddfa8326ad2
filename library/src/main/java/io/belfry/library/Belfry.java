package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Requests;
import io.belfry.core.journal.AttemptText;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.LateReport;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.Progress;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.retain.Bucket;
import io.belfry.core.retain.Listing;
import io.belfry.core.retain.Query;
import io.belfry.core.retain.Slice;
import io.belfry.core.submit.Receipt;
import io.belfry.core.work.WorkerSettings;
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
 * Belfry inside this process.
 *
 * <pre>{@code
 * try (Belfry belfry = Belfry.open(Settings.defaults().store("redis://localhost:6379"))) {
 *   belfry.handle("send-invoice", Invoice.class, (invoice, attempt) -> mail(invoice, attempt.token()));
 *   belfry.jobs().put(Job.named("nightly").cron("0 30 2 * * *", zone).local("send-invoice", Payloads.of(all)).build());
 *   TaskId id = belfry.submit(Submission.local("send-invoice", invoice).in(Duration.ofMinutes(5)).priority(HIGH));
 * }
 * }</pre>
 *
 * <p>Methods that need the store wait for it, at most as long as {@link Settings#callTimeout} says, however much they ask of it, and throw
 * a {@link StoreException} otherwise: {@link StoreException.Unknown} if what was asked may still happen. Values that are refused throw an
 * {@link InvalidException} and have changed nothing.
 *
 * <p>Threading: safe.
 */
public final class Belfry implements AutoCloseable {
  private static final int REASON_CHARS_MAX = 500;

  final Parts parts;
  private final Calls calls;
  private final JobDesk jobs;
  private final CalendarDesk calendars;
  private final NamespaceSwitch namespace;
  private final StrategyDesk strategy;
  private final QueueDesk queues;
  private final WorkerDesk orders;
  private final End end = new End();

  private Belfry(Parts parts, Settings settings) {
    this.parts = parts;
    this.calls = parts.calls;
    this.jobs = new JobDesk(calls, parts);
    this.calendars = new CalendarDesk(calls, () -> parts.decider().calendars);
    this.namespace = new NamespaceSwitch(calls, parts.state);
    this.strategy = new StrategyDesk(namespace, settings.strategies());
    this.queues = new QueueDesk(calls, parts.state);
    this.orders = new WorkerDesk(calls, parts::decider);
  }

  /** Takes a callback off. */
  @FunctionalInterface
  public interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Connects to the store and starts. Attempts that come before their handler is registered wait for it for {@link
   * Settings#handlerGrace}.
   *
   * @throws InvalidException if the settings do not fit together
   * @throws StoreException if the store cannot be used
   */
  public static Belfry open(Settings settings) {
    return open(settings, belfry -> {});
  }

  /** The same, and starts only after {@code prepare} has registered handlers and callbacks. */
  public static Belfry open(Settings settings, Consumer<Belfry> prepare) {
    var belfry = new Belfry(Parts.open(settings.checked()), settings);
    try {
      settings.options().strategy.ifPresent(belfry.strategy::begin);
      prepare.accept(belfry);
      belfry.parts.start();
    } catch (RuntimeException | Error e) {
      belfry.stop(Duration.ZERO);
      throw e;
    }
    return belfry;
  }

  /** Definitions of jobs. */
  public JobDesk jobs() {
    return jobs;
  }

  /** On which days jobs fire. */
  public CalendarDesk calendars() {
    return calendars;
  }

  /** How workers are chosen. */
  public StrategyDesk strategy() {
    return strategy;
  }

  /** How queues are served. */
  public QueueDesk queues() {
    return queues;
  }

  /**
   * Pauses the whole namespace: nothing fires and nothing is begun, from when the leader has heard of it, some milliseconds later; what
   * runs goes on. Whoever leads keeps to it until {@link #resume}, and then each job's rule for missed fires says what is made up for.
   *
   * @param reason for people, kept until then
   */
  public void pause(String reason) {
    Check.text("reason", reason, REASON_CHARS_MAX);
    namespace.change(now -> now.pausedFor(reason));
  }

  /** Lets the namespace go on. */
  public void resume() {
    namespace.change(NamespaceSettings::resumed);
  }

  public boolean isPaused() {
    return namespace.get().paused();
  }

  /** Why the namespace is paused; empty while it is not. */
  public Optional<String> pausedFor() {
    NamespaceSettings now = namespace.get();
    return now.paused() ? Optional.of(now.reason()) : Optional.empty();
  }

  /** Has tasks for this handler carried out by this function, on this node. */
  public <T> void handle(String name, Class<T> payload, Handler<T> handler) {
    answer(name, payload, (value, attempt) -> {
      handler.handle(value, attempt);
      return null;
    });
  }

  /** The same for tasks whose payload does not matter. */
  public void handle(String name, Handler.Plain handler) {
    parts.local().handle(name, attempt -> {
      handler.handle(attempt);
      return Result.OK;
    });
  }

  /** The same with an answer, which becomes the data of the result: bytes as they are, everything else as JSON. */
  public <T> void answer(String name, Class<T> payload, Handler.Answering<T> handler) {
    parts.local().handle(name, Handlers.of(payload, handler));
  }

  /** Has tasks that name no handler carried out by this function. */
  public <T> void handleDefault(Class<T> payload, Handler<T> handler) {
    parts.local().handleDefault(Handlers.of(payload, (value, attempt) -> {
      handler.handle(value, attempt);
      return null;
    }));
  }

  /**
   * Submits a task. It is durable when this returns.
   *
   * @return its id; that of the earlier task, if the same was submitted before
   * @throws ConflictException if its id or key was used for something else
   */
  public TaskId submit(Submission submission) {
    return Batch.task(calls.write(() -> send(submission)));
  }

  private CompletionStage<Receipt> send(Submission submission) {
    var task = submission.toCore(parts.options, parts.time.wall(), parts.random);
    return parts.decider().submitter.submit(task);
  }

  /** Submits many in few round trips. Each has its outcome, in their order; one not known in time is refused with {@link StoreException.Unknown}. */
  public List<Submitted> submitAll(List<Submission> submissions) {
    calls.requireWritable();
    return new Batch(calls).submit(submissions, this::send);
  }

  /** The task, as it stands or as it ended; empty if it never was, or is not kept any more. */
  public Optional<Task> task(TaskId id) {
    return calls.read(() -> parts.history.find(id));
  }

  /**
   * A page of the tasks that match: first those that have not ended, then the others, the newest end first.
   *
   * @param cursor {@link Listing#next} of the page before; empty for the first
   * @param limit tasks on the page, from 1 to {@link io.belfry.core.retain.History#LIMIT_MAX}
   */
  public Listing tasks(Query query, Optional<String> cursor, int limit) {
    return calls.read(() -> parts.history.list(query, cursor, limit));
  }

  /** How many tasks ended how, and how long they took, by the hour in which they ended; of one job, or of all. */
  public Rollup stats(Optional<JobId> job, Instant from, Instant to) {
    return calls.read(() -> parts.history.stats(job, from, to));
  }

  /**
   * The same hour by hour, or day by day of UTC: each from that of one instant to that of the other, in their order.
   *
   * @throws InvalidException if there are more than {@link io.belfry.core.retain.History#SLICES_MAX}
   */
  public List<Slice> stats(Optional<JobId> job, Instant from, Instant to, Bucket by) {
    return calls.read(() -> parts.history.stats(job, from, to, by));
  }

  /** Why a waiting task cannot start, whatever becomes free: no worker may take it. Empty if one may, or if the task does not wait. */
  public Optional<String> waits(Task task) {
    return calls.read(() -> parts.decider().explaining.waits(task));
  }

  /**
   * Asks for the end of a task: at once while it waits; otherwise its code is interrupted, and it is cancelled unless it succeeds all
   * the same. The request is durable when this returns.
   *
   * @param reason for people, at most 500 characters
   * @return false if the task had ended, or never was
   */
  public boolean cancel(TaskId id, String reason) {
    return cancel(id, reason, parts.decider().node);
  }

  /** The same, with who asks for it instead of the name of this node, at most 160 characters. */
  public boolean cancel(TaskId id, String reason, String by) {
    String why = Requests.checkedReason(reason);
    Calls.Span span = calls.begin();
    if (span.read(() -> parts.state.get(List.of(Keys.task(id)))).isEmpty()) {
      return false;
    }
    span.write(() -> parts.decider().requests.cancel(id, why, Task.checkedSubmitter(by)));
    return true;
  }

  /** Changes the priority of a task that waits. */
  public void prioritise(TaskId id, Priority priority) {
    calls.write(() -> parts.decider().requests.prioritise(id, priority, parts.decider().node));
  }

  /**
   * Does again what has failed or was cancelled, as a new task with the same work and priority, due now. The finished task stays as it
   * is; the new one names it in its metadata, as {@code belfry.retry-of}, and belongs to the same job. Asked again within the window of
   * idempotency, this answers with the same new task.
   *
   * @return the new task's id; the leader makes it in a moment
   * @throws InvalidException if the task has not ended so, or is not known any more
   */
  public TaskId retry(TaskId id) {
    return calls.write(() -> parts.decider().retries.retry(id, ""));
  }

  /** The same, with who asks for it, at most 160 characters, kept with the new task as its submitter. */
  public TaskId retry(TaskId id, String by) {
    return calls.write(() -> parts.decider().retries.retry(id, Task.checkedSubmitter(by)));
  }

  /** How far the running attempt of a task says that it has come; empty if it said nothing, or does not run. */
  public Optional<Progress> progress(TaskId id) {
    return calls.read(() -> parts.journal.progress(id));
  }

  /** The log of each attempt of the task that has logged anything, in their order, wherever it runs or ran. */
  public List<AttemptText> logs(TaskId id) {
    return calls.read(() -> parts.journal.logs(id));
  }

  /** The same as one text: up to about a second ago while it runs. Several attempts follow each other, each under a line that names it. */
  public Optional<String> log(TaskId id) {
    return Logs.joined(logs(id));
  }

  /**
   * What workers reported of attempts of the task when those had been taken from them, because their lease had ended: it changed nothing,
   * but the code did run. In the order of the attempts, the last {@link LateReport#KEPT}, for as long as finished tasks are kept.
   */
  public List<LateReport> rejected(TaskId id) {
    return calls.read(() -> parts.journal.late(id));
  }

  /**
   * Calls back for everything of that kind that happens in the namespace, whichever node leads it, on a thread of its own; the events
   * of one task come in their order. While this node does not lead, the leader is asked to tell: from a moment after this call on, and
   * tasks come without payload and data. Each event comes at most once, and one may be missed during a fault, or if the callback is too
   * slow, which is counted and reported: events are hints, {@link #task} and {@link #tasks} are the truth. A callback that throws,
   * whatever it throws, is called again for the next event.
   */
  public <H extends Happening> Subscription on(Class<H> type, Consumer<? super H> callback) {
    return parts.events.on(type, callback);
  }

  /** The workers that are there. */
  public List<WorkerRecord> workers() {
    return new Figures(parts).workers(calls.begin());
  }

  /** What may be ordered of any of them. */
  public WorkerDesk orders() {
    return orders;
  }

  /** Changes how many attempts this node's worker holds at most. 0: nothing new. What was said last counts, here or by an order. */
  public void capacity(int attempts) {
    WorkerSettings.requireCapacity("capacity", attempts);
    parts.capacity(attempts);
  }

  /** What this node can tell without asking anybody; from any thread, at once. */
  public Readings readings() {
    return new Figures(parts).readings();
  }

  /** Whether this node can do its work, as far as it knows; from any thread, at once. */
  public NodeHealth health() {
    return parts.health();
  }

  /** How things are. On a node that does not lead this reads all unfinished tasks. */
  public Metrics metrics() {
    return new Figures(parts).now(calls.begin());
  }

  /** Who is there and who leads; asked of the engine, on any node. */
  public ClusterStatus cluster() {
    return calls.read(() -> ClusterStatus.read(parts.state, parts.election));
  }

  /** The same without waiting. */
  public CompletionStage<ClusterStatus> clusterLater() {
    return ClusterStatus.read(parts.state, parts.election);
  }

  /** Whether this node leads the namespace, as far as it may believe. */
  public boolean isLeader() {
    Decider now = parts.decider();
    return calls.ask(now.loop, now::leads);
  }

  /** The node that leads, or is about to. */
  public Optional<String> leader() {
    return calls.read(() -> parts.election.get(List.of(Keys.LEADER))).stream()
        .findFirst()
        .map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
  }

  /** This node's name and incarnation; another one after a part of it was restarted. */
  public String nodeId() {
    return parts.decider().node;
  }

  /** This node's worker, id and incarnation, if it has one. */
  public Optional<String> workerId() {
    return parts.worker().map(WorkerPart::id);
  }

  /** Why this node should be replaced: what made a part of it fail more than five times within a minute. It goes on trying all the same. */
  public Optional<Throwable> failure() {
    return parts.failure();
  }

  /** Ends the namespace for good, on all nodes, if nothing remains in it; {@link Remaining} says what that means. */
  public Remaining endIfEmpty() {
    return new NamespaceEnd(calls, parts.state, NamespaceEnd.LEASE).endIfEmpty();
  }

  /** Takes no more work, hands over the lead, lets attempts finish or hands them back after the patience, and closes the store. Safe twice. */
  public void stop(Duration patience) {
    end.once(() -> parts.stop(patience));
  }

  /** Stops with the patience of {@link Settings#stopPatience}. */
  @Override
  public void close() {
    stop(parts.options.stopPatience);
  }
}
