package io.belfry.core.jobs;

import io.belfry.core.commit.PendingCallers;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.fire.Explanation;
import io.belfry.core.history.History;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.core.record.Weight;
import io.belfry.core.submit.Room;
import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.JobVersion;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the leader from any node. A request is durable when its stage completes; whichever node leads by then handles
 * it.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Requests {
  private static final int REASON_CHARS_MAX = 500;
  private static final int TRIES_MAX = 20;
  /** A fresh task id is never requested again: its record only settles a lost answer, and no commit is in flight for so long. */
  private static final Duration FRESH_WINDOW = Duration.ofHours(1);

  private final Loop loop;
  private final Store store;
  private final JobExplainer explaining;
  private final Duration window;
  private final Room room;
  private final PendingCallers callers = new PendingCallers();
  private boolean stopped;

  /**
   * The requests of one node.
   *
   * @param window how long a repeated trigger is recognized
   */
  public Requests(Loop loop, Store store, Duration window) {
    this(
        loop,
        store,
        new JobExplainer(
            store, new History(store, loop::post), new Calendars(loop, store), loop.time(), window),
        window,
        new Room(loop, store));
  }

  /**
   * As above.
   *
   * @param explaining finds out what happened at an instant that is triggered
   * @param room whether more idempotency keys are accepted
   */
  public Requests(Loop loop, Store store, JobExplainer explaining, Duration window, Room room) {
    this.loop = loop;
    this.store = store;
    this.explaining = explaining;
    this.window = window;
    this.room = room;
  }

  /** Creates a task of the job now. */
  public CompletionStage<TaskId> trigger(JobId job, Optional<Payload> payload, String by) {
    var options = new TriggerOptions(payload, Optional.empty(), Optional.empty());
    return trigger(job, options, by).thenApply(Triggered::task);
  }

  /** Creates the job's task for this instant, once, however often it is requested. */
  public CompletionStage<TaskId> triggerOnce(
      JobId job, Instant at, Optional<Payload> payload, String by) {
    var options = new TriggerOptions(payload, Optional.of(at), Optional.empty());
    return trigger(job, options, by).thenApply(Triggered::task);
  }

  /**
   * Creates a task of the job with these options.
   *
   * @throws io.belfry.model.InvalidException in the stage, if there is no such job, or the payload or the worker does not fit into it
   */
  public CompletionStage<Triggered> trigger(JobId job, TriggerOptions options, String by) {
    CompletableFuture<Triggered> caller = callers.enter();
    PendingCallers.post(loop, caller, () -> attempt(job, options, by, caller, TRIES_MAX));
    return caller;
  }

  private void attempt(
      JobId job,
      TriggerOptions options,
      String by,
      CompletableFuture<Triggered> caller,
      int tries) {
    if (tries == 0) {
      caller.completeExceptionally(new StoreException.Overloaded(
          "Job " + job + " changes too fast to be triggered for an instant. Try again later."));
      return;
    }
    Runnable again = () -> attempt(job, options, by, caller, tries - 1);
    PendingCallers.hear(
        loop, store.get(List.of(Keys.job(job), Keys.cursor(job))), caller, found -> {
          Instant now = loop.time().wall();
          var trigger = new Request.Trigger(
              options
                  .at()
                  .map(at -> TaskId.fire(job, at))
                  .orElseGet(() -> TaskId.triggered(job, now, loop.random())),
              options.payload(),
              options.worker(),
              by,
              options.at().orElse(now));
          Entry definition = definition(job, found);
          Job saved = Records.job(definition.value());
          var unusedRoom = Weight.checked("job", trigger.of(saved.work()));
          var asked = new Asked(trigger, saved.incarnation(), definition);
          Optional<Entry> cursor = options.at().flatMap(at -> find(found, Keys.cursor(job)));
          options.at().ifPresent(at -> requireRemembered(at, now));
          if (cursor.filter(entry -> isPassed(entry, trigger.at())).isPresent()) {
            unlessFired(saved, asked, caller, again);
          } else {
            onceIfThereIsRoom(asked, cursor, caller, again);
          }
        });
  }

  /** A trigger request for the job as it was read. */
  private record Asked(Request.Trigger trigger, long incarnation, Entry definition) {
    TaskId task() {
      return trigger.task();
    }

    Key mark() {
      return Keys.asked(task(), incarnation);
    }
  }

  /** Dedup records of triggers last for the window after their instant: an instant without one has not been requested. */
  private void requireRemembered(Instant at, Instant now) {
    Check.that(
        !at.isBefore(now.minus(window)),
        "at",
        at,
        "must be at most " + Durations.show(window)
            + " ago, because Belfry does not remember for longer"
            + " whether an instant had a task",
        "Trigger the job without an instant, and pass the instant in the payload.");
  }

  private static boolean isPassed(Entry cursor, Instant at) {
    return Records.cursor(cursor.value())
        .last()
        .filter(last -> !at.isAfter(last))
        .isPresent();
  }

  /** The job has passed that instant, and will not fire it any more: perhaps because it already has. */
  private void unlessFired(
      Job job, Asked asked, CompletableFuture<Triggered> caller, Runnable again) {
    Instant at = asked.trigger.at();
    PendingCallers.hear(loop, explaining.explain(job.id(), at), caller, explanation -> {
      boolean sinceChange =
          job.saved().filter(saved -> at.isAfter(saved.updated())).isPresent();
      boolean fired = switch (explanation) {
        case Explanation.Fired unused -> true;
        case Explanation.NotKept unused -> true;
        case Explanation.Forgotten unused -> sinceChange; // the present definition has that instant
        default -> false;
      };
      if (fired) {
        caller.complete(new Triggered(asked.task(), true));
        return;
      }
      if (!(explanation instanceof Explanation.Skipped) && !sinceChange) {
        requireHistory(job, at);
      }
      onceIfThereIsRoom(asked, Optional.empty(), caller, again);
    });
  }

  /** An earlier definition may have fired then: only a complete history can show that it has not. */
  private void requireHistory(Job job, Instant at) {
    boolean existed = job.saved().filter(saved -> at.isAfter(saved.created())).isPresent();
    boolean whole = job.retain().compareTo(window) >= 0 && job.retainLast().isEmpty();
    Check.that(
        !existed || whole,
        "at",
        at,
        "must be after the last change of the job ("
            + job.saved().map(JobVersion::updated).map(Instant::toString).orElse("none")
            + "), because its tasks are kept for too short a time to tell whether it fired then",
        "Trigger the job without an instant, or keep its tasks for at least "
            + Durations.show(window) + ".");
  }

  private static Optional<Entry> find(List<Entry> found, Key key) {
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst();
  }

  private static Entry definition(JobId job, List<Entry> found) {
    return find(found, Keys.job(job))
        .orElseThrow(() -> Check.refusal(
            "job",
            job.value(),
            "must be a job that exists, because only saved jobs can be triggered",
            "Save it first, or correct the id."));
  }

  /** Cancels a task: at once while it waits, otherwise as soon as its worker has stopped it. */
  public CompletionStage<TaskId> cancel(TaskId task, String reason, String by) {
    String unused = checkedReason(reason);
    return sendIdempotent("c", task, now -> new Request.Cancel(task, reason, by, now));
  }

  /**
   * Validates the reason for a cancellation.
   *
   * @throws io.belfry.model.InvalidException if it is missing or too long
   */
  public static String checkedReason(String reason) {
    return Check.atMost("reason", given("reason", reason), REASON_CHARS_MAX);
  }

  /** Changes the priority of a waiting task. */
  public CompletionStage<TaskId> prioritise(TaskId task, Priority priority, String by) {
    Priority unused = given("priority", priority);
    return sendIdempotent("p", task, now -> new Request.Reprioritise(task, priority, by, now));
  }

  /** Sends no request any more; the callers that wait for one get a failure. */
  public void stop() {
    stopped = true;
    room.stop();
    callers.end();
  }

  /** Requests the task if another key is accepted; otherwise only answers repetitions. */
  private void onceIfThereIsRoom(
      Asked asked, Optional<Entry> cursor, CompletableFuture<Triggered> caller, Runnable again) {
    if (!room.isFullOfKeys(!asked.task().isFire())) {
      once(asked, cursor, caller, again);
      return;
    }
    PendingCallers.hear(loop, store.get(List.of(asked.mark())), caller, found -> {
      if (found.isEmpty()) {
        caller.completeExceptionally(room.tooManyKeys());
      } else {
        caller.complete(new Triggered(asked.task(), true));
      }
    });
  }

  /**
   * A trigger leaves a dedup record, because its task may have ended before the caller retries after a lost answer, and because the job
   * may reach the same instant by its schedule, and must not fire it then. The random number in it identifies this request. The record
   * belongs to this incarnation of the job: a job that is created later under the same id fires its instants regardless of it. If a
   * deleted job has left an unfinished task with that id, the caller gets that task.
   *
   * @param cursor as it was read, before the job had reached that instant, if it has one
   */
  private void once(
      Asked asked, Optional<Entry> cursor, CompletableFuture<Triggered> caller, Runnable again) {
    Request.Trigger trigger = asked.trigger;
    Key task = Keys.task(asked.task());
    Instant now = loop.time().wall();
    Instant from = trigger.at().isAfter(now) ? trigger.at() : now;
    String name = Keys.ofIncarnation(asked.task(), asked.incarnation);
    boolean fresh = !asked.task().isFire() && window.compareTo(FRESH_WINDOW) > 0;
    long until = from.plus(fresh ? FRESH_WINDOW : window).toEpochMilli();
    var mark = new DedupRecord(asked.task(), loop.random().nextLong() >>> 1, until);
    Commit.Builder commit = Commit.when()
        .absent(asked.mark())
        .absent(task)
        .unchanged(asked.definition)
        .put(asked.mark(), Records.encode(mark))
        .put(Keys.dedupExpiry(until, name), new byte[0])
        .put(Keys.trigger(asked.task(), asked.incarnation), Records.encode(trigger));
    cursor.ifPresent(commit::unchanged);
    commit(commit.build(), caller, settled -> {
      switch (settled.outcome()) {
        case Outcome.Done unused -> caller.complete(new Triggered(trigger.task(), false));
        case Outcome.Refused refused -> {
          if (settled.afterUnknown()) {
            answerExisting(asked.mark(), mark, caller, again);
          } else if (refused.guard().key().equals(asked.mark())
              || refused.guard().key().equals(task)) {
            caller.complete(new Triggered(trigger.task(), true));
          } else {
            again.run(); // the job has fired, or was changed
          }
        }
        case Outcome.LeaseEnded unused -> {
          // The caller already has its failure.
        }
      }
    });
  }

  /** A dedup record exists, perhaps from our own commit whose answer was lost. */
  private void answerExisting(
      Key key, DedupRecord mark, CompletableFuture<Triggered> caller, Runnable again) {
    PendingCallers.hear(loop, store.get(List.of(key)), caller, found -> {
      if (found.isEmpty()) {
        again.run();
      } else {
        boolean ours =
            found.stream().anyMatch(entry -> Records.dedup(entry.value()).equals(mark));
        caller.complete(new Triggered(mark.task(), !ours));
      }
    });
  }

  /** Callers in Java may pass null all the same. */
  private static <T> T given(String field, @Nullable T value) {
    if (value == null) {
      throw Check.refusal(
          field,
          new Check.Plain("null"),
          "must be given, because it is stored with the request",
          "Give " + field + " a value.");
    }
    return value;
  }

  /** Sends an idempotent request. */
  private CompletionStage<TaskId> sendIdempotent(
      String kind, TaskId task, Function<Instant, Request> request) {
    CompletableFuture<TaskId> caller = callers.enter();
    PendingCallers.post(loop, caller, () -> {
      Key key = Keys.request(kind + task);
      byte[] value = Records.encode(request.apply(loop.time().wall()));
      commit(Commit.when().put(key, value).build(), caller, settled -> caller.complete(task));
    });
    return caller;
  }

  private void commit(
      Commit commit, CompletableFuture<?> caller, Consumer<RetryingCommitter.Settled> then) {
    if (stopped) {
      return;
    }
    callers.sent(caller);
    RetryingCommitter.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          if (settled.outcome() instanceof Outcome.LeaseEnded ended) {
            caller.completeExceptionally(new StoreException.Unavailable(
                "A request is committed without a lease, but its outcome was " + ended, null));
          } else {
            then.accept(settled);
          }
        });
  }
}
