package io.belfry.core.jobs;

import io.belfry.core.commit.Callers;
import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.model.Check;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
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
import java.util.function.Function;

/**
 * One node's door for what only the leader may do. A request is durable when its stage completes; the leader meets it, whoever that is
 * by then.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class Requests {
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
    CompletableFuture<TaskId> caller = callers.enter();
    ifExists(job, caller, () -> {
      Instant now = loop.time().wall();
      TaskId task = TaskId.triggered(job, now, loop.random());
      once(new Request.Trigger(task, payload, by, now), caller);
    });
    return caller;
  }

  /** Makes the job's task for this instant, once, whoever asks how often. */
  public CompletionStage<TaskId> triggerOnce(
      JobId job, Instant at, Optional<Payload> payload, String by) {
    CompletableFuture<TaskId> caller = callers.enter();
    ifExists(
        job,
        caller,
        () -> once(new Request.Trigger(TaskId.fire(job, at), payload, by, at), caller));
    return caller;
  }

  private void ifExists(JobId job, CompletableFuture<TaskId> caller, Runnable then) {
    loop.post(() -> loop.hear(
        store.get(List.of(Keys.job(job))),
        found -> {
          if (found.isEmpty()) {
            caller.completeExceptionally(Check.refusal(
                "job",
                job.value(),
                "must be a job that exists, because there is nothing else to be triggered",
                "Save it first, or correct the id."));
          } else {
            then.run();
          }
        },
        caller::completeExceptionally));
  }

  /** Ends a task: at once while it waits, otherwise as soon as its worker has stopped it. */
  public CompletionStage<TaskId> cancel(TaskId task, String reason, String by) {
    return plain("c", task, now -> new Request.Cancel(task, reason, by, now));
  }

  /** Changes the priority of a task that waits. */
  public CompletionStage<TaskId> prioritise(TaskId task, Priority priority, String by) {
    return plain("p", task, now -> new Request.Reprioritise(task, priority, by, now));
  }

  /** No request is sent from here on, and whoever waits for one is told. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  /** A trigger leaves a record that it came, because its task may have ended before a lost answer is asked for again. */
  private void once(Request.Trigger trigger, CompletableFuture<TaskId> caller) {
    String id = trigger.task().toString();
    long until = loop.time().wall().plus(window).toEpochMilli();
    commit(
        Commit.when()
            .absent(Keys.dedup(id))
            .put(Keys.dedup(id), Records.encode(new DedupRecord(trigger.task(), 0)))
            .put(Keys.dedupExpiry(until, id), new byte[0])
            .put(Keys.request("t" + id), Records.encode(trigger))
            .build(),
        trigger.task(),
        caller);
  }

  /** What does no harm when it is done twice. */
  private CompletionStage<TaskId> plain(
      String kind, TaskId task, Function<Instant, Request> request) {
    CompletableFuture<TaskId> caller = callers.enter();
    loop.post(() -> {
      Key key = Keys.request(kind + task);
      byte[] value = Records.encode(request.apply(loop.time().wall()));
      commit(Commit.when().put(key, value).build(), task, caller);
    });
    return caller;
  }

  private void commit(Commit commit, TaskId task, CompletableFuture<TaskId> caller) {
    if (stopped) {
      return;
    }
    callers.sent(caller);
    new Settler(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          switch (settled.outcome()) {
            case Outcome.Done unused -> caller.complete(task);
            case Outcome.Refused unused -> caller.complete(task); // it was asked for before
            case Outcome.LeaseEnded ended ->
              caller.completeExceptionally(new StoreException.Unavailable(
                  "A request is written under no lease, but got " + ended, null));
          }
        });
  }
}
