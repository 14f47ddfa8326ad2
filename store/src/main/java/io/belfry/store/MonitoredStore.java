package io.belfry.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store whose writes are observed: whatever engine is behind it, its {@link EngineHealth} is known here.
 *
 * <p>Threading: as the store behind it; adds no lock to a commit that succeeds.
 */
public final class MonitoredStore extends DelegatingStore {
  private final EngineHealth health;

  public MonitoredStore(Store store, EngineHealth health) {
    super(store);
    this.health = health;
    health.of(store);
  }

  public EngineHealth health() {
    return health;
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return observed(() -> store.commit(commit), true);
  }

  private <T> CompletionStage<T> observed(Supplier<CompletionStage<T>> write, boolean proves) {
    CommitsInFlight.Sent sent = health.inFlight().send();
    CompletionStage<T> answer;
    try {
      answer = write.get();
    } catch (RuntimeException | Error e) {
      sent.answered(); // refused before it was sent: it says nothing about the engine
      throw e;
    }
    var unused = answer.whenComplete((outcome, thrown) -> {
      sent.answered();
      if (thrown != null) {
        health.failed(thrown);
      } else if (proves) {
        health.committed();
      }
    });
    return answer;
  }

  /** A granted lease does not prove that commits succeed; a grant that fails is a write that failed. */
  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    return observed(() -> store.grant(ttl), false);
  }
}
