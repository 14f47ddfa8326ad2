package io.belfry.store.redis;

import static io.belfry.testkit.contract.Subject.WATCHED;
import static io.belfry.testkit.contract.Subject.answer;
import static io.belfry.testkit.contract.Subject.bytes;
import static org.awaitility.Awaitility.await;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Many writers that go on whatever happens, and remember what was acknowledged. Threading: confined to the test. */
final class Hammer {
  private final Store store;
  private final int writers;
  private final int least;
  private final List<Key> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger since = new AtomicInteger();
  private final AtomicBoolean enough = new AtomicBoolean();

  /** @param least how many commits must be acknowledged before the trouble, and again after it */
  Hammer(Store store, int writers, int least) {
    this.store = store;
    this.writers = writers;
    this.least = least;
  }

  /** What was acknowledged before, during and after the trouble. */
  List<Key> during(Runnable trouble) {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < writers; i++) {
      int writer = i;
      threads.add(Thread.ofVirtual().start(() -> write(writer)));
    }
    try {
      awaitProgress();
      trouble.run();
      awaitProgress();
    } finally {
      enough.set(true);
      threads.forEach(Hammer::join);
    }
    return List.copyOf(acknowledged);
  }

  private void awaitProgress() {
    since.set(0);
    await("the writers get on").atMost(Duration.ofSeconds(90)).until(() -> since.get() >= least);
  }

  private void write(int writer) {
    for (int i = 0; !enough.get(); i++) {
      Key key = Key.of(WATCHED, writer + "/" + i);
      try {
        if (answer(store.commit(Commit.when().absent(key).put(key, bytes("v")).build()))
            instanceof Outcome.Done) {
          acknowledged.add(key);
          since.incrementAndGet();
        }
      } catch (StoreException.Unknown | StoreException.Unavailable notAcknowledged) {
        since.addAndGet(0);
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
