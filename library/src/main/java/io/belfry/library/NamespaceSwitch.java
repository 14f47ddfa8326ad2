package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.NamespaceSettings;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reads and changes the settings of the namespace, which are one record: paused or not, and the load-balancing strategy.
 *
 * <p>Threading: safe.
 */
final class NamespaceSwitch {
  private static final int TRIES_MAX = 20;

  private final Calls calls;
  private final Store store;

  NamespaceSwitch(Calls calls, Store store) {
    this.calls = calls;
    this.store = store;
  }

  NamespaceSettings get() {
    return settings(read(calls.begin()));
  }

  /** Writes these settings if the namespace has none yet. */
  void initialize(NamespaceSettings first) {
    calls.write(() -> store.commit(Commit.when()
        .absent(Keys.NAMESPACE)
        .put(Keys.NAMESPACE, Records.encode(first))
        .build()));
  }

  void change(UnaryOperator<NamespaceSettings> to) {
    Calls.Span span = calls.begin();
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<Entry> before = read(span);
      Commit.Builder commit = Commit.when();
      before.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.NAMESPACE));
      byte[] after = Records.encode(to.apply(settings(before)));
      Outcome outcome =
          span.write(() -> store.commit(commit.put(Keys.NAMESPACE, after).build()));
      if (outcome instanceof Outcome.Done) {
        return;
      }
    }
    throw new StoreException.Overloaded("The settings of the namespace were not changed, because "
        + TRIES_MAX + " concurrent changes got ahead of this one. Try again later.");
  }

  private Optional<Entry> read(Calls.Span span) {
    return span.read(() -> store.get(List.of(Keys.NAMESPACE))).stream().findFirst();
  }

  private static NamespaceSettings settings(Optional<Entry> entry) {
    return entry
        .map(stored -> Records.namespaceSettings(stored.value()))
        .orElse(NamespaceSettings.DEFAULT);
  }
}
