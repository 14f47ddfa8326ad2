package io.belfry.core.jobs;

import io.belfry.core.commit.PendingCallers;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.history.History;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.core.submit.NamespaceEndMark;
import io.belfry.core.submit.NamespaceEndedException;
import io.belfry.core.submit.Room;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Retries failed or cancelled tasks on any node. A finished task never changes and its id is never reused: the leader creates a
 * new task that names the old one, and only one, however often it is requested.
 *
 * <p>Threading: {@link #retry} from any thread; the work is done on the loop.
 */
public final class Retries {
  private final Loop loop;
  private final Store store;
  private final History history;
  private final Duration window;
  private final Room room;
  private final PendingCallers callers = new PendingCallers();
  private boolean stopped;

  /**
   * The retries of one node.
   *
   * @param window how long a repeated request is recognized
   * @param room whether more idempotency keys are accepted
   */
  public Retries(Loop loop, Store store, History history, Duration window, Room room) {
    this.loop = loop;
    this.store = store;
    this.history = history;
    this.window = window;
    this.room = room;
  }

  /** As above, with a {@link Room} of its own. */
  public Retries(Loop loop, Store store, History history, Duration window) {
    this(loop, store, history, window, new Room(loop, store));
  }

  /** The id of the new task; the request for it is durable when the stage completes. */
  public CompletionStage<TaskId> retry(TaskId id, String by) {
    CompletableFuture<TaskId> caller = callers.enter();
    PendingCallers.post(
        loop,
        caller,
        () -> PendingCallers.hear(loop, history.find(id), caller, found -> {
          Task origin = found.filter(Retries::isOver).orElseThrow(() -> refusal(id, found));
          ask(origin, work(origin), by, caller);
        }));
    return caller;
  }

  private static InvalidException refusal(TaskId id, Optional<Task> found) {
    return Check.refusal(
        "task",
        found.map(task -> id + " (" + task.stateName() + ")").orElseGet(id::toString),
        "must be a failed or cancelled task that is still stored, because only such tasks can be retried",
        found.isPresent()
            ? "Wait for its end, or submit a new task."
            : "Correct the id, or submit a new task.");
  }

  /** Requests no retry any more; the callers that wait for one get a failure. */
  public void stop() {
    stopped = true;
    room.stop();
    callers.end();
  }

  private static boolean isOver(Task task) {
    return task.state() instanceof TaskState.Failed || task.state() instanceof TaskState.Cancelled;
  }

  private void ask(Task origin, Work work, String by, CompletableFuture<TaskId> caller) {
    if (stopped) {
      return;
    }
    Instant now = loop.time().wall();
    TaskId fresh = origin
        .id()
        .jobId()
        .map(job -> TaskId.triggered(job, now, loop.random()))
        .orElseGet(() -> TaskId.oneOff(now, loop.random()));
    // Task ids contain no '/', so no trigger has this id or key.
    String once = "retry/" + origin.id();
    if (room.isFullOfKeys(true)) {
      before(once, caller, room::tooManyKeys);
      return;
    }
    long until = now.plus(window).toEpochMilli();
    var request = new Request.Again(fresh, work, origin.priority(), by, now);
    Commit commit = NamespaceEndMark.unlessEnded(Commit.when().absent(Keys.dedup(once)))
        .put(Keys.dedup(once), Records.encode(new DedupRecord(fresh, 0)))
        .put(Keys.dedupExpiry(until, once), new byte[0])
        .put(Keys.request("a" + fresh), Records.encode(request))
        .build();
    callers.sent(caller);
    RetryingCommitter.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          switch (settled.outcome()) {
            case Outcome.Done unused -> caller.complete(fresh);
            case Outcome.Refused(Guard guard, long found)
            when NamespaceEndMark.isRefusedBy(guard) ->
              caller.completeExceptionally(new NamespaceEndedException());
            case Outcome.Refused unused -> before(once, caller, Retries::forgotten);
            case Outcome.LeaseEnded ended ->
              caller.completeExceptionally(new StoreException.Unavailable(
                  "A request is committed without a lease, but its outcome was " + ended, null));
          }
        });
  }

  /** The work with the original task's id in its metadata, which may become too large. */
  private static Work work(Task origin) {
    var metadata = new TreeMap<>(origin.work().metadata());
    metadata.put(Request.RETRY_OF, origin.id().toString());
    return origin.work().withMetadata(metadata);
  }

  /** It was requested before, perhaps by ourselves: answers as then. */
  private void before(
      String once, CompletableFuture<TaskId> caller, Supplier<StoreException> otherwise) {
    PendingCallers.hear(loop, store.get(List.of(Keys.dedup(once))), caller, found -> {
      if (found.isEmpty()) {
        caller.completeExceptionally(otherwise.get());
      } else {
        caller.complete(Records.dedup(found.getFirst().value()).task());
      }
    });
  }

  private static StoreException forgotten() {
    return new StoreException.Unavailable(
        "The record of the earlier retry has just expired. Try again.", null);
  }
}
