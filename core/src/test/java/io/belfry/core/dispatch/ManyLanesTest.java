package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.limited;
import static io.belfry.core.dispatch.Given.queued;
import static io.belfry.core.dispatch.Given.task;
import static io.belfry.core.dispatch.Given.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Limit;
import io.belfry.model.task.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cost is measured in visited rows and lanes, which does not depend on the machine. */
class ManyLanesTest {
  private final Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");

  @Test
  void a_hundred_thousand_tasks_in_ten_thousand_limited_lanes_cost_two_looks_each() {
    int tasks = 100_000;
    int lanes = 10_000;
    for (int i = 0; i < tasks; i++) {
      dispatcher.add(limited("t" + i, Limit.concurrency(1), "customer-" + i % lanes));
    }
    for (int i = 0; i < 10; i++) {
      dispatcher.seen(worker(
          "w" + i, 2_000)); // room for more than there are lanes: every lane gets to its limit
    }

    int done = 0;
    for (var matches = drain(dispatcher, NOON, 0);
        !matches.isEmpty();
        matches = drain(dispatcher, NOON, 0)) {
      assertThat(matches).hasSize(lanes);
      done += matches.size();
      matches.forEach(match -> dispatcher.ended(match.hold(), 1_000));
    }

    System.out.printf("%d tasks in %d lanes: %d looks%n", tasks, lanes, dispatcher.visits());
    assertThat(done).isEqualTo(tasks);
    assertThat(dispatcher.visits()).isLessThanOrEqualTo(2L * tasks);
  }

  @Test
  void lanes_and_queues_that_cannot_go_are_not_looked_at_again_and_again() {
    Reservation elsewhere = new Reservation("elsewhere", "job", Limit.concurrency(1), "busy");
    dispatcher.holds(elsewhere, 0, 0);
    for (int i = 0; i < 500; i++) {
      dispatcher.add(queued("dead" + i, "nobody-serves-" + i, Map.of()));
      dispatcher.add(limited("busy" + i, Limit.concurrency(1), "busy"));
    }
    dispatcher.seen(worker("w", 1, Set.of("default"), Map.of()));
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();
    long before = dispatcher.visits();

    for (int i = 0; i < 1_000; i++) {
      dispatcher.add(task("t" + i));
      List<Match<String>> matches = drain(dispatcher, NOON, 0);
      assertThat(matches).hasSize(1);
      dispatcher.released(matches.getFirst().hold());
    }

    assertThat(before).isLessThanOrEqualTo(502);
    assertThat(dispatcher.visits() - before).isEqualTo(1_000);
  }

  @Test
  void queues_that_came_and_went_are_forgotten() {
    dispatcher.seen(worker("w", 1));
    for (int i = 0; i < 5_000; i++) {
      dispatcher.add(queued("t", "queue-" + i, Map.of("n", "" + i)));
      drain(dispatcher, NOON, 0);
      dispatcher.remove(TaskId.parse("t"));
    }
    assertThat(dispatcher.size()).isZero();
    assertThat(dispatcher.rows()).isLessThanOrEqualTo(1_024);
  }

  @Test
  void heartbeats_do_not_walk_what_nobody_serves() {
    dispatcher.seen(Given.worker("w", 9, Set.of("served"), Map.of()));
    for (int i = 0; i < 500; i++) {
      dispatcher.add(Given.queued("t" + i, "queue-" + i, Map.of()));
    }
    assertThat(Given.drain(dispatcher, Given.NOON, 0)).isEmpty();
    long before = dispatcher.visits();
    for (int i = 0; i < 100; i++) {
      dispatcher.seen(Given.worker("w", 9, Set.of("served"), Map.of()));
    }
    assertThat(dispatcher.visits()).isEqualTo(before);
    dispatcher.seen(Given.worker("w", 9, Set.of("served", "queue-7"), Map.of()));
    assertThat(Given.bodies(Given.drain(dispatcher, Given.NOON, 0))).containsExactly("t7");
  }
}
