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
 * A store behind an unreliable network: loses a response, loses a request, or delivers a request late. The caller gets the same
 * outcome each time: unknown.
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

  /** Executes the next commit and loses its response. */
  public void loseNextAnswer() {
    next = Fault.LOSE_ANSWER;
  }

  /** Loses the next commit. */
  public void loseNextRequest() {
    next = Fault.LOSE_REQUEST;
  }

  /** Delays the next commit until {@link #deliverDelayed()}. */
  public void delayNextRequest() {
    next = Fault.DELAY_REQUEST;
  }

  /** Delivers the delayed commit and waits until it is done. */
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
        new StoreException.Unknown("The network failed, injected by the test.", null));
  }
}
