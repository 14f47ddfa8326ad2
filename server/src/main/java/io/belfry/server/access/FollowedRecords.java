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
 * An in-memory copy of the records of one space, kept current by a watch.
 *
 * <pre>
 *   write here ──▶ store ──watch──▶ memory ──▶ the write returns
 *   delete here ─▶ store ──watch──▶ memory
 *        └──▶ hidden here until the watch reports the deletion
 * </pre>
 *
 * <p>A deleted record is hidden by its id, never by its key: another node may have written a new record under the same key before this node's
 * watch reports the deletion.
 *
 * <p>Law: only the watch adds a record. If a writer added its own record, it could do so after the watch has reported both the record and its
 * deletion by another node; then the record would stay in memory forever.
 *
 * <p>Threading: safe.
 */
final class FollowedRecords<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedRecords.class);
  private static final Duration WATCH_TIMEOUT = Duration.ofSeconds(5);

  /** A record and its key. */
  private record Known<T>(String key, T record) {}

  /**
   * The records reported by the watch. Each map holds whole records: a lookup from id to key to record could find a newer record under the same
   * key.
   */
  private static final class State<T> {
    private final Map<String, T> records = new ConcurrentHashMap<>();
    private final Map<String, Known<T>> byId = new ConcurrentHashMap<>();
  }

  private final RecordTable table;
  private final Loop loop;
  private final Class<T> type;
  private final Function<T, String> idOf;
  private final Runnable changed;
  private final Follower follower;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();
  private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();
  /** Ids of records deleted by this node whose deletion the watch may not have reported yet. */
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  private volatile State<T> state = new State<>();

  /**
   * Watches a space.
   *
   * @param idOf secondary id of a record, unique among all records ever written
   * @param changed called on the loop after each change, once all records are loaded
   */
  FollowedRecords(
      RecordTable table,
      Loop loop,
      Space space,
      Class<T> type,
      Function<T, String> idOf,
      Runnable changed) {
    this.table = table;
    this.loop = loop;
    this.type = type;
    this.idOf = idOf;
    this.changed = changed;
    this.follower = new Follower(loop, table.store(), space, new WatchSink());
    loop.post(follower::start);
  }

  /** Completes when the records of the store have been loaded. */
  CompletableFuture<Void> loaded() {
    return loaded;
  }

  /** The number of records, including those that this node has just deleted. */
  int size() {
    return state.records.size();
  }

  /** The records, without those that this node has deleted. */
  List<T> current() {
    return state.records.values().stream().filter(this::isVisible).toList();
  }

  private boolean isVisible(T record) {
    return !gone.contains(idOf.apply(record));
  }

  Optional<T> find(String key) {
    return Optional.ofNullable(state.records.get(key)).filter(this::isVisible);
  }

  Optional<T> findById(String id) {
    return Optional.ofNullable(state.byId.get(id)).map(Known::record).filter(this::isVisible);
  }

  /** The key of the record with this id, even if this node has just deleted it. */
  Optional<String> keyOf(String id) {
    return Optional.ofNullable(state.byId.get(id)).map(Known::key);
  }

  /**
   * Commits, and returns when the watch has reported the key. It returns after a timeout in any case: the record is in the store, and the watch
   * will report it later.
   *
   * @return false if a guard did not hold
   */
  boolean write(Key key, Commit.Builder commit) {
    var reported = awaited.computeIfAbsent(key.text(), text -> new CompletableFuture<>());
    try {
      return table.commit(commit) && await(key, reported);
    } finally {
      awaited.remove(key.text(), reported);
    }
  }

  private static boolean await(Key key, CompletableFuture<Void> reported) {
    try {
      reported.get(WATCH_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "{} was written, but the watch of the store has not reported it for {}: this node does not use it until then.",
          key,
          WATCH_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("this future never fails", e);
    }
    return true;
  }

  /** Hides a record whose deletion the store has acknowledged. */
  void hide(T record) {
    String id = idOf.apply(record);
    gone.add(id);
    if (!state.byId.containsKey(id)) {
      gone.remove(id); // the watch was faster
    }
  }

  /** Reloads all records, in case the watch has missed a change: a revoked token must not stay valid forever. */
  void readAgain() {
    loop.post(follower::startAgain);
  }

  void stop() {
    follower.stop();
  }

  private void completeWrite(String key) {
    @Nullable CompletableFuture<Void> write = awaited.get(key);
    if (write != null) {
      write.complete(null);
    }
  }

  private final class WatchSink implements Follower.Sink {
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
      RecordTable.tryRead(entry, type).ifPresent(record -> {
        reading.records.put(key, record);
        reading.byId.put(idOf.apply(record), new Known<>(key, record));
      });
      publish(key);
    }

    @Override
    public void deleted(Key key, long revision) {
      forget(key.text());
      publish(key.text());
    }

    private void forget(String key) {
      @Nullable T before = reading.records.remove(key);
      if (before != null) {
        reading.byId.remove(idOf.apply(before), new Known<>(key, before));
        gone.remove(idOf.apply(before));
      }
    }

    private void publish(String key) {
      if (complete) {
        completeWrite(key);
        changed.run();
      }
    }

    @Override
    public void loaded() {
      complete = true;
      state = reading;
      gone.removeIf(id -> !reading.byId.containsKey(id));
      reading.records.keySet().forEach(FollowedRecords.this::completeWrite);
      loaded.complete(null);
      changed.run();
    }
  }
}
