package io.belfry.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.StoreException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PendingCallersTest {
  private final PendingCallers callers = new PendingCallers();

  @Test
  void at_the_end_everybody_is_told_whether_it_may_have_happened() {
    CompletableFuture<String> waits = callers.enter();
    CompletableFuture<String> sent = callers.enter();
    CompletableFuture<String> done = callers.enter();
    callers.sent(sent);
    done.complete("answer");
    callers.end();
    callers.end();
    assertThat(waits.exceptionNow()).isInstanceOf(StoreException.Closed.class);
    assertThat(sent.exceptionNow()).isInstanceOf(StoreException.Unknown.class);
    assertThat(done.resultNow()).isEqualTo("answer");
  }

  @Test
  void who_comes_after_the_end_is_told_at_once() {
    callers.end();
    assertThat(callers.<String>enter().exceptionNow()).isInstanceOf(StoreException.Closed.class);
  }
}
