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
 * Commits until the outcome is known, as long as its owner wants to know it. A refusal by the engine (no permission, no room, damaged
 * data, overload) is an outage with a reason: the commit is tried again, with growing pauses, until the engine accepts it. Only a store
 * that was closed ends it.
 *
 * <p>A caller who waits for the answer is not left waiting for the end of such an outage: it hears the reason at once. Outages are logged
 * and counted where all calls to the store pass, not by each part that meets them.
 *
 * <p>Threading: confined to its loop.
 */
public final class Settler {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** An outcome, and whether an earlier try of the same commit may have been the one that took effect. */
  public record Settled(Outcome outcome, boolean afterUnknown) {}

  /** A commit, and who hears what of it. */
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
   * A settler over one store.
   *
   * @param wanted asked before every further try; once false, nothing is heard of the commit any more
   * @param closed hears that the store was closed, after which nothing is tried again
   */
  public Settler(Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> closed) {
    this(loop, store, wanted, closed, Optional.empty());
  }

  private Settler(
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
   * A settler for a caller who waits for the answer, but not for the end of an outage.
   *
   * @param told hears that the store was closed, or why the engine refuses
   */
  public static Settler impatient(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> told) {
    return new Settler(loop, store, wanted, told, Optional.of(told));
  }

  /** Hears the outcome as a step of the loop. The commit must not be able to take effect twice. */
  public void commit(Commit commit, Consumer<Settled> then) {
    attempt(new Question(commit, then, refused), false, FIRST_PAUSE);
  }

  /**
   * The same for a caller who does not wait until the engine accepts.
   *
   * @param told hears a refusal at once: {@link StoreException.Full}, {@link StoreException.Denied} or {@link StoreException.Damaged} if
   *     nothing has happened and nothing will; {@link StoreException.Unknown} if an earlier try may have taken effect, which goes on to be
   *     settled
   */
  public void commit(Commit commit, Consumer<Settled> then, Consumer<StoreException> told) {
    attempt(new Question(commit, then, Optional.of(told)), false, FIRST_PAUSE);
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

  /** A store that throws, or fails with something of its own, has a bug: it says nothing of the outcome, and must not end this loop. */
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
            "The store failed with something that is not a StoreException: the commit may have been applied. This is a bug in the"
                + " store's adapter: " + failure,
            failure);
  }

  /**
   * Whether the engine answered, and refused for a reason that a caller cannot wait out: {@link StoreException.Full}, {@link
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

  /** What a caller is told when the engine refuses, and an earlier try may have taken effect. */
  public static StoreException maybeDone(StoreException refusal) {
    return new StoreException.Unknown(
        "What was asked may have been written before the store refused it, which shows only when the store accepts writes again. Act on"
            + " the reason, and read it again. The store said: " + refusal.getMessage(),
        refusal);
  }
}
