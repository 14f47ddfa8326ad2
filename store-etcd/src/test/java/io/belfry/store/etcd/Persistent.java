package io.belfry.store.etcd;

import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.contract.Subject;
import java.time.Duration;
import java.util.Optional;

/** Callers that do not give up while a fault lasts. */
final class Persistent {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Persistent() {}

  /** Commits again until there is an outcome; what stays unknown is settled by the commit's own guards. */
  static Outcome commit(Store store, Commit commit) {
    return await("an outcome")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> tryOnce(store, commit), Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<Outcome> tryOnce(Store store, Commit commit) {
    try {
      return Optional.of(Subject.answer(store.commit(commit)));
    } catch (StoreException.Unknown | StoreException.Unavailable | StoreException.Overloaded e) {
      return Optional.empty();
    }
  }
}
