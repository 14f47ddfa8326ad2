package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.bodies;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.draining;
import static io.belfry.core.dispatch.Given.queued;
import static io.belfry.core.dispatch.Given.task;
import static io.belfry.core.dispatch.Given.worker;
import static io.belfry.core.dispatch.Given.workers;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Limit;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreThreadsTest {
  private final Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");

  @BeforeEach
  void three_tasks_wait() {
    dispatcher.add(task("a"));
    dispatcher.add(task("b"));
    dispatcher.add(task("c"));
  }

  @Test
  void a_worker_gets_no_more_than_its_capacity_and_more_as_it_ends_some() {
    dispatcher.seen(worker("w", 2));

    var matches = drain(dispatcher, NOON, 0);
    assertThat(matches).hasSize(2);
    dispatcher.ended(matches.getFirst().hold(), 1_000);
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
  }

  @Test
  void capacity_changes_at_run_time_and_a_smaller_one_waits_for_ends() {
    dispatcher.seen(worker("w", 2));
    var matches = drain(dispatcher, NOON, 0);

    dispatcher.seen(worker("w", 1));
    dispatcher.released(matches.getFirst().hold());
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();
    dispatcher.released(matches.getLast().hold());
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
  }

  @Test
  void a_draining_worker_gets_nothing_until_it_accepts_again() {
    dispatcher.seen(draining("w", 5));
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();

    dispatcher.seen(worker("w", 5));
    assertThat(drain(dispatcher, NOON, 0)).hasSize(3);
  }

  @Test
  void only_a_worker_of_the_queue_with_all_the_labels_gets_a_task_and_nobody_waits_behind_it() {
    dispatcher.add(queued("eu-mail", "mail", Map.of("zone", "eu", "gpu", "yes")));
    dispatcher.seen(
        worker("other-queue", 9, Set.of("default"), Map.of("zone", "eu", "gpu", "yes")));
    dispatcher.seen(worker("no-gpu", 9, Set.of("mail"), Map.of("zone", "eu")));
    dispatcher.seen(worker("us", 9, Set.of(), Map.of("zone", "us", "gpu", "yes")));

    assertThat(bodies(drain(dispatcher, NOON, 0))).containsExactlyInAnyOrder("a", "b", "c");
    dispatcher.seen(worker("no-gpu", 9, Set.of("mail"), Map.of("zone", "eu", "gpu", "yes")));
    assertThat(workers(drain(dispatcher, NOON, 0))).containsExactly("no-gpu");
  }

  @Test
  void what_a_new_leader_is_told_is_held_counts_even_before_the_worker_is_seen() {
    Reservation hold = new Reservation("w", "job", Limit.NONE, "");
    dispatcher.holds(hold, 0, 0);
    dispatcher.holds(hold, 0, 0);
    dispatcher.seen(worker("w", 3));

    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
    dispatcher.released(hold);
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
  }

  @Test
  void a_worker_that_left_gets_nothing_and_comes_back_with_what_it_still_holds() {
    dispatcher.seen(worker("w", 1));
    var match = dispatcher.next(NOON, 0).orElseThrow();
    dispatcher.left("w");
    assertThat(drain(dispatcher, NOON, 0)).isEmpty();

    dispatcher.seen(worker("w", 2));
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
    dispatcher.released(match.hold());
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
  }

  @Test
  void what_ends_after_its_worker_left_gives_nothing_back_twice() {
    dispatcher.seen(worker("w", 1));
    var match = dispatcher.next(NOON, 0).orElseThrow();
    dispatcher.left("w");
    dispatcher.left("w");
    dispatcher.released(match.hold());
    dispatcher.released(match.hold());

    dispatcher.seen(worker("w", 1));
    assertThat(drain(dispatcher, NOON, 0)).hasSize(1);
  }
}
