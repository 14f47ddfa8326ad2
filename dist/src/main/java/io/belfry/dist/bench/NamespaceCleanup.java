package io.belfry.dist.bench;

import io.belfry.cli.verb.CliException;
import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Deletes all keys of a namespace in which only tasks ran. Threading: confined to its verb. */
final class NamespaceCleanup {
  private static final int TIMEOUT_SECONDS = 30;
  private static final List<Space> SPACES = List.of(
      Keys.TASKS,
      Keys.NEWS,
      Keys.INBOXES,
      Keys.REPORTS,
      Keys.REQUESTS,
      Keys.FRESH_HISTORY,
      Keys.SEGMENT_HEADS,
      Keys.SEGMENT_EXPIRY,
      Keys.SEGMENT_COUNTS,
      Keys.ROLLUPS,
      Keys.SKIPS,
      Keys.WORKERS,
      Keys.NODES,
      Keys.SETTINGS,
      Keys.QUEUES,
      Keys.OFFERS);
  private static final List<Key> SINGLE =
      List.of(Keys.LEADER, Keys.ELECTION_DATA_SET, Keys.FENCE, Keys.EVENT_BATCH, Keys.FORGOTTEN);

  private final Store store;

  NamespaceCleanup(Store store) {
    this.store = store;
  }

  void all() {
    for (Space space : SPACES) {
      Optional<Scan> rest = Optional.of(Scan.all(space));
      while (rest.isPresent()) {
        Page page = await(store.scan(rest.get()));
        var keys = new ArrayList<Key>();
        for (Entry entry : page.entries()) {
          if (space.equals(Keys.SEGMENT_HEADS)) {
            keys.add(SegmentKeys.tasks(entry.key().text())); // can be found by its head only
          }
          keys.add(entry.key());
        }
        delete(keys);
        rest = page.next();
      }
    }
    delete(SINGLE);
  }

  private void delete(List<Key> keys) {
    for (int from = 0; from < keys.size(); from += Limits.WRITES_MAX) {
      Commit.Builder commit = Commit.when();
      keys.subList(from, Math.min(keys.size(), from + Limits.WRITES_MAX)).forEach(commit::delete);
      await(store.commit(commit.build()));
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new CliException(
          "The measurement is valid, but the namespace of the bench could not be removed: "
              + e.getMessage(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(
          "The namespace of the bench was not removed, because the bench was interrupted.", e);
    }
  }
}
