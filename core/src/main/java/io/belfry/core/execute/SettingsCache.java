package io.belfry.core.execute;

/** An executor that keeps in memory what it has read of settings. Threading: asked from any thread; answers at once. */
public interface SettingsCache {

  /** What it keeps, in bytes. */
  long cacheBytes();
}
