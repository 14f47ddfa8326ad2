package io.belfry.store.embedded;

import io.belfry.store.Feed;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells watchers what is on the disk. The writer leaves steps in the ring and goes; one thread reads them at the pace
 * of its watchers, and when the ring has run past it, everybody is told to scan again: nobody slows down a commit.
 *
 * <pre>
 *   writer ──append──▶ Ring ──▶ one thread: joins · leaves · steps ──▶ Audience ──▶ watchers
 * </pre>
 *
 * <p>The ring lives as long as the process, and so do watches, because the directory is exclusive: after a restart only
 * a watch that is up to date can resume.
 *
 * <p>Threading: safe; watchers are called by its one thread.
 */
final class ChangeFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
  private static final int STEPS_AT_ONCE = 256;

  /** What the thread finds when it looks. */
  private record News(
      boolean compacted, List<Joining> joining, List<Listener> leaving, List<Step> steps) {}

  private record Joining(Listener listener, boolean tooLate, List<Step> missed) {}

  private final RecentSteps ring;
  private final List<Listener> joining = new ArrayList<>();
  private final List<Listener> leaving = new ArrayList<>();
  private final Thread thread;
  private long head;
  private long expected;
  private long position;
  private boolean compacted;
  private volatile boolean closed;

  ChangeFeed(EmbeddedSettings settings, long head) {
    this.ring = new RecentSteps(settings.feedSteps(), settings.feedBytes(), head);
    this.head = head;
    this.expected = head;
    this.thread = Thread.ofPlatform()
        .daemon()
        .inheritInheritableThreadLocals(false)
        .name("belfry-store-feed")
        .start(this::run);
  }

  /** Revisions up to this one may soon be seen by readers, a moment before they are appended here. */
  synchronized void expect(long revision) {
    expected = Math.max(expected, revision);
  }

  synchronized void append(List<Step> steps, long newHead) {
    steps.forEach(ring::add);
    head = newHead;
    if (!steps.isEmpty()) {
      notifyAll();
    }
  }

  /** Everybody must scan again, and nobody can resume before {@code revision}. */
  synchronized void compact(long revision) {
    ring.forget(revision);
    head = revision;
    expected = Math.max(expected, revision);
    compacted = true;
    notifyAll();
  }

  /** Drops what is kept, as happens by itself when there is too much. */
  synchronized void forget() {
    ring.forget(head);
  }

  synchronized Watch open(Feed feed, long after, Watcher watcher) {
    if (closed) {
      throw new StoreException.Closed();
    }
    var listener = new Listener(feed, after == Watch.NOW ? head : after, watcher);
    joining.add(listener);
    notifyAll();
    return () -> leave(listener);
  }

  private void leave(Listener listener) {
    listener.close();
    synchronized (this) {
      leaving.add(listener);
      notifyAll();
    }
  }

  private void run() {
    var audience = new WatcherIndex();
    while (true) {
      try {
        Optional<News> news = await();
        if (news.isEmpty()) {
          audience.leave().forEach(Listener::close);
          return;
        }
        tellOrRecover(audience, news.get());
      } catch (InterruptedException e) {
        LOG.warn("A watcher interrupted the thread that calls watchers; it goes on.");
      } catch (RuntimeException | Error e) { // no watcher would ever hear anything again
        everybodyOut(e);
      }
    }
  }

  private void tellOrRecover(WatcherIndex audience, News news) {
    try {
      tell(audience, news);
    } catch (RuntimeException | Error e) {
      news.joining.forEach(one -> audience.add(one.listener));
      everybodyOut(e);
    }
  }

  /** What was under way is not known any more. */
  private synchronized void everybodyOut(Throwable cause) {
    LOG.error("Telling watchers of changes failed; all of them are told to scan again.", cause);
    compacted = true;
  }

  /** Empty when it is time to end. */
  private synchronized Optional<News> await() throws InterruptedException {
    while (!closed
        && !compacted
        && joining.isEmpty()
        && leaving.isEmpty()
        && position == ring.next()) {
      wait();
    }
    if (closed) {
      joining.forEach(Listener::close);
      return Optional.empty();
    }
    boolean everybodyOut = compacted || position < ring.first();
    if (everybodyOut) {
      position = ring.next();
      compacted = false;
    }
    List<Joining> joined = joining.stream().map(this::join).toList();
    List<Step> steps = ring.from(position, STEPS_AT_ONCE);
    position += steps.size();
    var news = new News(everybodyOut, joined, List.copyOf(leaving), steps);
    joining.clear();
    leaving.clear();
    return Optional.of(news);
  }

  private Joining join(Listener listener) {
    boolean tooLate = listener.after() < ring.forgottenUpTo() || listener.after() > expected;
    return new Joining(
        listener, tooLate, tooLate ? List.of() : ring.between(listener.after(), position));
  }

  private void tell(WatcherIndex audience, News news) {
    if (news.compacted) {
      audience.leave().forEach(Listener::compacted);
    }
    for (Joining one : news.joining) {
      one.listener.opened();
      if (one.tooLate) {
        one.listener.compacted();
      } else {
        one.missed.forEach(one.listener::hear);
        audience.add(one.listener);
      }
    }
    news.leaving.forEach(audience::remove);
    for (Step step : news.steps) {
      if (closed) {
        return;
      }
      audience.hear(step);
    }
  }

  /** Watches fall silent; nobody is told. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Threads.join(thread);
  }
}
