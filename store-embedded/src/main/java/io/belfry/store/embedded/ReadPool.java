package io.belfry.store.embedded;

import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A few threads for reads: a native call holds its thread, so that many more of them than cores bring nothing.
 *
 * <p>Threading: safe.
 */
final class ReadPool implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int WAITING_MAX = 10_000;

  /** A read that can also be told that it will not happen. */
  private record Read<T>(Supplier<T> question, CompletableFuture<T> answer) implements Runnable {
    @Override
    public void run() {
      T found;
      try {
        found = question.get();
      } catch (RuntimeException | Error e) { // whoever asked must hear of it
        answer.completeExceptionally(e);
        return;
      }
      answer.complete(found);
    }
  }

  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
      THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), this::thread);

  ReadPool() {
    pool.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable body) {
    Thread thread = Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false) // whoever reads first may be code of an attempt
        .name("belfry-store-read")
        .unstarted(() -> {
          try {
            body.run();
          } finally {
            threads.remove(Thread.currentThread());
          }
        });
    threads.add(thread);
    return thread;
  }

  <T> CompletionStage<T> ask(Supplier<T> question) {
    var answer = new CompletableFuture<T>();
    try {
      pool.execute(new Read<>(question, answer));
    } catch (RejectedExecutionException e) {
      answer.completeExceptionally(
          pool.isShutdown()
              ? new StoreException.Closed()
              : new StoreException.Overloaded("At most " + WAITING_MAX
                  + " reads may wait for the store, and that many do. Try again later."));
    }
    return answer;
  }

  /** Reads under way are answered, those that wait are refused; returns when no thread is left but the caller's. */
  @Override
  public void close() {
    pool.shutdown();
    var waiting = new ArrayList<Runnable>();
    pool.getQueue().drainTo(waiting);
    for (Runnable one : waiting) {
      if (one instanceof Read<?> read) {
        read.answer.completeExceptionally(new StoreException.Closed());
      }
    }
    threads.forEach(Threads::join);
  }
}
