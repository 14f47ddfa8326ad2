package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
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
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How workers are chosen, for the whole namespace. A change reaches the leader at once, and every later one.
 *
 * <p>Threading: safe.
 */
public final class StrategyDesk {
  private static final int TRIES_MAX = 20;

  private final Calls calls;
  private final Store store;
  private final Strategies strategies;

  StrategyDesk(Calls calls, Store store, Strategies strategies) {
    this.calls = calls;
    this.store = store;
    this.strategies = strategies;
  }

  /** The strategies that this node knows. */
  public Set<String> names() {
    return strategies.names();
  }

  public String get() {
    return settings(read()).strategy();
  }

  /** Switches to a strategy that this node knows; the other scheduler nodes must know it, too. */
  public void set(String name) {
    strategies.make(name); // refuses one that is not there
    change(now -> new NamespaceSettings(now.paused(), name, now.resets()));
  }

  /** Lets the strategy forget what it has counted and learned. */
  public void reset() {
    change(now -> new NamespaceSettings(now.paused(), now.strategy(), now.resets() + 1));
  }

  /** The first node that has an opinion decides; afterwards only {@link #set} does. */
  void begin(String name) {
    var first = new NamespaceSettings(false, name, 0);
    calls.write(() -> store.commit(Commit.when()
        .absent(Keys.NAMESPACE)
        .put(Keys.NAMESPACE, Records.encode(first))
        .build()));
  }

  private Optional<Entry> read() {
    return calls.read(() -> store.get(List.of(Keys.NAMESPACE))).stream().findFirst();
  }

  private static NamespaceSettings settings(Optional<Entry> entry) {
    return entry
        .map(stands -> Records.namespaceSettings(stands.value()))
        .orElse(NamespaceSettings.DEFAULT);
  }

  private void change(UnaryOperator<NamespaceSettings> to) {
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<Entry> before = read();
      Commit.Builder commit = Commit.when();
      before.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.NAMESPACE));
      byte[] after = Records.encode(to.apply(settings(before)));
      Outcome outcome =
          calls.write(() -> store.commit(commit.put(Keys.NAMESPACE, after).build()));
      if (outcome instanceof Outcome.Done) {
        return;
      }
    }
    throw new StoreException.Overloaded("The settings of the namespace were changed by others "
        + TRIES_MAX + " times while this change was tried. Try again later.");
  }
}
