package io.belfry.core.jobs;

import io.belfry.core.commit.Callers;
import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.core.record.Weight;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
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
 * One node's door for what only the leader may do. A request is durable when its stage completes; the leader meets it, whoever that is
 * by then.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Requests {
  private static final int REASON_CHARS_MAX = 500;

  private final Loop loop;
  private final Store store;
  private final Duration window;
  private final Callers callers = new Callers();
  private boolean stopped;

  /**
   * The requests of one node.
   *
   * @param window how long a trigger that comes again is recognised
   */
  public Requests(Loop loop, Store store, Duration window) {
    this.loop = loop;
    this.store = store;
    this.window = window;
  }

  /** Makes a task of the job now. */
  public CompletionStage<TaskId> trigger(JobId job, Optional<Payload> payload, String by) {
    var options = new TriggerOptions(payload, Optional.empty(), Optional.empty());
    return trigger(job, options, by).thenApply(Triggered::task);
  }

  /** Makes the job's task for this instant, once, whoever asks how often. */
  public CompletionStage<TaskId> triggerOnce(
      JobId job, Instant at, Optional<Payload> payload, String by) {
    var options = new TriggerOptions(payload, Optional.of(at), Optional.empty());
    return trigger(job, options, by).thenApply(Triggered::task);
  }

  /**
   * Makes a task of the job, as the options say.
   *
   * @throws io.belfry.model.InvalidException in the stage, if there is no such job, or it has no room for the payload or the worker
   */
  public CompletionStage<Triggered> trigger(JobId job, TriggerOptions options, String by) {
    CompletableFuture<Triggered> caller = callers.enter();
    Callers.post(
        loop,
        caller,
        () -> Callers.hear(loop, store.get(List.of(Keys.job(job))), caller, found -> {
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
          var unusedRoom =
              Weight.checked("job", trigger.of(definition(job, found).work()));
          once(trigger, caller);
        }));
    return caller;
  }

  private static Job definition(JobId job, List<Entry> found) {
    return found.stream()
        .findFirst()
        .map(entry -> Records.job(entry.value()))
        .orElseThrow(() -> Check.refusal(
            "job",
            job.value(),
            "must be a job that exists, because there is nothing else to be triggered",
            "Save it first, or correct the id."));
  }

  /** Ends a task: at once while it waits, otherwise as soon as its worker has stopped it. */
  public CompletionStage<TaskId> cancel(TaskId task, String reason, String by) {
    String unused = checkedReason(reason);
    return plain("c", task, now -> new Request.Cancel(task, reason, by, now));
  }

  /**
   * Why a task shall end.
   *
   * @throws io.belfry.model.InvalidException if it is not given, or too long
   */
  public static String checkedReason(String reason) {
    return Check.atMost("reason", given("reason", reason), REASON_CHARS_MAX);
  }

  /** Changes the priority of a task that waits. */
  public CompletionStage<TaskId> prioritise(TaskId task, Priority priority, String by) {
    Priority unused = given("priority", priority);
    return plain("p", task, now -> new Request.Reprioritise(task, priority, by, now));
  }

  /** No request is sent from here on, and whoever waits for one is told. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  /**
   * A trigger leaves a record that it came, because its task may have ended before a lost answer is asked for again. What it says beside
   * the task is this question's alone.
   */
  private void once(Request.Trigger trigger, CompletableFuture<Triggered> caller) {
    String id = trigger.task().toString();
    long until = loop.time().wall().plus(window).toEpochMilli();
    var mark = new DedupRecord(trigger.task(), loop.random().nextLong() >>> 1);
    Commit commit = Commit.when()
        .absent(Keys.dedup(id))
        .put(Keys.dedup(id), Records.encode(mark))
        .put(Keys.dedupExpiry(until, id), new byte[0])
        .put(Keys.request("t" + id), Records.encode(trigger))
        .build();
    commit(commit, caller, settled -> {
      if (settled.outcome() instanceof Outcome.Done) {
        caller.complete(new Triggered(trigger.task(), false));
      } else if (settled.afterUnknown()) {
        whose(mark, caller);
      } else {
        caller.complete(new Triggered(trigger.task(), true));
      }
    });
  }

  /** It was asked for before, perhaps by ourselves: the answer got lost. */
  private void whose(DedupRecord mark, CompletableFuture<Triggered> caller) {
    Callers.hear(loop, store.get(List.of(Keys.dedup(mark.task().toString()))), caller, found -> {
      boolean ours =
          found.stream().anyMatch(entry -> Records.dedup(entry.value()).equals(mark));
      caller.complete(new Triggered(mark.task(), !ours));
    });
  }

  /** Callers compiled elsewhere may bring nothing. */
  private static <T> T given(String field, @Nullable T value) {
    if (value == null) {
      throw Check.refusal(
          field,
          new Check.Plain("null"),
          "must be given, because it is kept with the request",
          "Give " + field + " a value.");
    }
    return value;
  }

  /** What does no harm when it is done twice. */
  private CompletionStage<TaskId> plain(
      String kind, TaskId task, Function<Instant, Request> request) {
    CompletableFuture<TaskId> caller = callers.enter();
    Callers.post(loop, caller, () -> {
      Key key = Keys.request(kind + task);
      byte[] value = Records.encode(request.apply(loop.time().wall()));
      commit(Commit.when().put(key, value).build(), caller, settled -> caller.complete(task));
    });
    return caller;
  }

  private void commit(Commit commit, CompletableFuture<?> caller, Consumer<Settler.Settled> then) {
    if (stopped) {
      return;
    }
    callers.sent(caller);
    Settler.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          if (settled.outcome() instanceof Outcome.LeaseEnded ended) {
            caller.completeExceptionally(new StoreException.Unavailable(
                "A request is written under no lease, but got " + ended, null));
          } else {
            then.accept(settled);
          }
        });
  }
}
