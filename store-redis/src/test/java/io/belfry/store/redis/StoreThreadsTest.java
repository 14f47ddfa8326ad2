package io.belfry.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.testkit.InheritedThreads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoreThreadsTest {
  @Test
  void its_threads_inherit_nothing_from_whoever_needs_them_first() throws Exception {
    try (var crew = new StoreThreads("test", Time.system())) {
      assertThat(InheritedThreads.of(() -> {
            crew.join(crew.start("role", () -> {}));
            return null;
          }))
          .isEmpty();
    }
  }

  /** Java knows a moment in which a thread is alive and not started yet. */
  @Test
  void one_that_is_just_starting_is_waited_for() {
    Duration patience = Duration.ofSeconds(30);
    for (int i = 0; i < 2_000; i++) {
      try (var crew = new StoreThreads("test", Time.system())) {
        Thread starter = Thread.ofVirtual().start(() -> crew.start("role", () -> {}));
        crew.joinAll(patience);
        TimeUnit.NANOSECONDS.timedJoin(starter, patience.toNanos());
        crew.joinAll(patience);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
