package io.belfry.bench.store;

import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Space;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Simulated callers that each keep a number of commits outstanding: each acknowledged commit starts the next.
 *
 * <p>Threading: safe; a caller is a chain of completions, not a thread.
 */
final class Callers {
  static final int RECORD_BYTES = 300;

  private final Store store;
  private final Space space;
  private final Time time;
  private final String run;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean over;

  Callers(Store store, Space space, Time time, String run) {
    this.store = store;
    this.space = space;
    this.time = time;
    this.run = run;
  }

  /** Records acknowledged per second with this many outstanding commits at any moment. */
  double perSecond(int outstanding, Duration length) throws InterruptedException {
    var done = new CountDownLatch(outstanding);
    long start = time.nanos();
    for (int i = 0; i < outstanding; i++) {
      next(done);
    }
    StoreBench.waitFor(time, length);
    over = true;
    done.await();
    double seconds = (time.nanos() - start) / 1e9;
    Throwable wrong = failure.get();
    if (wrong != null) {
      throw new IllegalStateException("The store failed under load.", wrong);
    }
    return acknowledged.get() / seconds;
  }

  private void next(CountDownLatch done) {
    if (over) {
      done.countDown();
      return;
    }
    Key key = Key.of(space, run + "/" + numbers.incrementAndGet());
    var unused = store
        .commit(Commit.when().absent(key).put(key, new byte[RECORD_BYTES]).build())
        .whenComplete((outcome, wrong) -> {
          if (wrong != null || !(outcome instanceof Outcome.Done)) {
            failure.compareAndSet(
                null, wrong != null ? wrong : new IllegalStateException(outcome.toString()));
            over = true;
          } else {
            acknowledged.incrementAndGet();
          }
          next(done);
        });
  }
}
