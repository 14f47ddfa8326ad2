package io.belfry.store.embedded;

import io.belfry.store.Change;
import io.belfry.store.Feed;
import io.belfry.store.Watcher;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watcher and what it has heard.
 *
 * <p>Threading: called by the feed's thread; closed by any.
 */
final class Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  private final Feed feed;
  private final Watcher watcher;
  private final long after;
  private volatile boolean open = true;

  Listener(Feed feed, long after, Watcher watcher) {
    this.feed = feed;
    this.after = after;
    this.watcher = watcher;
  }

  Feed feed() {
    return feed;
  }

  long after() {
    return after;
  }

  boolean isOpen() {
    return open;
  }

  void close() {
    open = false;
  }

  void opened() {
    call(() -> watcher.opened(after));
  }

  void hear(Step step) {
    if (step.revision() <= after) {
      return;
    }
    var heard = new ArrayList<Change>(step.changes().size());
    for (Change change : step.changes()) {
      if (covers(change)) {
        heard.add(change);
      }
    }
    if (!heard.isEmpty()) {
      call(() -> watcher.changed(step.revision(), List.copyOf(heard)));
    }
  }

  private boolean covers(Change change) {
    return feed.key()
        .map(change.key()::equals)
        .orElseGet(() -> change.key().space().name().equals(feed.space().name()));
  }

  void compacted() {
    if (open) {
      open = false;
      try {
        watcher.compacted();
      } catch (RuntimeException | Error e) {
        LOG.error("The watcher of {} failed when told to scan again; it hears no more.", feed, e);
      }
    }
  }

  /** A watcher that throws has missed a change: it must scan again like any other that has. */
  private void call(Runnable said) {
    if (open) {
      try {
        said.run();
      } catch (RuntimeException | Error e) {
        LOG.error("The watcher of {} failed; it is told to scan again.", feed, e);
        compacted();
      }
    }
  }
}
