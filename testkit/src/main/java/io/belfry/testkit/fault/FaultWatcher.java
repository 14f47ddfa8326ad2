package io.belfry.testkit.fault;

import io.belfry.store.Change;
import io.belfry.store.StoreException;
import io.belfry.store.Watcher;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records the delivered revisions, and violations of their order. Threading: safe. */
final class FaultWatcher implements Watcher {
  private final Set<Long> seen = ConcurrentHashMap.newKeySet();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private volatile long last;
  private volatile boolean opened;
  private volatile boolean over;

  @Override
  public void opened(long revision) {
    opened = true;
  }

  @Override
  public void changed(long revision, List<Change> changes) {
    if (revision < last) {
      violations.add("the watch delivered revision " + revision + " after " + last);
    }
    last = revision;
    seen.add(revision);
  }

  @Override
  public void compacted() {
    over = true;
  }

  @Override
  public void failed(StoreException cause) {
    violations.add("the watch failed permanently: " + cause);
    over = true;
  }

  boolean hasHeard(long revision) {
    return seen.contains(revision);
  }

  boolean isOpened() {
    return opened;
  }

  boolean isOver() {
    return over;
  }

  Queue<String> violations() {
    return violations;
  }

  /** Bounds the memory of a long run. */
  void forget() {
    seen.clear();
  }
}
