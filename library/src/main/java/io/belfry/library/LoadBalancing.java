package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.record.NamespaceSettings;
import java.util.Set;

/**
 * Gets and sets the load-balancing strategy of the namespace, by which the leader selects workers. A change applies at once.
 *
 * <p>Threading: safe.
 */
public final class LoadBalancing {
  private final NamespaceSwitch namespace;
  private final Strategies strategies;

  LoadBalancing(NamespaceSwitch namespace, Strategies strategies) {
    this.namespace = namespace;
    this.strategies = strategies;
  }

  /** The names of the strategies that this node knows. */
  public Set<String> names() {
    return strategies.names();
  }

  /** The current strategy. */
  public String get() {
    return namespace.get().strategy();
  }

  /**
   * Sets the strategy. Every scheduler node must know it.
   *
   * @throws io.belfry.model.InvalidException if this node does not know it
   */
  public void set(String name) {
    strategies.make(name); // throws for an unknown name
    namespace.change(now -> now.withStrategy(name));
  }

  /** Resets the counters and statistics of the strategy. */
  public void reset() {
    namespace.change(NamespaceSettings::withReset);
  }

  /** Sets the initial strategy: the first configured node wins, and later only {@link #set} changes it. */
  void initialize(String name) {
    namespace.initialize(new NamespaceSettings(false, name, 0));
  }
}
