package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.belfry.core.submit.Receipt;
import io.belfry.model.task.TaskId;
import io.belfry.store.DelegatingStore;
import io.belfry.store.EngineHealth;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Page;
import io.belfry.store.RefusalReason;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Space SPACE = Space.plain("x").inOrder();

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private Optional<EngineHealth.Outage> away = Optional.empty();
  private final Calls calls = new Calls(LIMIT, time, () -> away);

  @Test
  void a_change_is_refused_at_once_while_the_engine_is_known_to_be_away_and_a_read_is_not() {
    away = Optional.of(new EngineHealth.Outage(
        RefusalReason.UNAVAILABLE, "connection refused", Duration.ofSeconds(20), 7));
    var asked = new ArrayList<String>();
    assertThatThrownBy(() -> calls.write(() -> {
          asked.add("written");
          return CompletableFuture.completedStage("never");
        }))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("20 s (connection refused)");
    assertThat(asked).isEmpty();
    assertThat(calls.read(() -> CompletableFuture.completedStage("read"))).isEqualTo("read");
    away = Optional.empty();
    assertThat(calls.write(() -> CompletableFuture.completedStage("written"))).isEqualTo("written");
  }

  /** With a deadline of its own, each request would wait a minute of real time. */
  @Test
  void a_batch_has_the_time_of_one_call_and_what_is_not_known_by_then_is_unknown() {
    var known = new TaskId.OneOff("known");
    List<Submission> batch =
        new ArrayList<>(Collections.nCopies(100, Submission.local("h").id("hangs")));
    batch.add(Submission.local("h").id("known"));
    List<CompletionStage<Receipt>> answers = new ArrayList<>();
    batch.forEach(each -> answers.add(new CompletableFuture<>()));
    answers.set(100, CompletableFuture.completedStage(new Receipt.Accepted(known)));
    var sent = answers.iterator();
    List<Submitted> outcomes = assertTimeoutPreemptively(
        LIMIT.dividedBy(2),
        () -> new Batch(calls).submit(batch, each -> {
          time.advance(LIMIT.dividedBy(batch.size()).plusNanos(1));
          return sent.next();
        }));
    assertThat(outcomes).hasSize(101);
    assertThat(outcomes.subList(0, 100))
        .allSatisfy(each -> assertThat(each)
            .isInstanceOfSatisfying(
                Submitted.Refused.class,
                refused -> assertThat(refused.cause()).isInstanceOf(StoreException.Unknown.class)));
    assertThat(outcomes.getLast()).isEqualTo(new Submitted.Accepted(known));
  }

  /** A change that was sent may have taken effect, even if the node is being closed. */
  @Test
  void a_batch_that_was_sent_is_answered_while_the_node_closes() {
    var task = new TaskId.OneOff("t");
    List<Submitted> outcomes = new Batch(calls)
        .submit(List.of(Submission.local("h").id("t")), each -> {
          calls.close();
          return CompletableFuture.completedStage(new Receipt.Accepted(task));
        });
    assertThat(outcomes).containsExactly(new Submitted.Accepted(task));
  }

  @Test
  void pages_are_waited_for_together() {
    var endless = new DelegatingStore(new MemoryStore(time, Runnable::run)) {
      @Override
      public CompletionStage<Page> scan(Scan scan) {
        time.advance(LIMIT.dividedBy(3));
        return time.nanos() <= LIMIT.toNanos()
            ? CompletableFuture.completedStage(new Page(
                List.of(new Entry(Key.of(SPACE, "k"), new byte[0], 1)), 1, Optional.of(scan)))
            : new CompletableFuture<>();
      }
    };
    var seen = new ArrayList<Key>();
    assertThatThrownBy(() -> assertTimeoutPreemptively(
            LIMIT.dividedBy(2),
            () ->
                calls.begin().scan(endless, SPACE, value -> value, (key, value) -> seen.add(key))))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("callTimeout (PT1M)");
    assertThat(seen).hasSize(3);
  }
}
