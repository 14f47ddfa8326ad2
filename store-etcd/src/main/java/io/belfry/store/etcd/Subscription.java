package io.belfry.store.etcd;

import io.belfry.store.Change;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Space;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import io.belfry.store.etcd.proto.Event;
import io.belfry.store.etcd.proto.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch: what it has told its watcher, and where it would resume.
 *
 * <p>A revision may be spread over several answers of etcd (fragments). Its changes are told together once all of them are
 * here, and only then the place to resume moves on: a connection lost in between costs nothing.
 *
 * <p>Threading: confined to the hub's thread, but for {@link #close()}, which anybody may call.
 */
final class Subscription implements Watch {
  private static final Logger log = LoggerFactory.getLogger(Subscription.class);

  private final long id;
  private final Feed feed;
  private final long after;
  private final Watcher watcher;
  private final Names names;
  private final Runnable onClose;
  private final List<Change> gathered = new ArrayList<>();
  private long gatheredRevision;
  private @Nullable EtcdEpoch era;
  private long last;
  private boolean told;
  private boolean refused;
  private volatile boolean open = true;

  Subscription(long id, Feed feed, long after, Watcher watcher, Names names, Runnable onClose) {
    this.id = id;
    this.feed = feed;
    this.after = after;
    this.watcher = watcher;
    this.names = names;
    this.onClose = onClose;
  }

  long id() {
    return id;
  }

  Feed feed() {
    return feed;
  }

  /** Where its owner wants it to begin. */
  long after() {
    return after;
  }

  /** Whether etcd does not permit it at the moment. */
  boolean isRefused() {
    return refused;
  }

  void refused(boolean now) {
    refused = now;
  }

  boolean isOpen() {
    return open;
  }

  /** Null until it is known where the watch begins. */
  @Nullable
  EtcdEpoch era() {
    return era;
  }

  void beginAfter(EtcdEpoch present, long etcdRevision) {
    era = present;
    last = etcdRevision;
  }

  /** What is half gathered will come again. */
  long resumeAt() {
    gathered.clear();
    gatheredRevision = 0;
    return last + 1;
  }

  void opened(long revision) {
    if (!told) {
      told = true;
      tell(() -> watcher.opened(revision));
    }
  }

  void opened() {
    EtcdEpoch present = era;
    if (present != null) {
      opened(present.revision(last));
    }
  }

  void heard(WatchResponse answer) {
    for (Event event : answer.getEventsList()) {
      long revision = event.getKv().getModRevision();
      if (revision > last) {
        if (gatheredRevision != 0 && revision != gatheredRevision) {
          deliver();
        }
        gatheredRevision = revision;
        gather(event);
      }
    }
    if (!answer.getFragment()) {
      deliver();
    }
  }

  /** Nothing up to here is still to come. */
  void progressed(long etcdRevision) {
    if (gatheredRevision == 0) {
      last = Math.max(last, etcdRevision);
    }
  }

  private void gather(Event event) {
    EtcdEpoch present = era;
    Space space = feed.space();
    if (present == null) {
      throw new IllegalStateException("An event before the watch was begun.");
    }
    if (!names.isKey(space, event.getKv().getKey())) {
      return; // written by another program under our prefix; no key of ours can be called so
    }
    Key key = names.key(space, event.getKv().getKey());
    if (event.getType() == Event.EventType.DELETE) {
      gathered.add(new Change.Deleted(key));
    } else {
      long revision = event.getKv().getModRevision();
      present.saw(revision);
      byte[] value = event.getKv().getValue().toByteArray();
      gathered.add(new Change.Put(new Entry(key, value, present.revision(revision))));
    }
  }

  private void deliver() {
    EtcdEpoch present = era;
    if (gatheredRevision != 0 && present != null) {
      long revision = present.revision(gatheredRevision);
      List<Change> changes = List.copyOf(gathered);
      last = gatheredRevision;
      gathered.clear();
      gatheredRevision = 0;
      tell(() -> watcher.changed(revision, changes));
    }
  }

  void compacted() {
    if (open) {
      opened();
      end(watcher::compacted);
    }
  }

  private void end(Runnable lastWords) {
    if (open) {
      open = false;
      say(lastWords);
    }
  }

  private void tell(Runnable said) {
    if (open && !say(said)) {
      end(watcher::compacted);
    }
  }

  /** A watcher that throws has not heard: it is told that it missed something. */
  private boolean say(Runnable said) {
    try {
      said.run();
      return true;
    } catch (RuntimeException | Error e) {
      log.error("A watcher of {} threw. Its watch ends: it must scan again.", feed, e);
      return false;
    }
  }

  @Override
  public void close() {
    open = false;
    onClose.run();
  }
}
