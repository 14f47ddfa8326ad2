package io.belfry.store.embedded;

import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes. Everything that changes the data set passes through it, one after another; answers leave
 * by another thread.
 *
 * <p>Threading: safe.
 */
final class Writer implements AutoCloseable {
  /** Short against the shortest lease, which must be looked at several times before it ends. */
  static final Duration TICK = Duration.ofMillis(100);

  private static final int WAITING_MAX = 10_000;
  private static final int COMMITS_PER_SYNC = 4_000;
  /**
   * So few callers are soon told, and those who commit again at once then share the next sync: with 64 callers that wait
   * for each commit that nearly doubles what a sync carries, which is what counts on a slow disk.
   */
  private static final int FEW = 256;

  /** Something to do, and who waits for it. */
  private sealed interface Order {
    CompletableFuture<?> caller();
  }

  private record Request<T extends @Nullable Object>(
      Function<CommitWriter, T> work, CompletableFuture<T> caller) implements Order {}

  private record Batch(List<Commit> commits, CompletableFuture<List<Outcome>> caller)
      implements Order {}

  private final CommitWriter scribe;
  private final Answers answers;
  private final LinkedBlockingQueue<Order> orders = new LinkedBlockingQueue<>();
  private final Thread thread;
  private boolean closed;

  Writer(CommitWriter scribe, Answers answers) {
    this.scribe = scribe;
    this.answers = answers;
    this.thread = Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name("belfry-store-writer")
        .start(this::run);
  }

  CompletionStage<List<Outcome>> batch(List<Commit> commits) {
    var caller = new CompletableFuture<List<Outcome>>();
    order(new Batch(commits, caller));
    return caller;
  }

  <T extends @Nullable Object> CompletionStage<T> order(Function<CommitWriter, T> work) {
    var caller = new CompletableFuture<T>();
    order(new Request<>(work, caller));
    return caller;
  }

  /** At once where nothing has to be written: a slow sync says nothing about whether the caller is alive. */
  CompletionStage<Boolean> renew(long lease) {
    return !isClosed() && scribe.renewAtOnce(lease)
        ? CompletableFuture.completedFuture(true)
        : order(work -> work.renew(lease));
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private void order(Order order) {
    StoreException refusal = enqueue(order);
    if (refusal != null) {
      order.caller().completeExceptionally(refusal);
    }
  }

  private synchronized @Nullable StoreException enqueue(Order order) {
    if (closed) {
      return new StoreException.Closed();
    }
    if (orders.size() >= WAITING_MAX) {
      return new StoreException.Overloaded("At most " + WAITING_MAX
          + " requests may wait for the store, and that many do. Try again later.");
    }
    orders.add(order);
    return null;
  }

  private void run() {
    while (!isDone()) {
      var taken = new ArrayList<Order>();
      try {
        serveNext(taken);
      } catch (RuntimeException | Error e) { // nobody else writes: this thread must go on
        StoreException why = asStoreException(e);
        taken.forEach(order -> order.caller().completeExceptionally(why));
      }
      tick();
    }
  }

  /** Whatever is taken from the queue is in {@code taken}, so that its callers hear of the end even if this throws. */
  private void serveNext(List<Order> taken) {
    Order order = await();
    if (order != null) {
      taken.add(order);
    }
    if (order instanceof Batch batch) {
      serve(withFollowing(batch, taken));
    } else if (order instanceof Request<?> request) {
      serve(request);
    }
  }

  private synchronized boolean isDone() {
    return closed && orders.isEmpty();
  }

  private @Nullable Order await() {
    try {
      return orders.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return null; // nobody has a reason to interrupt this thread; it ends when it is closed
    }
  }

  /** Batches that came while the last sync was under way share the next one. */
  private List<Batch> withFollowing(Batch first, List<Order> taken) {
    var batches = new ArrayList<Batch>();
    batches.add(first);
    int commits = first.commits.size();
    while (commits < COMMITS_PER_SYNC && orders.peek() instanceof Batch next) {
      orders.remove();
      taken.add(next);
      batches.add(next);
      commits += next.commits.size();
    }
    return batches;
  }

  private void serve(List<Batch> batches) {
    List<CommitWriter.Result> results;
    try {
      results = scribe.batches(batches.stream().map(Batch::commits).toList());
    } catch (RuntimeException | Error e) {
      StoreException why = asStoreException(e);
      answers.give(() -> batches.forEach(batch -> batch.caller.completeExceptionally(why)));
      return;
    }
    Runnable answer = () -> {
      for (int i = 0; i < batches.size(); i++) {
        CompletableFuture<List<Outcome>> caller = batches.get(i).caller;
        CommitWriter.Result result = results.get(i);
        result
            .partly()
            .ifPresentOrElse(
                caller::completeExceptionally, () -> caller.complete(result.outcomes()));
      }
    };
    if (commits(batches) <= FEW) {
      answers.giveAndLetReturn(answer);
    } else {
      answers.give(answer);
    }
  }

  private static int commits(List<Batch> batches) {
    int sum = 0;
    for (Batch batch : batches) {
      sum += batch.commits.size();
    }
    return sum;
  }

  private <T extends @Nullable Object> void serve(Request<T> request) {
    try {
      T answer = request.work.apply(scribe);
      answers.give(() -> request.caller.complete(answer));
    } catch (RuntimeException | Error e) {
      StoreException why = asStoreException(e);
      answers.give(() -> request.caller.completeExceptionally(why));
    }
  }

  /** Whatever happens, the caller must hear of it and the thread must go on: nobody else writes. */
  private StoreException asStoreException(Throwable e) {
    if (e instanceof StoreException known) {
      return known;
    }
    scribe.distrust(e);
    return new StoreException.Unknown(
        "The store failed unexpectedly (" + e + "), so what became of the request is not known.",
        e);
  }

  private void tick() {
    try {
      scribe.tickWhenDue();
    } catch (RuntimeException | Error e) {
      scribe.distrust(e);
    }
  }

  /** What was ordered before is carried out first; returns when the thread has ended. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    var unused = orders.offer(new Request<>(scribe -> true, new CompletableFuture<>()));
    Threads.join(thread);
  }
}
