package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Retries a commit until its outcome is known, as long as its owner still wants it. A refusal by the engine (no permission, no space, damaged
 * data, overload) counts as an outage with a reason: the commit is retried with exponential backoff until the engine accepts it. Only a
 * closed store ends the retries.
 *
 * <p>A caller that waits for the answer need not wait for the end of such an outage: it gets the reason at once. Outages are logged
 * and counted in one place, which every call to the store passes, not by each component that meets them.
 *
 * <p>Threading: confined to its loop.
 */
public final class RetryingCommitter {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** An outcome, and whether an earlier attempt of the same commit may be the one that took effect. */
  public record Settled(Outcome outcome, boolean afterUnknown) {}

  /** A commit and its callbacks. */
  private record Question(
      Commit commit, Consumer<Settled> then, Optional<Consumer<StoreException>> refused) {
    Question patient() {
      return new Question(commit, then, Optional.empty());
    }
  }

  private final Loop loop;
  private final Store store;
  private final BooleanSupplier wanted;
  private final Consumer<StoreException> closed;
  private final Optional<Consumer<StoreException>> refused;

  /**
   * A settler for one store.
   *
   * @param wanted asked before every retry; once false, no callback is called for the commit any more
   * @param closed called when the store was closed; nothing is retried after that
   */
  public RetryingCommitter(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> closed) {
    this(loop, store, wanted, closed, Optional.empty());
  }

  private RetryingCommitter(
      Loop loop,
      Store store,
      BooleanSupplier wanted,
      Consumer<StoreException> closed,
      Optional<Consumer<StoreException>> refused) {
    this.loop = loop;
    this.store = store;
    this.wanted = wanted;
    this.closed = closed;
    this.refused = refused;
  }

  /**
   * A settler for callers that wait for the answer, but not for the end of an outage.
   *
   * @param onFailure called when the store was closed, or with the reason why the engine refuses
   */
  public static RetryingCommitter impatient(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> onFailure) {
    return new RetryingCommitter(loop, store, wanted, onFailure, Optional.of(onFailure));
  }

  /** Calls back with the outcome as a step of the loop. The commit must not be able to take effect twice. */
  public void commit(Commit commit, Consumer<Settled> then) {
    attempt(new Question(commit, then, refused), false, FIRST_PAUSE);
  }

  /**
   * Commits for a caller that does not wait until the engine accepts.
   *
   * @param onFailure called at once on a refusal: {@link StoreException.Full}, {@link StoreException.Denied} or {@link
   *     StoreException.Damaged} if nothing was applied and nothing will be; {@link StoreException.Unknown} if an earlier attempt may have
   *     taken effect, which the settler goes on to settle
   */
  public void commit(Commit commit, Consumer<Settled> then, Consumer<StoreException> onFailure) {
    attempt(new Question(commit, then, Optional.of(onFailure)), false, FIRST_PAUSE);
  }

  private void attempt(Question question, boolean afterUnknown, Duration pause) {
    loop.onResult(
        send(question.commit),
        outcome -> {
          if (wanted.getAsBoolean()) {
            question.then.accept(new Settled(outcome, afterUnknown));
          }
        },
        failure -> again(question, afterUnknown, pause, failure));
  }

  /** A store that throws, or fails with an exception of its own, has a bug: the outcome is unknown, and this loop must not end. */
  private CompletionStage<Outcome> send(Commit commit) {
    try {
      return store.commit(commit);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private void again(Question question, boolean afterUnknown, Duration pause, Throwable thrown) {
    if (!wanted.getAsBoolean()) {
      return;
    }
    StoreException failure = known(thrown);
    boolean unknown = afterUnknown || failure instanceof StoreException.Unknown;
    if (failure instanceof StoreException.Closed) {
      closed.accept(failure);
      return;
    }
    if (isRefusal(failure) && question.refused.isPresent()) {
      question.refused.get().accept(unknown ? maybeDone(failure) : failure);
      if (unknown) {
        later(question.patient(), true, pause);
      }
    } else {
      later(question, unknown, pause);
    }
  }

  private static StoreException known(Throwable failure) {
    return failure instanceof StoreException known
        ? known
        : new StoreException.Unknown(
            "The store failed with an exception that is not a StoreException: the commit may have been applied. This is a bug in the"
                + " store's adapter: " + failure,
            failure);
  }

  /**
   * Whether the engine answered with a refusal that a caller cannot wait out: {@link StoreException.Full}, {@link
   * StoreException.Denied} and {@link StoreException.Damaged}.
   */
  public static boolean isRefusal(Throwable failure) {
    return failure instanceof StoreException.Full
        || failure instanceof StoreException.Denied
        || failure instanceof StoreException.Damaged;
  }

  private void later(Question question, boolean afterUnknown, Duration pause) {
    Duration longer = pause.multipliedBy(2);
    var unused = loop.after(pause, () -> {
      if (wanted.getAsBoolean()) {
        attempt(
            question, afterUnknown, longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
      }
    });
  }

  /** The failure a caller gets when the engine refuses, but an earlier attempt may have taken effect. */
  public static StoreException maybeDone(StoreException refusal) {
    return new StoreException.Unknown(
        "The request may have been written before the store refused it, which shows only when the store accepts writes again. Fix"
            + " the cause, then read the current state. The store said: " + refusal.getMessage(),
        refusal);
  }
}
