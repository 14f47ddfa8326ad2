package io.belfry.core.jobs;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.SmallNode;
import io.belfry.model.time.Time;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;

/** {@link Jobs} on a store in memory, without a leader. */
abstract class JobsDoor {
  private final ExecutorService deliver = Executors.newSingleThreadExecutor();
  final MemoryStore store = new MemoryStore(Time.system(), deliver);
  final ThreadLoop loop =
      new ThreadLoop("jobs", Time.system(), new SplittableRandom(1), broken -> {});
  final Jobs jobs = new Jobs(loop, store);

  @AfterEach
  void close() {
    loop.close();
    store.close();
    deliver.shutdownNow();
  }

  static <T> T await(CompletionStage<T> stage) {
    return SmallNode.await(stage);
  }

  Optional<Entry> entry(Key key) {
    return await(store.get(List.of(key))).stream().findFirst();
  }
}
