package io.belfry.server.access;

import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Space;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of one space, kept in memory.
 *
 * <pre>
 *   write here ──▶ store ──feed──▶ memory ──▶ the writer returns
 *   delete here ─▶ store ──feed──▶ memory
 *        └──▶ gone: hidden here until the feed tells of the deletion
 * </pre>
 *
 * <p>A record is hidden by its id, never by its key: another node may have put a new record under the key before this one hears that its
 * deletion was carried out.
 *
 * <p>Law: only the feed adds a record. If a writer added its own, it could do so after the feed has told of the record and of its deletion
 * by another node; then the record would stay here for ever.
 *
 * <p>Threading: safe.
 */
final class FollowedRecords<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedRecords.class);
  private static final Duration HEARD = Duration.ofSeconds(5);

  /** A record, and where it lies. */
  private record Known<T>(String key, T record) {}

  /**
   * What the feed has told so far. Each map has whole records: a look-up that went from an id to a key, and from there to a record, could
   * find the record that came under the key meanwhile.
   */
  private static final class State<T> {
    private final Map<String, T> records = new ConcurrentHashMap<>();
    private final Map<String, Known<T>> byId = new ConcurrentHashMap<>();
  }

  private final Desk desk;
  private final Loop loop;
  private final Class<T> type;
  private final Function<T, String> idOf;
  private final Runnable changed;
  private final Follower follower;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
  /** Ids of records that were deleted here, while the feed may not have told of it yet. */
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  private volatile State<T> state = new State<>();

  /**
   * Follows a space.
   *
   * @param idOf a second name of a record, by which it is found too; no two records ever have the same
   * @param changed called on the loop after each change, once all records are known
   */
  FollowedRecords(
      Desk desk,
      Loop loop,
      Space space,
      Class<T> type,
      Function<T, String> idOf,
      Runnable changed) {
    this.desk = desk;
    this.loop = loop;
    this.type = type;
    this.idOf = idOf;
    this.changed = changed;
    this.follower = new Follower(loop, desk.store(), space, new Told());
    loop.post(follower::start);
  }

  /** Completes once the records of the store are known. */
  CompletableFuture<Void> loaded() {
    return loaded;
  }

  /** How many there are, also those that were deleted here a moment ago. */
  int size() {
    return state.records.size();
  }

  /** Those of them that were not deleted here. */
  List<T> current() {
    return state.records.values().stream().filter(this::isThere).toList();
  }

  private boolean isThere(T record) {
    return !gone.contains(idOf.apply(record));
  }

  Optional<T> find(String key) {
    return Optional.ofNullable(state.records.get(key)).filter(this::isThere);
  }

  Optional<T> findById(String id) {
    return Optional.ofNullable(state.byId.get(id)).map(Known::record).filter(this::isThere);
  }

  /** Where the record of that id lies, also if it was deleted here a moment ago. */
  Optional<String> keyOf(String id) {
    return Optional.ofNullable(state.byId.get(id)).map(Known::key);
  }

  /**
   * Commits, and returns once the feed has told of the key. If that takes long, it returns nevertheless: the record is in the store then,
   * and will be known here with the feed.
   *
   * @return false: a guard did not hold
   */
  boolean write(Key key, Commit.Builder commit) {
    var heard = awaited.computeIfAbsent(key.text(), text -> new CompletableFuture<>());
    try {
      return desk.commit(commit) && await(key, heard);
    } finally {
      awaited.remove(key.text(), heard);
    }
  }

  private static boolean await(Key key, CompletableFuture<Void> heard) {
    try {
      heard.get(HEARD.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "{} was written, but the feed of the store has not told of it for {}: it is not known here until it does.",
          key,
          HEARD);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is never completed so", e);
    }
    return true;
  }

  /** Hides a record whose deletion the store has acknowledged. */
  void hide(T record) {
    String id = idOf.apply(record);
    gone.add(id);
    if (!state.byId.containsKey(id)) {
      gone.remove(id); // the feed was faster
    }
  }

  /** Reads all of them again, in case the feed has lost a change: a token that was revoked must not stay good for ever. */
  void readAgain() {
    loop.post(follower::startAgain);
  }

  void stop() {
    follower.stop();
  }

  private void heard(String key) {
    @Nullable CompletableFuture<Void> waits = awaited.get(key);
    if (waits != null) {
      waits.complete(null);
    }
  }

  private final class Told implements Follower.Sink {
    private State<T> reading = state;
    private boolean complete;

    @Override
    public void loading() {
      reading = new State<>();
      complete = false;
    }

    @Override
    public void put(Entry entry) {
      String key = entry.key().text();
      forget(key);
      Desk.legible(entry, type).ifPresent(record -> {
        reading.records.put(key, record);
        reading.byId.put(idOf.apply(record), new Known<>(key, record));
      });
      tell(key);
    }

    @Override
    public void deleted(Key key, long revision) {
      forget(key.text());
      tell(key.text());
    }

    private void forget(String key) {
      @Nullable T before = reading.records.remove(key);
      if (before != null) {
        reading.byId.remove(idOf.apply(before), new Known<>(key, before));
        gone.remove(idOf.apply(before));
      }
    }

    private void tell(String key) {
      if (complete) {
        heard(key);
        changed.run();
      }
    }

    @Override
    public void loaded() {
      complete = true;
      state = reading;
      gone.removeIf(id -> !reading.byId.containsKey(id));
      reading.records.keySet().forEach(FollowedRecords.this::heard);
      loaded.complete(null);
      changed.run();
    }
  }
}
