package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.bodies;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.limited;
import static io.belfry.core.dispatch.Given.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Limit;
import io.belfry.model.job.Rate;
import io.belfry.testkit.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LimitBookTest {
  private static final long SECOND = 1_000_000_000;
  private static final Limit TWO_A_SECOND = Limit.rate(new Rate(2, Rate.Unit.SECOND));
  private static final Permission NOW = Permission.Now.NOW;

  @Nested
  class Concurrency {
    private final Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");

    @Test
    void is_kept_by_key_and_a_reached_limit_keeps_nobody_else_waiting() {
      dispatcher.seen(worker("w", 10));
      for (String id : new String[] {"a1", "a2", "a3", "b1", "b2"}) {
        dispatcher.add(limited(id, Limit.concurrency(1), id.substring(0, 1)));
      }

      var matches = drain(dispatcher, NOON, 0);
      assertThat(bodies(matches)).hasSize(2);
      dispatcher.released(matches.getFirst().hold());
      assertThat(drain(dispatcher, NOON, 0))
          .singleElement()
          .extracting(match -> match.task().limitKey())
          .isEqualTo(matches.getFirst().task().limitKey());
    }

    @Test
    void counts_what_a_new_leader_is_told_is_held() {
      Reservation hold = new Reservation("elsewhere", "job", Limit.concurrency(1), "k");
      dispatcher.seen(worker("w", 10));
      dispatcher.holds(hold, 0, 0);
      dispatcher.add(limited("a", Limit.concurrency(1), "k"));

      assertThat(drain(dispatcher, NOON, 0)).isEmpty();
      dispatcher.released(hold);
      assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
    }

    @Test
    void a_worker_that_is_gone_holds_its_limit_until_its_task_is_released() {
      dispatcher.seen(worker("w", 10));
      dispatcher.seen(worker("v", 10));
      dispatcher.add(limited("a", Limit.concurrency(1), "k"));
      dispatcher.add(limited("b", Limit.concurrency(1), "k"));
      var match = dispatcher.next(NOON, 0).orElseThrow();
      dispatcher.left(match.worker());

      assertThat(drain(dispatcher, NOON, 0)).isEmpty();
      dispatcher.released(match.hold());
      assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
    }
  }

  @Nested
  class RateLimit {
    private final LimitBook book = LimitBook.blank();

    @Test
    void admits_a_burst_and_then_says_when_it_may_go_on() {
      book.started("k", TWO_A_SECOND, 0);
      assertThat(book.mayStart("k", TWO_A_SECOND, 5)).isEqualTo(NOW);
      book.started("k", TWO_A_SECOND, 5);

      assertThat(book.mayStart("k", TWO_A_SECOND, 6)).isEqualTo(new Permission.At(SECOND));
      assertThat(book.mayStart("other", TWO_A_SECOND, 6)).isEqualTo(NOW);
      assertThat(book.mayStart("k", TWO_A_SECOND, SECOND)).isEqualTo(NOW);
      book.started("k", TWO_A_SECOND, SECOND);
      assertThat(book.mayStart("k", TWO_A_SECOND, SECOND)).isEqualTo(new Permission.At(SECOND + 5));
    }

    @Test
    void an_undone_start_does_not_count_and_the_later_ones_still_do() {
      book.started("k", TWO_A_SECOND, 0);
      book.started("k", TWO_A_SECOND, 5);
      book.undo("k", 0);

      assertThat(book.mayStart("k", TWO_A_SECOND, 6)).isEqualTo(NOW);
      book.started("k", TWO_A_SECOND, 6);
      assertThat(book.mayStart("k", TWO_A_SECOND, 7)).isEqualTo(new Permission.At(SECOND + 5));
    }

    @Test
    void a_new_leader_starts_nothing_until_a_window_that_it_knows_has_passed() {
      LimitBook next = LimitBook.knownSince(100);

      assertThat(next.mayStart("k", TWO_A_SECOND, 100)).isEqualTo(new Permission.At(SECOND + 100));
      assertThat(next.mayStart("k", TWO_A_SECOND, SECOND + 100)).isEqualTo(NOW);
    }

    @Test
    void a_new_leader_that_read_the_starts_back_goes_on_where_the_last_one_was() {
      LimitBook next = LimitBook.knownSince(-SECOND);
      next.recall("k", TWO_A_SECOND, -100, 0);
      next.recall("k", TWO_A_SECOND, -200, 0);

      assertThat(next.mayStart("k", TWO_A_SECOND, 0)).isEqualTo(new Permission.At(SECOND - 200));
      assertThat(next.mayStart("other", TWO_A_SECOND, 0)).isEqualTo(NOW);
    }

    @Test
    void starts_that_are_told_late_and_in_any_order_count_like_those_that_were_seen() {
      Seeds.each(200, random -> {
        int count = 1 + random.nextInt(64);
        Limit limit = Limit.rate(new Rate(count, Rate.Unit.SECOND));
        LimitBook seen = LimitBook.blank();
        LimitBook told = LimitBook.blank();
        var starts = new ArrayList<Long>();
        for (int i = 0; i < 2 * count; i++) {
          starts.add(random.nextLong(2 * SECOND));
        }
        starts.stream().sorted().forEach(at -> seen.started("k", limit, at));
        long now = 2 * SECOND;
        starts.forEach(at -> told.recall("k", limit, at, now));

        for (long at = now; at < now + SECOND; at += 1 + random.nextLong(SECOND / 20)) {
          assertThat(told.mayStart("k", limit, at)).isEqualTo(seen.mayStart("k", limit, at));
        }
      });
    }

    @Test
    void many_starts_that_are_told_late_are_never_too_few() {
      Seeds.each(20, random -> {
        int count = 65 + random.nextInt(2_000);
        Limit limit = Limit.rate(new Rate(count, Rate.Unit.SECOND));
        LimitBook book = LimitBook.blank();
        List<Long> told = random.longs(count, 0, SECOND).boxed().toList();
        told.forEach(at -> book.recall("k", limit, at, SECOND - 1));
        var window = new ArrayDeque<>(told.stream().sorted().toList());
        for (long now = SECOND - 1; now < 2 * SECOND; now += SECOND / 500) {
          while (!window.isEmpty() && now - window.getFirst() >= SECOND) {
            window.removeFirst();
          }
          while (book.mayStart("k", limit, now).equals(NOW)) {
            book.started("k", limit, now);
            window.add(now);
            assertThat(window.size()).isLessThanOrEqualTo(count);
          }
        }
        assertThat(window.getFirst()).isGreaterThanOrEqualTo(SECOND - 1);
      });
    }

    @Test
    void what_is_not_known_is_worth_finding_out_while_somebody_waits_for_it() {
      Limit aMinute = Limit.rate(new Rate(2, Rate.Unit.MINUTE));
      LimitBook next = LimitBook.knownSince(0);
      assertThat(next.unknown(0)).isEmpty();

      assertThat(next.mayStart("k", aMinute, 0)).isEqualTo(new Permission.At(60 * SECOND));
      assertThat(next.unknown(0)).containsExactly(Rate.Unit.MINUTE);
      next.moveKnown(-20 * SECOND);
      next.moveKnown(-10 * SECOND);
      assertThat(next.mayStart("k", aMinute, 0)).isEqualTo(new Permission.At(40 * SECOND));
      assertThat(next.unknown(40 * SECOND)).isEmpty();
    }

    @Test
    void the_dispatcher_goes_on_as_soon_as_enough_is_known() {
      Dispatcher<String> next = Dispatcher.following(
          0, Strategies.builtIn().make("random"), Dispatcher.DEFAULT_STEP, new SplittableRandom(1));
      next.seen(worker("w", 10));
      for (int i = 0; i < 3; i++) {
        next.add(limited("t" + i, TWO_A_SECOND, "k"));
      }
      assertThat(drain(next, NOON, 5)).isEmpty();
      next.recall(TWO_A_SECOND, "k", -SECOND / 2, 5);
      next.moveKnown(-SECOND);

      assertThat(drain(next, NOON, 5)).hasSize(1);
      assertThat(next.nextRate()).hasValue(SECOND / 2);
    }

    @Test
    void a_rate_that_was_edited_counts_what_started_under_the_old_one() {
      Limit five = Limit.rate(new Rate(5, Rate.Unit.SECOND));
      book.started("k", TWO_A_SECOND, 0);
      book.started("k", TWO_A_SECOND, 1);
      for (int i = 2; i < 5; i++) {
        assertThat(book.mayStart("k", five, i)).isEqualTo(NOW);
        book.started("k", five, i);
      }
      assertThat(book.mayStart("k", five, 5)).isEqualTo(new Permission.At(SECOND));
      assertThat(book.mayStart("k", TWO_A_SECOND, 5)).isEqualTo(new Permission.At(SECOND));
    }

    @Test
    void keys_that_are_at_rest_are_forgotten() {
      for (int i = 0; i < 100_000; i++) {
        book.started("k" + i, TWO_A_SECOND, i * SECOND / 100);
        book.ended("k" + i);
      }
      assertThat(book.size()).isLessThan(2_000);
    }

    @Test
    void the_dispatcher_says_when_to_come_back() {
      Dispatcher<String> dispatcher = Given.dispatcher("random");
      dispatcher.seen(worker("w", 10));
      for (int i = 0; i < 5; i++) {
        dispatcher.add(limited("t" + i, TWO_A_SECOND, "k"));
      }
      assertThat(drain(dispatcher, NOON, 7)).hasSize(2);
      assertThat(dispatcher.nextRate()).hasValue(SECOND + 7);
      assertThat(drain(dispatcher, NOON, SECOND + 6)).isEmpty();
      assertThat(drain(dispatcher, NOON, SECOND + 7)).hasSize(2);
    }

    @Test
    void a_stopwatch_that_wraps_does_not_keep_the_earlier_key_waiting() {
      Dispatcher<String> dispatcher = Given.dispatcher("random");
      dispatcher.seen(worker("w", 10));
      long early = Long.MAX_VALUE - SECOND - 10;
      for (int i = 0; i < 3; i++) {
        dispatcher.add(limited("a" + i, TWO_A_SECOND, "a"));
      }
      assertThat(drain(dispatcher, NOON, early)).hasSize(2);
      for (int i = 0; i < 3; i++) {
        dispatcher.add(limited("b" + i, TWO_A_SECOND, "b"));
      }
      assertThat(drain(dispatcher, NOON, early + 20)).hasSize(2);

      assertThat(dispatcher.nextRate()).hasValue(early + SECOND);
      assertThat(bodies(drain(dispatcher, NOON, early + SECOND)))
          .allMatch(id -> id.startsWith("a"));
      assertThat(dispatcher.nextRate()).hasValue(early + 20 + SECOND);
      assertThat(drain(dispatcher, NOON, early + 20 + SECOND)).hasSize(1);
    }

    @Test
    void no_window_ever_has_more_than_the_count_and_demand_gets_all_but_one_batch() {
      Seeds.each(60, random -> {
        int count = 1 + random.nextInt(random.nextBoolean() ? 70 : 2_000);
        Limit limit = Limit.rate(new Rate(count, Rate.Unit.SECOND));
        LimitBook book = LimitBook.blank();
        var window = new ArrayDeque<Long>();
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
          now += random.nextInt(random.nextInt(50) == 0 ? (int) SECOND : (int) (SECOND / count));
          while (!window.isEmpty() && now - window.getFirst() >= SECOND) {
            window.removeFirst();
          }
          if (book.mayStart("k", limit, now).equals(NOW)) {
            book.started("k", limit, now);
            window.add(now);
            assertThat(window.size()).isLessThanOrEqualTo(count);
          } else {
            assertThat(window.size()).isGreaterThan(count - Math.ceilDiv(count, 64));
          }
        }
      });
    }
  }

  @Test
  void a_random_run_through_the_dispatcher_keeps_concurrency_and_rate() {
    Seeds.each(20, random -> {
      var both =
          new Limit(Optional.of(3), Optional.of(new Rate(7, Rate.Unit.SECOND)), Optional.empty());
      Dispatcher<String> dispatcher = Dispatcher.first(
          Strategies.builtIn().make("random"), Dispatcher.DEFAULT_STEP, new SplittableRandom(1));
      dispatcher.seen(worker("w", 50));
      for (int i = 0; i < 500; i++) {
        dispatcher.add(limited("t" + i, both, "k"));
      }
      var held = new ArrayDeque<Match<String>>();
      var window = new ArrayDeque<Long>();
      for (long now = 0; dispatcher.size() > 0; now += random.nextInt((int) SECOND / 10)) {
        for (var match : drain(dispatcher, NOON, now)) {
          held.add(match);
          window.add(now);
        }
        while (now - window.getFirst() >= SECOND) {
          window.removeFirst();
        }
        assertThat(held.size()).isLessThanOrEqualTo(3);
        assertThat(window.size()).isLessThanOrEqualTo(7);
        if (!held.isEmpty() && random.nextBoolean()) {
          dispatcher.ended(held.remove().hold(), 1);
        }
      }
    });
  }
}
