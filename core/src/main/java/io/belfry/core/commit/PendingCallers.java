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
 * The callers who wait for an answer of one actor. When the actor ends, because it was stopped or its loop ended, every caller gets a
 * failure; no call hangs.
 *
 * <p>Threading: safe.
 */
public final class PendingCallers {

  /** One waiting caller. */
  private static final class Caller<T> extends CompletableFuture<T> {
    volatile boolean sent;
  }

  private final Map<Long, Caller<?>> waiting = new LinkedHashMap<>();
  private long numbers;
  private boolean ended;

  /** Adds a caller; if the actor has ended, its future fails at once. */
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

  /** The request of this caller is on its way to the store: from now on it may be applied. */
  public void sent(CompletableFuture<?> caller) {
    if (caller instanceof Caller<?> entered) {
      entered.sent = true;
    }
  }

  /** Runs a step of the loop for one caller. An exception in it fails this caller and does not end the loop. */
  public static void post(Loop loop, CompletableFuture<?> caller, Runnable step) {
    loop.post(() -> {
      try {
        step.run();
      } catch (RuntimeException refusal) {
        caller.completeExceptionally(refusal);
      }
    });
  }

  /** Handles an answer as a step of the loop. A failure of the question, or of handling its answer, goes to the caller. */
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

  /** Fails every waiting caller: the actor answers no more. Idempotent. */
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
                  "The node stopped before the store had answered: the request may have been applied. Read the current state before you retry.",
                  new StoreException.Closed())
              : new StoreException.Closed());
    }
  }
}
