package io.belfry.executors.http;

import static io.belfry.executors.http.Caller.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.executors.TestAttempt;
import io.belfry.executors.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a worker may hold is what it calls at a time, also if all of it goes to one target. */
class ManyCallsTest {
  private static final int CALLS = 700;

  /** Nobody is answered before all are there: a call that waited for a connection would never get one. */
  @Test
  void seven_hundred_calls_to_one_target_are_under_way_together() throws Exception {
    var all = new CountDownLatch(CALLS);
    try (TestServer server = TestServer.start((request, socket) -> {
          all.countDown();
          if (all.await(60, TimeUnit.SECONDS)) {
            TestServer.answer(socket, "200 OK", "", "");
          }
        });
        Caller caller = Caller.usual();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        calls.add(threads.submit(() -> caller
            .executor
            .execute(TestAttempt.of(spec("url", server.url("/"), "timeout", "50s")))
            .code()));
      }
      assertThat(all.await(50, TimeUnit.SECONDS))
          .as("%d calls of %d still wait", all.getCount(), CALLS)
          .isTrue();
      for (Future<Integer> call : calls) {
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(200);
      }
    }
  }
}
