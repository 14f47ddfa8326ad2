package io.belfry.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The recent steps of a {@link MemoryStore} and who listens to them.
 *
 * <p>Threading: confined to the lock of its store; watchers are called on the executor.
 */
final class MemoryFeed {
  private record Step(long revision, List<Change> changes) {}

  private static final class Listener {
    final Feed feed;
    final Watcher watcher;
    volatile boolean open = true;

    Listener(Feed feed, Watcher watcher) {
      this.feed = feed;
      this.watcher = watcher;
    }
  }

  private final Executor deliver;
  private final int stepsMax;
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private final List<Listener> listeners = new ArrayList<>();
  private long forgottenUpTo;
  private long last;

  MemoryFeed(Executor deliver, int stepsMax) {
    this.deliver = deliver;
    this.stepsMax = stepsMax;
  }

  void append(long revision, List<Change> changes) {
    var step = new Step(revision, changes);
    last = revision;
    steps.add(step);
    if (steps.size() > stepsMax) {
      forgottenUpTo = steps.remove().revision;
    }
    listeners.forEach(listener -> tell(listener, step));
  }

  Watch open(Feed feed, long after, Watcher watcher, Object lock) {
    var listener = new Listener(feed, watcher);
    call(listener, () -> watcher.opened(after));
    if (after < forgottenUpTo) {
      endCompacted(listener);
    } else {
      steps.stream().filter(step -> step.revision > after).forEach(step -> tell(listener, step));
      listeners.add(listener);
    }
    return () -> {
      listener.open = false;
      synchronized (lock) {
        listeners.remove(listener);
      }
    };
  }

  void forget() {
    steps.clear();
    forgottenUpTo = last;
  }

  /** Everybody must scan again, and nobody can resume before {@code revision}. */
  void compact(long revision) {
    steps.clear();
    forgottenUpTo = revision;
    last = revision;
    listeners.forEach(this::endCompacted);
    listeners.clear();
  }

  void close() {
    listeners.forEach(listener -> listener.open = false);
    listeners.clear();
  }

  private void tell(Listener listener, Step step) {
    List<Change> heard = step.changes.stream()
        .filter(change -> listener.feed.covers(change.key()))
        .toList();
    if (!heard.isEmpty()) {
      call(listener, () -> listener.watcher.changed(step.revision, heard));
    }
  }

  private void endCompacted(Listener listener) {
    call(listener, () -> {
      listener.open = false;
      listener.watcher.compacted();
    });
  }

  private void call(Listener listener, Runnable said) {
    deliver.execute(() -> {
      if (listener.open) {
        say(listener, said);
      }
    });
  }

  /** A watcher that throws has not heard. The executor is told what it threw: there is no log here. */
  private static void say(Listener listener, Runnable said) {
    try {
      said.run();
    } catch (RuntimeException | Error e) {
      if (listener.open) {
        listener.open = false;
        try {
          listener.watcher.compacted();
        } catch (RuntimeException | Error again) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
  }
}
