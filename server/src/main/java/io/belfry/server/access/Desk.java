package io.belfry.server.access;

import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
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
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The server's own records: JSON in the store of the system namespace, waited for within a limit.
 *
 * <p>Threading: safe.
 */
public final class Desk {
  private static final JsonMapper JSON = JsonMapper.builder()
      .disable(
          DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // a newer node may have written it
      .build();

  private final Store store;
  private final Duration limit;

  public Desk(Store store, Duration limit) {
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

  public Optional<Entry> find(Key key) {
    return await(store.get(List.of(key)), false).stream().findFirst();
  }

  public <T> Optional<T> find(Key key, Class<T> type) {
    return find(key).map(entry -> read(entry.value(), type));
  }

  public Page scan(Scan scan) {
    return await(store.scan(scan), false);
  }

  /** Whether it was done; false: a guard did not hold. */
  public boolean commit(Commit.Builder commit) {
    return await(store.commit(commit.build()), true) instanceof Outcome.Done;
  }

  private <T> T await(CompletionStage<T> stage, boolean changes) {
    try {
      return stage.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw late(changes, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw late(changes, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof StoreException known
          ? known
          : new IllegalStateException("a store fails with exceptions of its own only", e);
    }
  }

  private StoreException late(boolean changes, Exception cause) {
    String what = "The store must answer within " + limit + ", but did not";
    return changes
        ? new StoreException.Unknown(
            what + ": what was asked may still happen. Look, then ask again.", cause)
        : new StoreException.Unavailable(what + ". Ask again later.", cause);
  }
}
