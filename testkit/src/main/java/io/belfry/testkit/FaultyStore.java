package io.belfry.testkit;

import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A store behind a bad wire: loses an answer, loses a request, or delivers a request late. The caller hears the same each
 * time: unknown.
 *
 * <p>Threading: confined to the test that holds it.
 */
public final class FaultyStore extends DelegatingStore {
  private enum Fault {
    NONE,
    LOSE_ANSWER,
    LOSE_REQUEST,
    DELAY_REQUEST
  }

  private final List<Commit> delayed = new ArrayList<>();
  private Fault next = Fault.NONE;

  public FaultyStore(Store store) {
    super(store);
  }

  /** The next commit is carried out, and its caller never hears of it. */
  public void loseNextAnswer() {
    next = Fault.LOSE_ANSWER;
  }

  /** The next commit never arrives. */
  public void loseNextRequest() {
    next = Fault.LOSE_REQUEST;
  }

  /** The next commit arrives when {@link #deliverDelayed()} says so. */
  public void delayNextRequest() {
    next = Fault.DELAY_REQUEST;
  }

  /** Delivers what was delayed, and waits until it is done. */
  public void deliverDelayed() {
    delayed.forEach(commit -> store.commit(commit).toCompletableFuture().join());
    delayed.clear();
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    Fault fault = next;
    next = Fault.NONE;
    return switch (fault) {
      case NONE -> store.commit(commit);
      case LOSE_ANSWER -> store.commit(commit).thenCompose(outcome -> unknown());
      case LOSE_REQUEST -> unknown();
      case DELAY_REQUEST -> {
        delayed.add(commit);
        yield unknown();
      }
    };
  }

  private static CompletionStage<Outcome> unknown() {
    return CompletableFuture.failedStage(
        new StoreException.Unknown("The wire is bad, on purpose.", null));
  }
}
