package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Those who wait for an answer of one actor. When the actor ends, by a stop or because its loop did, each of them hears of it; nobody
 * waits for ever.
 *
 * <p>Threading: safe.
 */
public final class Callers {

  /** One who waits. */
  private static final class Caller<T> extends CompletableFuture<T> {
    volatile boolean sent;
  }

  private final Map<Long, Caller<?>> waiting = new LinkedHashMap<>();
  private long numbers;
  private boolean ended;

  /** One more; told at once if it is too late. */
  public <T> CompletableFuture<T> enter() {
    var caller = new Caller<T>();
    synchronized (this) {
      if (!ended) {
        long number = numbers++;
        waiting.put(number, caller);
        var unused = caller.whenComplete((answer, failure) -> leave(number));
        return caller;
      }
    }
    caller.completeExceptionally(new StoreException.Closed());
    return caller;
  }

  private synchronized void leave(long number) {
    waiting.remove(number);
  }

  /** What this one asked for is on its way to the store, and may happen from now on. */
  public void sent(CompletableFuture<?> caller) {
    if (caller instanceof Caller<?> entered) {
      entered.sent = true;
    }
  }

  /** A step of the loop for one caller: what goes wrong in it is that caller's, and does not end the loop. */
  public static void post(Loop loop, CompletableFuture<?> caller, Runnable step) {
    loop.post(() -> {
      try {
        step.run();
      } catch (RuntimeException refusal) {
        caller.completeExceptionally(refusal);
      }
    });
  }

  /** Hears an answer as a step of the loop. What went wrong, with the question or with what is made of the answer, goes to the caller. */
  public static <A> void hear(
      Loop loop, CompletionStage<A> question, CompletableFuture<?> caller, Consumer<A> answer) {
    loop.onResult(
        question,
        found -> {
          try {
            answer.accept(found);
          } catch (RuntimeException refusal) {
            caller.completeExceptionally(refusal);
          }
        },
        caller::completeExceptionally);
  }

  /** Nobody will answer any more. Safe twice. */
  public void end() {
    List<Caller<?>> left;
    synchronized (this) {
      ended = true;
      left = new ArrayList<>(waiting.values());
      waiting.clear();
    }
    for (Caller<?> caller : left) {
      caller.completeExceptionally(
          caller.sent
              ? new StoreException.Unknown(
                  "The node stopped before the store had answered: what was asked may have happened. Read it again.",
                  new StoreException.Closed())
              : new StoreException.Closed());
    }
  }
}
