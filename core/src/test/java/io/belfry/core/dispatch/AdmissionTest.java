package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the leader admits from queues in pull mode. */
class AdmissionTest {
  private static final int MOST = 4;

  private final Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");

  @BeforeEach
  void oneWorkerOneQueue() {
    dispatcher.seen(Given.worker("w", 10));
    dispatcher.pull("default", true);
  }

  private Optional<Admission<String>> admit() {
    return dispatcher.admit("default", MOST, NOON, 0);
  }

  private List<String> admitAll() {
    var all = new ArrayList<String>();
    for (var one = admit(); one.isPresent(); one = admit()) {
      all.add(one.get().task().body());
    }
    return all;
  }

  @Test
  void nothing_of_a_pulled_queue_is_given_out() {
    dispatcher.add(Given.task("a"));
    assertThat(dispatcher.next(NOON, 0)).isEmpty();
    assertThat(admitAll()).hasSize(1);
  }

  @Test
  void what_waits_is_given_out_once_the_queue_is_pushed_again() {
    dispatcher.add(Given.task("a"));
    dispatcher.pull("default", false);
    assertThat(admit()).isEmpty();
    assertThat(dispatcher.next(NOON, 0)).isPresent();
  }

  @Test
  void the_more_urgent_is_admitted_first_and_ranks_first() {
    dispatcher.add(Given.task("low", Priority.LOW, NOON));
    dispatcher.add(Given.task("urgent", Priority.URGENT, NOON));
    var first = admit().orElseThrow();
    var second = admit().orElseThrow();
    assertThat(first.task().priority()).isEqualTo(Priority.URGENT);
    assertThat(first.rank()).isLessThan(second.rank());
  }

  @Test
  void what_is_not_due_or_whose_queue_is_paused_is_not_admitted() {
    dispatcher.add(Given.task("later", Priority.NORMAL, NOON.plusSeconds(1)));
    assertThat(admit()).isEmpty();
    dispatcher.add(Given.task("now"));
    dispatcher.pause("default");
    assertThat(admit()).isEmpty();
    dispatcher.resume("default");
    assertThat(admitAll()).hasSize(1);
  }

  @Test
  void no_more_than_so_many_are_admitted_until_half_of_them_are_claimed() {
    for (int i = 0; i < 10; i++) {
      dispatcher.add(Given.task("t" + i));
    }
    var admitted = new ArrayList<Admission<String>>();
    for (var one = admit(); one.isPresent(); one = admit()) {
      admitted.add(one.get());
    }
    assertThat(admitted).hasSize(MOST);
    dispatcher.claimed(admitted.get(0), "w");
    assertThat(admit()).isEmpty();
    dispatcher.claimed(admitted.get(1), "w");
    assertThat(admitAll()).hasSize(2);
  }

  @Test
  void a_task_that_nobody_may_claim_does_not_stand_in_the_way_of_others() {
    dispatcher.add(Given.queued("gpu", "default", Map.of("gpu", "yes")));
    dispatcher.add(Given.queued("plain", "default", Map.of()));
    assertThat(admitAll()).hasSize(1);
    dispatcher.seen(Given.worker("w2", 1, Set.of(), Map.of("gpu", "yes")));
    assertThat(admitAll()).hasSize(1);
  }

  @Test
  void an_admission_counts_against_the_limit_and_a_claim_does_not_count_again() {
    Limit two = Limit.concurrency(2);
    for (String id : List.of("a", "b", "c")) {
      dispatcher.add(Given.limited(id, two, "k"));
    }
    var first = admit().orElseThrow();
    var second = admit().orElseThrow();
    assertThat(admit()).isEmpty();
    Reservation hold = dispatcher.claimed(first, "w");
    assertThat(admit()).isEmpty();
    dispatcher.released(hold);
    var third = admit().orElseThrow();
    assertThat(admit()).isEmpty();
    dispatcher.withdraw(second);
    dispatcher.withdraw(third);
    dispatcher.add(Given.limited("d", two, "k"));
    dispatcher.add(Given.limited("e", two, "k"));
    dispatcher.add(Given.limited("f", two, "k"));
    assertThat(admitAll()).hasSize(2);
  }

  @Test
  void what_an_earlier_leader_admitted_counts_whatever_the_limit_says() {
    Limit one = Limit.concurrency(1);
    var a = Given.limited("a", one, "k");
    var b = Given.limited("b", one, "k");
    dispatcher.add(a);
    dispatcher.add(b);
    assertThat(dispatcher.adopt(a.id(), MOST, 0)).isPresent();
    assertThat(dispatcher.adopt(a.id(), MOST, 0)).isEmpty();
    assertThat(admit()).isEmpty();
  }
}
