package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.record.NamespaceSettings;
import java.util.Set;

/**
 * How workers are chosen, for the whole namespace. A change reaches the leader at once, and every later one.
 *
 * <p>Threading: safe.
 */
public final class StrategyDesk {
  private final NamespaceSwitch namespace;
  private final Strategies strategies;

  StrategyDesk(NamespaceSwitch namespace, Strategies strategies) {
    this.namespace = namespace;
    this.strategies = strategies;
  }

  /** The strategies that this node knows. */
  public Set<String> names() {
    return strategies.names();
  }

  public String get() {
    return namespace.get().strategy();
  }

  /** Switches to a strategy that this node knows; the other scheduler nodes must know it, too. */
  public void set(String name) {
    strategies.make(name); // refuses one that is not there
    namespace.change(now -> now.withStrategy(name));
  }

  /** Lets the strategy forget what it has counted and learned. */
  public void reset() {
    namespace.change(NamespaceSettings::withReset);
  }

  /** The first node that has an opinion decides; afterwards only {@link #set} does. */
  void begin(String name) {
    namespace.begin(new NamespaceSettings(false, name, 0));
  }
}
