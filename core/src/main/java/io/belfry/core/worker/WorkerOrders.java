package io.belfry.core.worker;

import io.belfry.core.commit.PendingCallers;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerOrder;
import io.belfry.model.Check;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Gives orders to workers from any node. An order is durable when its stage completes, and takes effect at the worker within a
 * moment. It is for one incarnation: the next process with the same id does not get it.
 *
 * <p>Each order is based on the previous one, which guards it, so that concurrent orders are both kept. All orders are idempotent,
 * so that a lost answer is settled by a retry.
 *
 * <p>Threading: every method from any thread; the work is done on the loop.
 */
public final class WorkerOrders {
  private static final int TRIES_MAX = 20;
  /** The most processes with one id; each takes a guard and a write. */
  private static final int TOGETHER_MAX = 50;

  private static final int NAME_CHARS_MAX = 300;

  private final Loop loop;
  private final Store store;
  private final PendingCallers callers = new PendingCallers();
  private boolean stopped;

  public WorkerOrders(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /** Computes the new order from the previous one. */
  private interface Change {
    WorkerOrder of(WorkerOrder before, String by, Instant now);
  }

  /**
   * Assigns nothing new to the worker until {@link #resume}; its attempts continue.
   *
   * @param worker its configured id, or that and the incarnation; the configured id means all processes with it
   * @return the workers concerned, with their incarnations
   * @throws io.belfry.model.InvalidException in the stage, if there is no such worker
   */
  public CompletionStage<List<String>> drain(String worker, String by) {
    return change(
        worker, by, (before, who, now) -> new WorkerOrder(true, before.capacity(), who, now));
  }

  /** Resumes a drained worker. */
  public CompletionStage<List<String>> resume(String worker, String by) {
    return change(
        worker, by, (before, who, now) -> new WorkerOrder(false, before.capacity(), who, now));
  }

  /** Changes how many attempts the worker may hold. 0: accept nothing new. */
  public CompletionStage<List<String>> capacity(String worker, int attempts, String by) {
    WorkerSettings.requireCapacity("capacity", attempts);
    return change(
        worker,
        by,
        (before, who, now) -> new WorkerOrder(before.drained(), Optional.of(attempts), who, now));
  }

  /** Gives no order any more; the callers that wait for one get a failure. */
  public void stop() {
    stopped = true;
    callers.end();
  }

  private CompletionStage<List<String>> change(String worker, String by, Change change) {
    Check.whole("worker", Check.text("worker", worker, NAME_CHARS_MAX));
    CompletableFuture<List<String>> caller = callers.enter();
    PendingCallers.post(loop, caller, () -> attempt(worker, by, change, caller, TRIES_MAX, false));
    return caller;
  }

  /**
   * Reads the present orders, and gives those that differ.
   *
   * @param maybeGiven whether an earlier commit of our own, whose answer was lost, may have given them
   */
  private void attempt(
      String worker,
      String by,
      Change change,
      CompletableFuture<List<String>> caller,
      int triesLeft,
      boolean maybeGiven) {
    if (stopped) {
      return;
    }
    PendingCallers.hear(loop, matching(worker), caller, names -> {
      requireSome(worker, names);
      List<Key> keys = names.stream().map(Keys::workerOrder).toList();
      PendingCallers.hear(loop, store.get(keys), caller, found -> {
        Optional<Commit> commit = commit(names, found, by, change);
        if (commit.isEmpty()) {
          caller.complete(names);
        } else {
          callers.sent(caller);
          settler(caller, maybeGiven).commit(commit.get(), settled -> {
            if (settled.outcome() instanceof Outcome.Done) {
              caller.complete(names);
            } else if (triesLeft == 0) {
              caller.completeExceptionally(isBusy(worker));
            } else {
              boolean maybe = maybeGiven || settled.afterUnknown();
              attempt(worker, by, change, caller, triesLeft - 1, maybe);
            }
          });
        }
      });
    });
  }

  private CompletionStage<List<String>> matching(String worker) {
    return worker.indexOf('~') >= 0
        ? store.get(List.of(Keys.worker(worker))).thenApply(WorkerOrders::names)
        : store
            .scan(Keys.workers(worker).limit(TOGETHER_MAX + 1))
            .thenApply(page -> names(page.entries()));
  }

  private static List<String> names(List<Entry> workers) {
    return workers.stream().map(entry -> entry.key().text()).toList();
  }

  private static void requireSome(String worker, List<String> names) {
    Check.that(
        !names.isEmpty(),
        "worker",
        worker,
        "must be a registered worker, because an order goes to a running process",
        "List the workers, and use an id from the list.");
    Check.that(
        names.size() <= TOGETHER_MAX,
        "worker",
        worker,
        "must match at most " + TOGETHER_MAX
            + " processes, because one commit carries all their orders",
        "Give the incarnations one by one.");
  }

  /** Empty if nothing changes. */
  private Optional<Commit> commit(List<String> names, List<Entry> found, String by, Change change) {
    Map<Key, Entry> stored = new HashMap<>();
    found.forEach(entry -> stored.put(entry.key(), entry));
    Commit.Builder commit = Commit.when();
    boolean news = false;
    for (String name : names) {
      Key key = Keys.workerOrder(name);
      Optional<Entry> entry = Optional.ofNullable(stored.get(key));
      WorkerOrder before =
          entry.map(each -> Records.workerOrder(each.value())).orElse(WorkerOrder.NONE);
      WorkerOrder after = change.of(before, by, loop.time().wall());
      if (after.drained() != before.drained() || !after.capacity().equals(before.capacity())) {
        news = true;
        entry.ifPresentOrElse(commit::unchanged, () -> commit.absent(key));
        commit.put(key, Records.encode(after));
      }
    }
    return news ? Optional.of(commit.build()) : Optional.empty();
  }

  private RetryingCommitter settler(CompletableFuture<?> caller, boolean maybeGiven) {
    return RetryingCommitter.impatient(
        loop,
        store,
        () -> !stopped,
        why -> caller.completeExceptionally(
            maybeGiven && RetryingCommitter.isRefusal(why)
                ? RetryingCommitter.maybeDone(why)
                : why));
  }

  private static StoreException isBusy(String worker) {
    return new StoreException.Overloaded("Other clients give orders to worker " + worker
        + " too fast for this one. Try again later.");
  }
}
