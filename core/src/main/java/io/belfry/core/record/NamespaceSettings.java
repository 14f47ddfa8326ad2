package io.belfry.core.record;

/**
 * What is switched for the whole namespace at run time.
 *
 * @param paused nothing fires and nothing is assigned
 * @param strategy name of the strategy that chooses workers
 * @param resets counts how often the strategy's memory was cleared
 */
public record NamespaceSettings(boolean paused, String strategy, long resets) {
  public static final NamespaceSettings DEFAULT = new NamespaceSettings(false, "least-tasks", 0);
}
