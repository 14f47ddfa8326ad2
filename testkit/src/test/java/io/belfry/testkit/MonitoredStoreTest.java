package io.belfry.testkit;

import static io.belfry.testkit.contract.Subject.PLAIN;
import static io.belfry.testkit.contract.Subject.bytes;
import static io.belfry.testkit.contract.Subject.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.EngineHealth;
import io.belfry.store.EngineHealth.Outage;
import io.belfry.store.LogLimiter;
import io.belfry.store.MemoryStore;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Outcome;
import io.belfry.store.RefusalReason;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is known of an engine from the outcomes of its commits. */
class MonitoredStoreTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final Heard seen = new Heard();
  private final EngineHealth health = new EngineHealth(time, seen);
  private final Answering answering = new Answering(new MemoryStore(time, Runnable::run));
  private final MonitoredStore store = new MonitoredStore(answering, health);

  private static final class Heard implements EngineHealth.Listener {
    final List<Outage> failing = new ArrayList<>();
    final List<Outage> recovered = new ArrayList<>();

    @Override
    public void failing(Outage outage) {
      failing.add(outage);
    }

    @Override
    public void recovered(Outage outage) {
      recovered.add(outage);
    }
  }

  /** Answers when the test says so. */
  private static final class Answering extends DelegatingStore {
    final Deque<CompletableFuture<Outcome>> sent = new ArrayDeque<>();
    long reconnects;

    Answering(MemoryStore store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      var answer = new CompletableFuture<Outcome>();
      sent.add(answer);
      return answer;
    }

    @Override
    public long reconnects() {
      return reconnects;
    }
  }

  private CompletableFuture<Outcome> commit() {
    var unused = store.commit(Commit.when().put(key(PLAIN, "a"), bytes("1")).build());
    return answering.sent.removeLast();
  }

  private void succeed() {
    commit().complete(new Outcome.Done(1));
  }

  private void fail(StoreException cause) {
    commit().completeExceptionally(cause);
  }

  private static StoreException away() {
    return new StoreException.Unavailable("refused", null);
  }

  @Test
  void
      an_engine_that_cannot_be_reached_is_known_away_after_two_seconds_and_back_with_one_success() {
    succeed();
    fail(away());
    assertThat(health.knownAway()).isEmpty();
    time.advance(SECOND.multipliedBy(2));
    fail(away());
    assertThat(health.knownAway()).map(Outage::cause).contains("refused");
    assertThat(health.view().unwritable()).contains(RefusalReason.UNAVAILABLE);
    succeed();
    assertThat(health.knownAway()).as("changes are accepted at once").isEmpty();
    time.advance(SECOND);
    succeed();
    assertThat(health.view().unwritable()).isEmpty();
    assertThat(health.view().recoveries()).isEqualTo(1);
    assertThat(seen.failing).hasSize(1);
    assertThat(seen.recovered).extracting(Outage::failures).containsExactly(2L);
  }

  @Test
  void reconnects_are_those_of_the_adapter_whether_or_not_anything_failed() {
    assertThat(health.view().reconnects()).isZero();
    answering.reconnects = 3;
    assertThat(health.view().reconnects()).isEqualTo(3);
    assertThat(health.view().recoveries()).isZero();
  }

  @Test
  void an_outage_is_reported_though_its_failures_take_long_to_come() {
    succeed();
    fail(away());
    health.check();
    assertThat(seen.failing).isEmpty();
    time.advance(SECOND);
    health.check();
    health.check();
    assertThat(seen.failing).hasSize(1);
  }

  @Test
  void a_hiccup_is_counted_and_not_reported() {
    fail(away());
    succeed();
    time.advance(SECOND);
    assertThat(health.view().unwritable()).isEmpty();
    health.check();
    succeed();
    assertThat(health.outage()).isEmpty();
    assertThat(seen.failing).isEmpty();
    assertThat(seen.recovered).isEmpty();
    assertThat(health.view().refusals()).containsEntry(RefusalReason.UNAVAILABLE, 1L);
    assertThat(health.view().recoveries()).isZero();
  }

  @Test
  void an_engine_that_refuses_some_writes_is_not_writable_though_others_succeed() {
    for (int i = 0; i < 5; i++) {
      fail(new StoreException.Denied("no permission for xadd", null));
      succeed();
      time.advance(SECOND);
    }
    assertThat(health.view().unwritable()).contains(RefusalReason.DENIED);
    assertThat(health.knownAway()).isEmpty();
    time.advance(SECOND.multipliedBy(3));
    succeed();
    assertThat(health.view().unwritable()).isEmpty();
    assertThat(seen.recovered).hasSize(1);
  }

  @Test
  void commits_without_an_answer_make_the_engine_unwritable() {
    succeed();
    CompletableFuture<Outcome> stalled = commit();
    time.advance(SECOND.multipliedBy(2));
    assertThat(health.view().unwritable()).isEmpty();
    time.advance(SECOND.multipliedBy(2));
    assertThat(health.view().unwritable()).contains(RefusalReason.UNKNOWN);
    assertThat(health.view().inFlight()).isEqualTo(1);
    assertThat(health.view().oldestInFlight()).isEqualTo(SECOND.multipliedBy(4));
    stalled.complete(new Outcome.Done(1));
    assertThat(health.view().unwritable()).isEmpty();
    assertThat(health.view().inFlight()).isZero();
    assertThat(health.view().oldestInFlight()).isZero();
  }

  @Test
  void a_commit_that_is_never_answered_shows_though_all_others_are() {
    var lost = commit();
    for (int i = 0; i < 40; i++) {
      time.advance(SECOND);
      succeed();
    }
    assertThat(lost).isNotDone();
    assertThat(health.view().unwritable()).contains(RefusalReason.UNKNOWN);
    assertThat(health.view().inFlight()).isEqualTo(1);
    assertThat(health.view().oldestInFlight()).isEqualTo(SECOND.multipliedBy(40));
  }

  @Test
  void what_says_nothing_about_the_engine_is_counted_only() {
    fail(new StoreException.Overloaded("too many"));
    time.advance(SECOND.multipliedBy(3));
    fail(new StoreException.Overloaded("too many"));
    assertThat(health.outage()).isEqualTo(Optional.empty());
    assertThat(health.view().refusals()).containsEntry(RefusalReason.OVERLOADED, 2L);
  }

  @Test
  void the_same_text_is_admitted_once_in_an_interval_with_the_number_left_out() {
    var limiter = new LogLimiter(time, Duration.ofMinutes(1));
    assertThat(limiter.admit("a")).hasValue(0);
    for (int i = 0; i < 328; i++) {
      assertThat(limiter.admit("a")).isEmpty();
    }
    assertThat(limiter.admit("b")).hasValue(0);
    time.advance(Duration.ofMinutes(1));
    assertThat(limiter.admit("a")).hasValue(328);
    assertThat(limiter.admit("a")).isEmpty();
  }
}
