package io.belfry.core.jobs;

import io.belfry.core.commit.Callers;
import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DedupRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.Request;
import io.belfry.core.retain.History;
import io.belfry.core.submit.EndMark;
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
 * One node's door for doing again what has failed. A finished task stays what it is, for no id is ever opened again: the leader makes a
 * new one that names it, and makes one only, however often it is asked.
 *
 * <p>Threading: {@link #retry} from any thread; the work is done on the loop.
 */
public final class Retries {
  private final Loop loop;
  private final Store store;
  private final History history;
  private final Duration window;
  private final Room room;
  private final Callers callers = new Callers();
  private boolean stopped;

  /**
   * The retries of one node.
   *
   * @param window how long a repeated question is recognised
   * @param room whether there is room for idempotency keys
   */
  public Retries(Loop loop, Store store, History history, Duration window, Room room) {
    this.loop = loop;
    this.store = store;
    this.history = history;
    this.window = window;
    this.room = room;
  }

  /** The same, by what it learns itself. */
  public Retries(Loop loop, Store store, History history, Duration window) {
    this(loop, store, history, window, new Room(loop, store));
  }

  /** The id of the new task, durable as a request when the stage completes. */
  public CompletionStage<TaskId> retry(TaskId id, String by) {
    CompletableFuture<TaskId> caller = callers.enter();
    Callers.post(
        loop,
        caller,
        () -> Callers.hear(loop, history.find(id), caller, found -> {
          Task origin = found.filter(Retries::isOver).orElseThrow(() -> refusal(id, found));
          ask(origin, work(origin), by, caller);
        }));
    return caller;
  }

  private static InvalidException refusal(TaskId id, Optional<Task> found) {
    return Check.refusal(
        "task",
        found.map(task -> id + " (" + task.stateName() + ")").orElseGet(id::toString),
        "must be a task that has failed or was cancelled, and is still kept, because only what is over can be done again",
        found.isPresent()
            ? "Wait for its end, or submit a new task."
            : "Correct the id, or submit a new task.");
  }

  /** Nothing is asked for from here on, and whoever waits is told. */
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
    // Task ids contain no '/', so that this is nobody's id or key of a trigger.
    String once = "retry/" + origin.id();
    if (room.isFullOfKeys(true)) {
      before(once, caller, room::tooManyKeys);
      return;
    }
    long until = now.plus(window).toEpochMilli();
    var request = new Request.Again(fresh, work, origin.priority(), by, now);
    Commit commit = EndMark.unlessEnded(Commit.when().absent(Keys.dedup(once)))
        .put(Keys.dedup(once), Records.encode(new DedupRecord(fresh, 0)))
        .put(Keys.dedupExpiry(until, once), new byte[0])
        .put(Keys.request("a" + fresh), Records.encode(request))
        .build();
    callers.sent(caller);
    Settler.impatient(loop, store, () -> !stopped, caller::completeExceptionally)
        .commit(commit, settled -> {
          switch (settled.outcome()) {
            case Outcome.Done unused -> caller.complete(fresh);
            case Outcome.Refused(Guard guard, long found)
            when EndMark.isRefusedBy(guard) ->
              caller.completeExceptionally(new NamespaceEndedException());
            case Outcome.Refused unused -> before(once, caller, Retries::forgotten);
            case Outcome.LeaseEnded ended ->
              caller.completeExceptionally(new StoreException.Unavailable(
                  "A request is written under no lease, but got " + ended, null));
          }
        });
  }

  /** May find no room for the origin among the metadata. */
  private static Work work(Task origin) {
    var metadata = new TreeMap<>(origin.work().metadata());
    metadata.put(Request.RETRY_OF, origin.id().toString());
    return origin.work().withMetadata(metadata);
  }

  /** It was asked for before, perhaps by ourselves: what was answered then is the answer. */
  private void before(
      String once, CompletableFuture<TaskId> caller, Supplier<StoreException> otherwise) {
    Callers.hear(loop, store.get(List.of(Keys.dedup(once))), caller, found -> {
      if (found.isEmpty()) {
        caller.completeExceptionally(otherwise.get());
      } else {
        caller.complete(Records.dedup(found.getFirst().value()).task());
      }
    });
  }

  private static StoreException forgotten() {
    return new StoreException.Unavailable(
        "The earlier retry has just been forgotten. Ask again.", null);
  }
}
