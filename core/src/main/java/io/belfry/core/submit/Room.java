package io.belfry.core.submit;

import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Fullness;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tracks, from the leader's records, whether the namespace accepts more tasks and more idempotency keys. Starts its watch with the first
 * question, so that a process that submits nothing needs none.
 *
 * <p>Threading: confined to its loop, except {@link #keysRefused}.
 */
public final class Room implements Follower.Sink {

  /** The content of one record, and its revision. */
  private static final class Told {
    private Fullness fullness = Fullness.NONE;
    private long known;
  }

  private final Follower follower;
  private final Told tasks = new Told();
  private final Told keys = new Told();
  private final AtomicLong keysRefused = new AtomicLong();
  private boolean watching;

  public Room(Loop loop, Store store) {
    this.follower = new Follower(loop, store, Keys.SETTINGS, this);
  }

  private void watch() {
    if (!watching) {
      watching = true;
      follower.start();
    }
  }

  /** Why no task is accepted; empty if tasks are accepted. */
  Optional<StoreException> refusal() {
    watch();
    Fullness now = tasks.fullness;
    if (!now.full()) {
      return Optional.empty();
    }
    return Optional.of(
        new StoreException.Overloaded(
            now.limit() == Fullness.HISTORY
                ? "More finished tasks wait to be written to history than the leader can keep up with, so no more tasks are"
                    + " accepted until it has caught up. Submit again later and more slowly."
                : "At most " + now.limit()
                    + " tasks may wait in a namespace, so that its leader's memory stays bounded,"
                    + " and that limit is reached. Submit again later, add workers, or raise pendingMax."));
  }

  /** Whether the limit of idempotency keys is reached, so that only repetitions of earlier calls are answered. */
  boolean isFullOfKeys() {
    watch();
    return keys.fullness.full();
  }

  /** The same for manual calls, for which the limit is a tenth higher. */
  public boolean isFullOfKeys(boolean byHand) {
    return byHand ? isFullOfKeys() && keys.fullness.isBeyond() : isFullOfKeys();
  }

  /** The failure of a call that would need another key. */
  public StoreException tooManyKeys() {
    keysRefused.incrementAndGet();
    return new StoreException.Overloaded("At most " + keys.fullness.limit()
        + " idempotency keys may be remembered in a namespace, so that they do not fill the store, and that limit is reached."
        + " Submit without a key and without an id of your own, trigger without an instant, wait until keys have expired,"
        + " shorten task.idempotencyWindow, or raise task.idempotencyKeysMax.");
  }

  /** The number of calls refused because of too many idempotency keys. */
  public long keysRefused() {
    return keysRefused.get();
  }

  /** Stops the watch. Idempotent. */
  public void stop() {
    watching = true;
    follower.stop();
  }

  private Optional<Told> of(Key key) {
    return key.equals(Keys.FULLNESS)
        ? Optional.of(tasks)
        : key.equals(Keys.KEYS_FULL) ? Optional.of(keys) : Optional.empty();
  }

  /** Records known before a gap may have been deleted since, or rolled back by a failover. */
  @Override
  public void loading() {
    tasks.known = Revision.NONE;
    keys.known = Revision.NONE;
  }

  @Override
  public void put(Entry entry) {
    of(entry.key()).filter(state -> entry.revision() > state.known).ifPresent(state -> {
      state.known = entry.revision();
      SafeDecoder.read(entry, each -> Records.fullness(each.value()))
          .ifPresent(now -> state.fullness = now);
    });
  }

  @Override
  public void deleted(Key key, long revision) {
    of(key).filter(state -> revision > state.known).ifPresent(state -> {
      state.known = revision;
      state.fullness = Fullness.NONE;
    });
  }

  @Override
  public void loaded() {
    for (Told state : new Told[] {tasks, keys}) {
      if (state.known == Revision.NONE) {
        state.fullness = Fullness.NONE;
      }
    }
  }
}
