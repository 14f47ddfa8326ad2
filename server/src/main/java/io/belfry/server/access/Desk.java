package io.belfry.server.access;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server's own records: JSON in the store of the system namespace, waited for within a limit. While the engine is known to accept no
 * writes, changes are refused at once, and reads are waited for only a moment: an engine that refuses writes may still answer.
 *
 * <p>Threading: safe.
 */
public final class Desk {
  private static final JsonMapper JSON = JsonMapper.builder()
      .disable(
          DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // a newer node may have written it
      .build();

  private static final Logger LOG = LoggerFactory.getLogger(Desk.class);
  /** So long a read may take while the engine accepts no writes. */
  private static final Duration MOMENT = Duration.ofMillis(500);

  private final MonitoredStore store;
  private final Duration limit;

  public Desk(MonitoredStore store, Duration limit) {
    this.store = store;
    this.limit = limit;
  }

  public Store store() {
    return store;
  }

  public static byte[] bytes(Object record) {
    return JSON.writeValueAsBytes(record);
  }

  public static <T> T read(byte[] bytes, Class<T> type) {
    return JSON.readValue(bytes, type);
  }

  /** What one of many records says; empty if it cannot be read, which is logged: it must not keep the others from being read. */
  public static <T> Optional<T> legible(Entry entry, Class<T> type) {
    try {
      return Optional.of(read(entry.value(), type));
    } catch (JacksonException | IllegalArgumentException e) {
      LOG.error(
          "{} cannot be read as {} and is passed over. Upgrade all nodes to one version, or delete the record.",
          entry.key(),
          type.getSimpleName(),
          e);
      return Optional.empty();
    }
  }

  public Optional<Entry> find(Key key) {
    return await(store.get(List.of(key)), patience(), false).stream().findFirst();
  }

  public <T> Optional<T> find(Key key, Class<T> type) {
    return find(key).map(entry -> read(entry.value(), type));
  }

  public Page scan(Scan scan) {
    return await(store.scan(scan), patience(), false);
  }

  /** Whether it was done; false: a guard did not hold. */
  public boolean commit(Commit.Builder commit) {
    store.health().knownAway().ifPresent(outage -> {
      throw new StoreException.Unavailable(
          "The engine has accepted no writes for " + outage.lasted().toSeconds() + " s ("
              + outage.cause() + "), so this was not tried. Ask again later.",
          null);
    });
    return await(store.commit(commit.build()), limit, true) instanceof Outcome.Done;
  }

  private Duration patience() {
    return store.health().knownAway().isPresent() ? MOMENT : limit;
  }

  private static <T> T await(CompletionStage<T> stage, Duration limit, boolean changes) {
    try {
      return stage.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw late(limit, changes, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw late(limit, changes, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException known
          ? known
          : new IllegalStateException("a store fails with exceptions of its own only", e);
    }
  }

  private static StoreException late(Duration limit, boolean changes, Exception cause) {
    String what = "The store must answer within " + limit + ", but did not";
    return changes
        ? new StoreException.Unknown(
            what + ": what was asked may still happen. Look, then ask again.", cause)
        : new StoreException.Unavailable(what + ". Ask again later.", cause);
  }
}
