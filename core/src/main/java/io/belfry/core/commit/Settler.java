package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Commits until the outcome is known, as long as somebody wants to know it.
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
      Commit commit, Consumer<Settled> then, Optional<Consumer<StoreException>> noRoom) {
    Question patient() {
      return new Question(commit, then, Optional.empty());
    }
  }

  private final Loop loop;
  private final Store store;
  private final BooleanSupplier wanted;
  private final Consumer<StoreException> hopeless;
  private final Optional<Consumer<StoreException>> noRoom;

  /**
   * A settler over one store.
   *
   * @param wanted asked before every further try; once false, nothing is heard of the commit any more
   * @param hopeless hears a failure that trying again does not cure: no permission, a damaged or a closed store
   */
  public Settler(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> hopeless) {
    this(loop, store, wanted, hopeless, Optional.empty());
  }

  private Settler(
      Loop loop,
      Store store,
      BooleanSupplier wanted,
      Consumer<StoreException> hopeless,
      Optional<Consumer<StoreException>> noRoom) {
    this.loop = loop;
    this.store = store;
    this.wanted = wanted;
    this.hopeless = hopeless;
    this.noRoom = noRoom;
  }

  /**
   * A settler for somebody who waits for the answer, but not for room.
   *
   * @param told hears what is hopeless, and that there is no room
   */
  public static Settler impatient(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> told) {
    return new Settler(loop, store, wanted, told, Optional.of(told));
  }

  /** Hears the outcome as a step of the loop. The commit must not be able to take effect twice. */
  public void commit(Commit commit, Consumer<Settled> then) {
    attempt(new Question(commit, then, noRoom), false, FIRST_PAUSE);
  }

  /**
   * The same for somebody who does not wait for room.
   *
   * @param told hears it at once when there is none: {@link StoreException.Full} if nothing has happened and nothing will;
   *     {@link StoreException.Unknown} if an earlier try may have taken effect, which goes on to be settled
   */
  public void commit(Commit commit, Consumer<Settled> then, Consumer<StoreException> told) {
    attempt(new Question(commit, then, Optional.of(told)), false, FIRST_PAUSE);
  }

  private void attempt(Question question, boolean afterUnknown, Duration pause) {
    loop.hear(
        store.commit(question.commit),
        outcome -> {
          if (wanted.getAsBoolean()) {
            question.then.accept(new Settled(outcome, afterUnknown));
          }
        },
        failure -> again(question, afterUnknown, pause, failure));
  }

  private void again(Question question, boolean afterUnknown, Duration pause, Throwable failure) {
    if (!wanted.getAsBoolean()) {
      return;
    }
    boolean unknown = afterUnknown || failure instanceof StoreException.Unknown;
    switch (failure) {
      case StoreException.Denied denied -> hopeless.accept(denied);
      case StoreException.Damaged damaged -> hopeless.accept(damaged);
      case StoreException.Closed closed -> hopeless.accept(closed);
      case StoreException.Full full
      when question.noRoom.isPresent() -> {
        question.noRoom.get().accept(unknown ? maybeDone(full) : full);
        if (unknown) {
          later(question.patient(), true, pause);
        }
      }
      case StoreException worthTrying -> later(question, unknown, pause);
      default -> throw new IllegalStateException("a store fails with StoreException only", failure);
    }
  }

  private void later(Question question, boolean afterUnknown, Duration pause) {
    Duration longer = pause.multipliedBy(2);
    var unused = loop.in(pause, () -> {
      if (wanted.getAsBoolean()) {
        attempt(
            question, afterUnknown, longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
      }
    });
  }

  /** What is told when there is no room, and an earlier try may have taken effect. */
  public static StoreException maybeDone(StoreException.Full full) {
    return new StoreException.Unknown(
        "What was asked may have been written before there was no room left, which shows only when there is some again. Make room, and"
            + " read it again. The store said: " + full.getMessage(),
        full);
  }
}
