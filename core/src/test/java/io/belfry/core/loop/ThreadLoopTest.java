package io.belfry.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.testkit.InheritedThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadLoopTest {
  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final ThreadLoop loop =
      new ThreadLoop("test", Time.system(), new SplittableRandom(1), broken::set);

  @AfterEach
  void close() {
    loop.close();
  }

  private void run(Runnable step) throws InterruptedException {
    var done = new CountDownLatch(1);
    loop.post(() -> {
      step.run();
      done.countDown();
    });
    assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void its_thread_inherits_nothing_from_whoever_made_it() throws Exception {
    assertThat(InheritedThreads.of(() -> {
          new ThreadLoop("other", Time.system(), new SplittableRandom(1), broken::set).close();
          return null;
        }))
        .isEmpty();
  }

  @Test
  void steps_run_in_the_order_in_which_they_were_posted() throws InterruptedException {
    var ran = new ArrayList<Integer>();
    for (int i = 0; i < 10_000; i++) {
      int n = i;
      loop.post(() -> ran.add(n));
    }
    run(() -> {});
    assertThat(ran).hasSize(10_000).isSorted();
  }

  @Test
  void timers_ring_in_the_order_of_their_times_and_not_when_cancelled()
      throws InterruptedException {
    var rang = new ArrayList<String>();
    var last = new CountDownLatch(1);
    run(() -> {
      var unused = loop.after(Duration.ofMillis(60), () -> {
        rang.add("c");
        last.countDown();
      });
      unused = loop.after(Duration.ofMillis(20), () -> rang.add("a"));
      loop.after(Duration.ofMillis(30), () -> rang.add("never")).cancel();
      unused = loop.after(Duration.ofMillis(40), () -> rang.add("b"));
    });
    assertThat(last.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(rang).containsExactly("a", "b", "c");
  }

  @Test
  void many_cancelled_timers_do_not_keep_the_one_that_counts() throws InterruptedException {
    var rang = new CountDownLatch(1);
    run(() -> {
      var unused = loop.after(Duration.ofMillis(50), rang::countDown);
      List<Loop.Timer> timers = new ArrayList<>();
      for (int i = 0; i < 100_000; i++) {
        timers.add(loop.after(Duration.ofMinutes(5), () -> {}));
      }
      timers.forEach(Loop.Timer::cancel);
      assertThat(loop.alarms()).as("cancelled timers are swept out").isLessThan(5_000);
    });
    assertThat(rang.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(broken.get()).isNull();
  }

  @Test
  void an_answer_is_heard_as_a_step_and_a_failure_by_its_cause() throws InterruptedException {
    var heard = new ArrayList<Object>();
    var wrapped = new IllegalStateException("the cause");
    loop.onResult(CompletableFuture.completedStage("yes"), heard::add, heard::add);
    loop.onResult(
        CompletableFuture.failedStage(new CompletionException(wrapped)), heard::add, heard::add);
    run(() -> {});
    assertThat(heard).containsExactly("yes", wrapped);
  }

  @Test
  void a_step_that_throws_ends_the_loop_and_is_told() {
    var failure = new IllegalStateException("on purpose");
    loop.post(() -> {
      throw failure;
    });
    await().atMost(Duration.ofSeconds(60)).until(() -> broken.get() != null);
    assertThat(broken.get()).isSameAs(failure);
    loop.close();
    loop.close();
  }
}
