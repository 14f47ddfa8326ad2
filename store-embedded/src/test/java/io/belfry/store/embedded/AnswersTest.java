package io.belfry.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One caller's code cannot end the thread that answers all callers. */
class AnswersTest {
  @Test
  void what_a_continuation_throws_ends_nothing() throws InterruptedException {
    try (var answers = new Answers()) {
      var answered = new CountDownLatch(2);
      answers.give(() -> {
        throw new IllegalStateException("thrown by a continuation");
      });
      answers.give(answered::countDown);
      answers.give(() -> {
        throw new AssertionError("thrown by a continuation");
      });
      answers.give(answered::countDown);
      assertThat(answered.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }
}
