package io.belfry.store.redis;

import io.belfry.store.Feed;
import io.belfry.store.Revision;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch: how far it has heard, and whether what comes next joins on.
 *
 * <p>Threading: confined to the reader's thread, but for {@code close} and {@code isOpen}.
 */
final class FeedWatch implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(FeedWatch.class);

  private final Feed feed;
  private final long after;
  private final Watcher watcher;
  private final Runnable onClose;
  private final AtomicBoolean open = new AtomicBoolean(true);
  private boolean begun;
  private long position;

  FeedWatch(Feed feed, long after, Watcher watcher, Runnable onClose) {
    this.feed = feed;
    this.after = after;
    this.watcher = watcher;
    this.onClose = onClose;
  }

  Feed feed() {
    return feed;
  }

  long position() {
    return position;
  }

  boolean isOpen() {
    return open.get();
  }

  @Override
  public void close() {
    if (open.compareAndSet(true, false)) {
      onClose.run();
    }
  }

  /**
   * Finds its place.
   *
   * @param now where the data set stands
   */
  void begin(long now, FeedWire.FeedEnd end) {
    position = after == NOW ? now : after;
    open(position);
    if (isBefore(Revision.epoch(now)) || position > now || hasMissed(end)) {
      compact();
    }
  }

  private boolean hasMissed(FeedWire.FeedEnd end) {
    return position < end.last() && !end.there();
  }

  /** Whether it has heard of an earlier epoch, of which steps may have been taken back. The first has none before it. */
  boolean isBefore(long epoch) {
    return Revision.epoch(position) < epoch && !(position == Revision.NONE && epoch == 1);
  }

  void hear(FeedEntry entry) {
    if (entry.id() <= position || !isOpen()) {
      return;
    }
    if (entry.previous() > position) {
      compact();
      return;
    }
    for (FeedEntry.Step step : entry.steps()) {
      if (step.revision() > position) {
        say(() -> watcher.changed(step.revision(), step.changes()));
      }
    }
    position = entry.id();
  }

  /** Nothing happened in this feed up to there. */
  void quietUpTo(long revision) {
    position = Math.max(position, revision);
  }

  /**
   * It read nothing, but something was cut off some feed behind its position: off this one?
   *
   * @param quiet up to where nothing was there to be read
   */
  void lookedAt(FeedWire.FeedEnd end, long quiet) {
    if (hasMissed(end)) {
      compact();
    } else if (end.last() <= position) {
      quietUpTo(quiet);
    }
    // Otherwise the next read returns what is there, which says what was before it.
  }

  void compact() {
    open(Math.max(after, position));
    last(watcher::compacted);
  }

  /** Said once, before anything else. */
  private void open(long at) {
    if (!begun) {
      begun = true;
      say(() -> watcher.opened(at));
    }
  }

  private void last(Runnable word) {
    if (isOpen()) {
      close();
      call(word);
    }
  }

  private void say(Runnable word) {
    if (isOpen() && !call(word)) {
      last(watcher::compacted);
    }
  }

  /** Whether it was heard. One bad watcher must not silence the others. */
  private boolean call(Runnable word) {
    try {
      word.run();
      return true;
    } catch (RuntimeException | Error e) {
      LOG.error("A watcher of {} threw. Its watch ends: it must scan again.", feed, e);
      return false;
    }
  }
}
