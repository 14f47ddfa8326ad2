package io.belfry.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.testkit.InheritedThreads;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  @Test
  void inherit_nothing_from_whoever_needs_them_first() throws Exception {
    var threads = new Threads();
    try {
      assertThat(InheritedThreads.of(() -> {
            for (ExecutorService each :
                List.of(threads.io(), threads.watch(), threads.timer(), threads.resolver())) {
              var unused = each.submit(() -> "done").get();
            }
            return null;
          }))
          .isEmpty();
      assertThat(threads.running()).hasSize(4).allMatch(Thread::isDaemon);
    } finally {
      threads.close(Time.system());
    }
    assertThat(threads.running()).isEmpty();
  }
}
