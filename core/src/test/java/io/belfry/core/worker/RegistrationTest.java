package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.store.DelegatingStore;
import io.belfry.store.MemoryStore;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a worker may trust its lease. */
class RegistrationTest {
  private static final WorkerSettings SETTINGS = WorkerSettings.of("w", 1);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final Slow store = new Slow(memory);
  private final List<String> doubts = new ArrayList<>();
  private final Registration registration =
      new Registration(loop, store, "w~1", SETTINGS, this::record, doubts::add);

  /** Renews at once, and may answer later. */
  private static final class Slow extends DelegatingStore {
    final Deque<Runnable> answers = new ArrayDeque<>();
    boolean slow;

    Slow(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Boolean> renew(long lease) {
      var answer = new CompletableFuture<Boolean>();
      CompletionStage<Boolean> renewed = store.renew(lease);
      Runnable tell = () -> renewed.thenAccept(answer::complete);
      if (slow) {
        answers.add(tell);
      } else {
        tell.run();
      }
      return answer;
    }
  }

  private WorkerRecord record(long beat) {
    Instant now = time.wall();
    return new WorkerRecord(
        "w~1",
        "w",
        "",
        Map.of(),
        Set.of(),
        1,
        1,
        true,
        true,
        false,
        now,
        now,
        beat,
        WorkerRecord.Load.NONE,
        List.of());
  }

  @BeforeEach
  void start() {
    registration.start();
    run(1.5);
    assertThat(registration.trusted()).isTrue();
    assertThat(registration.registeredAt()).isNotEqualTo(Revision.NONE);
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private void run(double seconds) {
    loop.run(Duration.ofMillis((long) (1000 * seconds)));
  }

  @Test
  void an_older_renewal_that_is_answered_late_takes_no_trust_away() {
    store.slow = true;
    run(2); // renewals are sent at 2 s and at 3 s
    assertThat(store.answers).hasSize(2);
    store.answers.removeLast().run();
    run(0.01);
    store.answers.removeLast().run();
    run(2.5); // past the trust of the older one, which ends at 5.2 s
    assertThat(doubts).isEmpty();
    assertThat(registration.trusted()).isTrue();
  }

  @Test
  void an_answer_that_was_there_in_time_counts_even_if_the_loop_reads_it_late() {
    store.slow = true;
    run(1); // a renewal is sent at 2 s
    store.answers.remove().run();
    loop.stall(
        Duration.ofMillis(2500)); // until 5 s: trust by the answers that were read ended at 4.2 s
    assertThat(doubts).isEmpty();
    assertThat(registration.trusted()).isTrue();
  }

  @Test
  void the_end_of_an_older_trust_says_nothing_about_a_newer_one() {
    store.slow = true;
    run(2.69); // the trust of the renewal sent at 1 s ends at 4.2 s; two have been sent since
    store.answers.remove().run();
    run(0.005); // trust until 5.2 s
    store.answers.remove().run();
    loop.stall(Duration.ofSeconds(2)); // the older timer rang, and the answer of 3 s is in the mail
    assertThat(doubts).isEmpty();
    assertThat(registration.trusted()).isTrue();
  }

  @Test
  void without_an_answer_it_doubts_and_tells_what_it_waits_for() {
    store.slow = true;
    run(1);
    loop.stall(Duration.ofMillis(2500));
    assertThat(doubts)
        .singleElement()
        .asString()
        .contains("the newest renewal that was answered was sent 4000 ms ago")
        .contains("the engine has not answered the one sent 3000 ms ago");
  }

  @Test
  void
      a_process_that_was_suspended_while_its_stopwatch_stood_still_begins_nothing_before_a_renewal() {
    store.slow = true;
    time.stepWall(Duration.ofHours(1)); // the virtual machine was away for an hour
    assertThat(registration.trusted()).isFalse();
    run(0.01);
    assertThat(store.answers).as("it renews at once").hasSize(1);
    store.answers.removeLast().run();
    run(0.01);
    assertThat(registration.trusted()).isTrue();
    assertThat(doubts)
        .as("a clock that was set costs one round trip, and no attempt")
        .isEmpty();
  }

  @Test
  void a_renewal_that_was_sent_before_the_suspension_does_not_bring_the_trust_back() {
    store.slow = true;
    run(1);
    assertThat(store.answers).hasSize(1);
    time.stepWall(Duration.ofHours(1));
    store.answers.removeLast().run();
    loop.run(Duration.ZERO);
    assertThat(registration.trusted()).isFalse();
  }

  @Test
  void a_clock_that_goes_a_little_wrong_or_was_set_back_changes_nothing() {
    time.stepWall(SETTINGS.margin().dividedBy(2));
    assertThat(registration.trusted()).isTrue();
    time.stepWall(Duration.ofHours(-1));
    assertThat(registration.trusted()).isTrue();
  }
}
