package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Happening.WorkerJoined;
import io.belfry.core.event.Happening.WorkerLeft;
import io.belfry.core.record.EventKind;
import io.belfry.model.time.Time;
import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EventsTest {
  private final Counters counters = new Counters(Time.system(), true);

  @Test
  void a_slow_callback_blocks_nobody_and_what_it_misses_is_counted() throws Exception {
    var events = new Events(2);
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    List<String> slow = new CopyOnWriteArrayList<>();
    var quick = new CountDownLatch(10);
    events.on(WorkerJoined.class, joined -> {
      begun.countDown();
      await(release);
      slow.add(joined.worker());
    });
    var swift = events.on(WorkerLeft.class, left -> quick.countDown());
    events.observed(new WorkerJoined("w0"));
    await(begun);
    for (int i = 1; i < 10; i++) {
      events.observed(new WorkerJoined("w" + i));
    }
    assertThat(events.dropped()).isEqualTo(7);
    events.observed(new WorkerLeft("w0"));
    release.countDown();
    events.close(Duration.ofSeconds(10));
    swift.close();
    assertThat(slow).containsExactly("w0", "w1", "w2");
    assertThat(quick.getCount()).isEqualTo(9);
  }

  @Test
  void a_callback_that_throws_is_called_again() throws Exception {
    var events = new Events(10);
    var second = new CompletableFuture<Happening>();
    events.on(WorkerJoined.class, joined -> {
      if (joined.worker().equals("bad")) {
        throw new IllegalStateException("on purpose");
      }
      if (joined.worker().equals("worse")) {
        throw new NoClassDefFoundError("on purpose");
      }
      second.complete(joined);
    });
    events.observed(new WorkerJoined("bad"));
    events.observed(new WorkerJoined("worse"));
    events.observed(new WorkerJoined("good"));
    assertThat(RecordedEvents.get(second)).isEqualTo(new WorkerJoined("good"));
    events.close(Duration.ofSeconds(10));
  }

  @Test
  void the_last_that_is_told_of_what_callbacks_want_is_what_all_of_them_want() throws Exception {
    var events = new Events(10);
    List<Set<EventKind>> told = new CopyOnWriteArrayList<>();
    Thread other = Thread.ofPlatform().unstarted(() -> events.on(WorkerLeft.class, left -> {}));
    events.onKindsChanged(kinds -> {
      if (other.getState() == Thread.State.NEW) {
        other.start();
        Awaitility.await()
            .atMost(RecordedEvents.LONG)
            .until(() ->
                Set.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(other.getState()));
      }
      told.add(kinds);
    });
    events.on(WorkerJoined.class, joined -> {});
    other.join();
    assertThat(told.getLast()).contains(EventKind.WORKER_JOINED, EventKind.WORKER_LEFT);
    events.close(Duration.ofSeconds(10));
  }

  @Test
  void a_callback_is_refused_once_nothing_will_come_any_more() throws Exception {
    var events = new Events(10);
    events.close(Duration.ofSeconds(10));
    assertThatThrownBy(() -> events.on(WorkerJoined.class, joined -> {}))
        .isInstanceOf(StoreException.Closed.class);
  }

  @Test
  void a_worker_that_was_seen_and_is_not_there_is_offline_whatever_its_incarnation() {
    counters.observed(new WorkerJoined("a~1"));
    counters.observed(new WorkerJoined("a~2"));
    counters.observed(new WorkerJoined("b~1"));
    assertThat(counters.offline(Set.of("a"), Set.of("a"))).isEqualTo(1);
    assertThat(counters.offline(Set.of("a", "b"), Set.of("a", "b"))).isZero();
    assertThat(counters.offline(Set.of("a", "b", "c"), Set.of("a", "b"))).isEqualTo(1);
  }

  @Test
  void a_worker_that_is_gone_is_forgotten_a_day_after_it_left() {
    var time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
    var counted = new Counters(time, true);
    for (int pod = 0; pod < 3; pod++) {
      counted.observed(new WorkerJoined("pod-" + pod + "~1"));
      time.advance(RecentWorkers.KEPT.dividedBy(2));
      counted.observed(new WorkerLeft("pod-" + pod + "~1"));
    }
    Set<String> there = Set.of("stays");
    assertThat(counted.offline(there, Set.of())).isEqualTo(3); // pod-1, pod-2, and one that is ill
    time.advance(RecentWorkers.KEPT);
    assertThat(counted.offline(there, Set.of())).isEqualTo(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting", e);
    }
  }
}
