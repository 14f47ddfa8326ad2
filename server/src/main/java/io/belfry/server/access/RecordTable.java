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
 * Reads and writes the server's own records: JSON in the store of the system namespace, with a timeout. During a known outage of the engine,
 * changes are refused at once, and reads have a short timeout, because an engine that refuses writes may still answer reads.
 *
 * <p>Threading: safe.
 */
public final class RecordTable {
  private static final JsonMapper JSON = JsonMapper.builder()
      .disable(
          DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // a newer node may have written it
      .build();

  private static final Logger LOG = LoggerFactory.getLogger(RecordTable.class);
  /** Timeout of reads during an outage. */
  private static final Duration OUTAGE_TIMEOUT = Duration.ofMillis(500);

  private final MonitoredStore store;
  private final Duration limit;

  public RecordTable(MonitoredStore store, Duration limit) {
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

  /** Decodes one of many records; empty if it cannot be read, which is logged. One bad record must not hide the others. */
  public static <T> Optional<T> tryRead(Entry entry, Class<T> type) {
    try {
      return Optional.of(read(entry.value(), type));
    } catch (JacksonException | IllegalArgumentException e) {
      LOG.error(
          "{} cannot be read as {} and is skipped. Upgrade all nodes to one version, or delete the record.",
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

  /** Commits a change; false if a guard did not hold. */
  public boolean commit(Commit.Builder commit) {
    store.health().knownAway().ifPresent(outage -> {
      throw new StoreException.Unavailable(
          "The engine has accepted no writes for " + outage.lasted().toSeconds() + " s ("
              + outage.cause() + "), so the change was not attempted. Try again later.",
          null);
    });
    return await(store.commit(commit.build()), limit, true) instanceof Outcome.Done;
  }

  private Duration patience() {
    return store.health().knownAway().isPresent() ? OUTAGE_TIMEOUT : limit;
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
          : new IllegalStateException("a store must fail with a StoreException", e);
    }
  }

  private static StoreException late(Duration limit, boolean changes, Exception cause) {
    String what = "The store must answer within " + limit + ", but did not";
    return changes
        ? new StoreException.Unknown(
            what + ": the change may still take effect. Check the outcome, then try again.", cause)
        : new StoreException.Unavailable(what + ". Try again later.", cause);
  }
}
