package io.belfry.core.execute;

/** An executor that caches data read through settings. Threading: called from any thread; answers at once. */
public interface SettingsCache {

  /** The size of the cache in bytes. */
  long cacheBytes();
}
