package io.belfry.core.record;

/**
 * Settings of the whole namespace that change at run time.
 *
 * @param paused nothing fires and nothing is assigned
 * @param strategy name of the load-balancing strategy
 * @param resets counts how often the strategy was reset
 * @param reason why it is paused; empty while it is not
 */
public record NamespaceSettings(boolean paused, String strategy, long resets, String reason) {
  public static final NamespaceSettings DEFAULT = new NamespaceSettings(false, "least-tasks", 0);

  /** Without a reason. */
  public NamespaceSettings(boolean paused, String strategy, long resets) {
    this(paused, strategy, resets, "");
  }

  public NamespaceSettings pausedFor(String why) {
    return new NamespaceSettings(true, strategy, resets, why);
  }

  public NamespaceSettings resumed() {
    return new NamespaceSettings(false, strategy, resets, "");
  }

  public NamespaceSettings withStrategy(String name) {
    return new NamespaceSettings(paused, name, resets, reason);
  }

  public NamespaceSettings withReset() {
    return new NamespaceSettings(paused, strategy, resets + 1, reason);
  }
}
