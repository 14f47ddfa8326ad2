package io.belfry.core.submit;

import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Fullness;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import io.belfry.store.Store;

/**
 * Knows whether the namespace takes in more tasks, as the leader tells it. Begins to listen with the first question, so that a process
 * that submits nothing does not. Threading: confined to its loop.
 */
final class Room implements Follower.Sink {
  private final Follower follower;
  private Fullness fullness = Fullness.NONE;
  private long known;
  private boolean listening;

  Room(Loop loop, Store store) {
    this.follower = new Follower(loop, store, Keys.SETTINGS, this);
  }

  Fullness fullness() {
    if (!listening) {
      listening = true;
      follower.start();
    }
    return fullness;
  }

  void stop() {
    listening = true;
    follower.stop();
  }

  /** What was heard before a gap may have been deleted since, or taken back by a failover. */
  @Override
  public void loading() {
    known = Revision.NONE;
  }

  @Override
  public void put(Entry entry) {
    if (entry.key().equals(Keys.FULLNESS) && entry.revision() > known) {
      known = entry.revision();
      Legible.read(entry, each -> Records.fullness(each.value())).ifPresent(now -> fullness = now);
    }
  }

  @Override
  public void deleted(Key key, long revision) {
    if (key.equals(Keys.FULLNESS) && revision > known) {
      known = revision;
      fullness = Fullness.NONE;
    }
  }

  @Override
  public void loaded() {
    if (known == Revision.NONE) {
      fullness = Fullness.NONE;
    }
  }
}
