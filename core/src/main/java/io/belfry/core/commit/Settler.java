package io.belfry.core.commit;

import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
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

  private final Loop loop;
  private final Store store;
  private final BooleanSupplier wanted;
  private final Consumer<StoreException> hopeless;

  /**
   * A settler over one store.
   *
   * @param wanted asked before every further try; once false, nothing is heard of the commit any more
   * @param hopeless hears a failure that trying again does not cure: no permission, a damaged or a closed store
   */
  public Settler(
      Loop loop, Store store, BooleanSupplier wanted, Consumer<StoreException> hopeless) {
    this.loop = loop;
    this.store = store;
    this.wanted = wanted;
    this.hopeless = hopeless;
  }

  /** Hears the outcome as a step of the loop. The commit must not be able to take effect twice. */
  public void commit(Commit commit, Consumer<Settled> then) {
    attempt(commit, then, false, FIRST_PAUSE);
  }

  private void attempt(
      Commit commit, Consumer<Settled> then, boolean afterUnknown, Duration pause) {
    loop.hear(
        store.commit(commit),
        outcome -> {
          if (wanted.getAsBoolean()) {
            then.accept(new Settled(outcome, afterUnknown));
          }
        },
        failure -> again(commit, then, afterUnknown, pause, failure));
  }

  private void again(
      Commit commit,
      Consumer<Settled> then,
      boolean afterUnknown,
      Duration pause,
      Throwable failure) {
    if (!wanted.getAsBoolean()) {
      return;
    }
    boolean unknown = afterUnknown || failure instanceof StoreException.Unknown;
    switch (failure) {
      case StoreException.Denied denied -> hopeless.accept(denied);
      case StoreException.Damaged damaged -> hopeless.accept(damaged);
      case StoreException.Closed closed -> hopeless.accept(closed);
      case StoreException worthTrying -> {
        Duration longer = pause.multipliedBy(2);
        var unused = loop.in(pause, () -> {
          if (wanted.getAsBoolean()) {
            attempt(
                commit,
                then,
                unknown,
                longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
          }
        });
      }
      default -> throw new IllegalStateException("a store fails with StoreException only", failure);
    }
  }
}
