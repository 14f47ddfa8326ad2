package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.arrived;
import static io.belfry.core.dispatch.Given.bodies;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.queued;
import static io.belfry.core.dispatch.Given.task;
import static io.belfry.core.dispatch.Given.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.InvalidException;
import io.belfry.model.job.Priority;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class OrderTest {
  private final Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");

  @Test
  void higher_priorities_go_first_and_within_one_the_earlier() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("low", Priority.LOW, NOON.minusSeconds(9)));
    dispatcher.add(task("normal-2", Priority.NORMAL, NOON.minusSeconds(1)));
    dispatcher.add(task("normal-1", Priority.NORMAL, NOON.minusSeconds(2)));
    dispatcher.add(task("urgent", Priority.URGENT, NOON));
    dispatcher.add(task("high", Priority.HIGH, NOON));

    assertThat(bodies(drain(dispatcher, NOON, 0)))
        .containsExactly("urgent", "high", "normal-1", "normal-2", "low");
  }

  @Test
  void tasks_due_in_the_same_millisecond_go_in_the_order_of_arrival() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(arrived(task("b"), 2));
    dispatcher.add(arrived(task("c"), 3));
    dispatcher.add(arrived(task("a"), 1));

    assertThat(bodies(drain(dispatcher, NOON, 0))).containsExactly("a", "b", "c");
  }

  @Test
  void one_step_of_waiting_makes_up_for_one_priority() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("low", Priority.LOW, NOON));
    dispatcher.add(task("normal-before-5-min", Priority.NORMAL, NOON.plusSeconds(298)));
    dispatcher.add(task("normal-after-5-min", Priority.NORMAL, NOON.plusSeconds(301)));
    dispatcher.add(task("urgent-before-15-min", Priority.URGENT, NOON.plusSeconds(899)));
    dispatcher.add(task("urgent-after-15-min", Priority.URGENT, NOON.plusSeconds(902)));

    assertThat(bodies(drain(dispatcher, NOON.plusSeconds(1_000), 0)))
        .containsExactly(
            "normal-before-5-min",
            "urgent-before-15-min",
            "low",
            "normal-after-5-min",
            "urgent-after-15-min");
  }

  @Test
  void under_an_endless_stream_of_urgent_tasks_a_low_one_goes_after_three_steps() {
    dispatcher.seen(worker("w", 1));
    dispatcher.add(task("low", Priority.LOW, NOON));

    long second = 0;
    for (String went = ""; !went.equals("low"); second++) {
      Instant now = NOON.plusSeconds(second);
      dispatcher.add(task("urgent-" + second + "-a", Priority.URGENT, now));
      dispatcher.add(task("urgent-" + second + "-b", Priority.URGENT, now));
      Match<String> match = dispatcher.next(now, 0).orElseThrow();
      went = match.task().body();
      dispatcher.released(match.hold());
    }

    // Two come and one goes each second: the 900 s in which urgent ones overtake it fill 1,800 s.
    assertThat(second).isBetween(1_799L, 1_802L);
  }

  @Test
  void a_task_is_not_takeable_before_it_is_due_and_says_when_it_will_be() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("later", Priority.URGENT, NOON.plusSeconds(5)));
    dispatcher.add(task("sooner", Priority.LOW, NOON.plusSeconds(2)));

    assertThat(drain(dispatcher, NOON, 0)).isEmpty();
    assertThat(dispatcher.nextDue()).contains(NOON.plusSeconds(2));
    assertThat(bodies(drain(dispatcher, NOON.plusSeconds(2), 0))).containsExactly("sooner");
    assertThat(dispatcher.nextDue()).contains(NOON.plusSeconds(5));
    assertThat(bodies(drain(dispatcher, NOON.plusSeconds(5), 0))).containsExactly("later");
    assertThat(dispatcher.nextDue()).isEmpty();
    assertThat(dispatcher.size()).isZero();
  }

  @Test
  void a_new_priority_moves_a_task_whether_due_or_not() {
    dispatcher.add(arrived(task("a"), 1));
    dispatcher.add(arrived(task("b"), 2));
    dispatcher.add(task("c", Priority.LOW, NOON.plusSeconds(1)));
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();

    assertThat(dispatcher.prioritise(TaskId.parse("b"), Priority.HIGH, 8)).isTrue();
    assertThat(dispatcher.prioritise(TaskId.parse("c"), Priority.URGENT, 9)).isTrue();
    assertThat(dispatcher.prioritise(TaskId.parse("gone"), Priority.URGENT, 9)).isFalse();
    dispatcher.seen(worker("w", 10));

    var matches = drain(dispatcher, NOON.plusSeconds(1), 0);
    assertThat(bodies(matches)).containsExactly("c", "b", "a");
    assertThat(matches).extracting(match -> match.task().revision()).containsExactly(9L, 8L, 1L);
  }

  @Test
  void a_removed_task_does_not_go() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("a"));
    dispatcher.add(task("b"));
    dispatcher.add(task("later", Priority.NORMAL, NOON.plusSeconds(1)));

    assertThat(dispatcher.remove(TaskId.parse("a"))).isPresent();
    assertThat(dispatcher.remove(TaskId.parse("later"))).isPresent();
    assertThat(dispatcher.remove(TaskId.parse("a"))).isEmpty();
    assertThat(bodies(drain(dispatcher, NOON.plusSeconds(1), 0))).containsExactly("b");
  }

  @Test
  void a_task_added_again_is_replaced() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("a", Priority.LOW, NOON));
    dispatcher.add(task("a", Priority.LOW, NOON.plusSeconds(1)));

    assertThat(dispatcher.size()).isOne();
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();
    assertThat(drain(dispatcher, NOON.plusSeconds(1), 0)).hasSize(1);
  }

  @Test
  void a_paused_queue_stands_still_and_the_others_go_on() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(queued("a", "mail", Map.of()));
    dispatcher.pause("mail");
    dispatcher.pause("reports");
    dispatcher.add(queued("b", "mail", Map.of("zone", "eu")));
    dispatcher.add(queued("c", "default", Map.of()));
    dispatcher.add(queued("d", "reports", Map.of()));

    assertThat(bodies(drain(dispatcher, NOON, 0))).containsExactly("c");
    dispatcher.seen(worker("v", 10, Set.of(), Map.of("zone", "eu")));
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();
    dispatcher.resume("mail");
    assertThat(bodies(drain(dispatcher, NOON, 0))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void a_refused_match_gives_everything_back_and_keeps_its_place() {
    dispatcher.seen(worker("w", 1));
    dispatcher.add(arrived(task("a"), 1));
    dispatcher.add(arrived(task("b"), 2));
    Match<String> match = dispatcher.next(NOON, 0).orElseThrow();
    assertThat(dispatcher.next(NOON, 0)).isEmpty();

    dispatcher.undo(match);

    assertThat(dispatcher.size()).isEqualTo(2);
    assertThat(dispatcher.next(NOON, 0)).contains(match);
  }

  @Test
  void a_refused_match_does_not_replace_a_newer_revision() {
    dispatcher.seen(worker("w", 1));
    dispatcher.add(task("a"));
    Match<String> match = dispatcher.next(NOON, 0).orElseThrow();
    dispatcher.add(match.task().with(Priority.HIGH, 5));

    dispatcher.undo(match);

    assertThat(dispatcher.next(NOON, 0).orElseThrow().task().revision()).isEqualTo(5);
    assertThat(dispatcher.size()).isZero();
  }

  @Test
  void an_ageing_step_of_nothing_is_refused() {
    Assertions.assertThatThrownBy(() -> Dispatcher.first(
            Strategies.builtIn().make("random"), Duration.ZERO, new SplittableRandom(1)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("dispatch.ageing must lie between PT0.001S");
  }

  @Test
  void the_ends_of_time_do_not_overflow() {
    dispatcher.seen(worker("w", 10));
    dispatcher.add(task("first", Priority.LOW, Instant.MIN));
    dispatcher.add(task("never", Priority.URGENT, Instant.MAX));
    dispatcher.add(task("now"));

    assertThat(bodies(drain(dispatcher, NOON, 0))).containsExactly("first", "now");
  }
}
