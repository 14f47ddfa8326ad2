package io.belfry.core.worker;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that keeps only the newest entries. Threading: confined to the worker's loop. */
final class RecentEntries<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;

  private final int max;

  RecentEntries(int max) {
    this.max = max;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > max;
  }
}
