package io.belfry.core.dispatch;

import static io.belfry.core.dispatch.Given.NOON;
import static io.belfry.core.dispatch.Given.drain;
import static io.belfry.core.dispatch.Given.loaded;
import static io.belfry.core.dispatch.Given.task;
import static io.belfry.core.dispatch.Given.weighted;
import static io.belfry.core.dispatch.Given.worker;
import static io.belfry.core.dispatch.Given.workers;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.record.WorkerRecord;
import io.belfry.core.record.WorkerRecord.Load;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StrategiesTest {
  private static List<String> order(String strategy, int tasks, WorkerRecord... workers) {
    Dispatcher<String> dispatcher = Given.dispatcher(strategy);
    for (WorkerRecord worker : workers) {
      dispatcher.seen(worker);
    }
    return give(dispatcher, tasks);
  }

  private static List<String> give(Dispatcher<String> dispatcher, int tasks) {
    for (int i = 0; i < tasks; i++) {
      dispatcher.add(task("t" + i));
    }
    return workers(drain(dispatcher, NOON, 0));
  }

  @Test
  void all_the_promised_names_are_there_and_an_unknown_one_is_refused_with_the_list() {
    assertThat(Strategies.builtIn().names())
        .containsExactly(
            "adaptive",
            "consistent-hash",
            "least-connections",
            "least-load",
            "least-tasks",
            "random",
            "round-robin",
            "weighted-round-robin");
    assertThatThrownBy(() -> Strategies.builtIn().make("fastest"))
        .isInstanceOf(InvalidException.class)
        .hasMessageStartingWith("strategy must be one of adaptive, consistent-hash, ")
        .hasMessageContaining("but was \"fastest\"");
  }

  @Test
  void an_own_strategy_is_chosen_by_its_name() {
    var strategies =
        Strategies.builtIn().with("last", () -> (all, task, random) -> all.get(all.size() - 1));
    Dispatcher<String> dispatcher = Given.dispatcher("random");
    dispatcher.use(strategies.make("last"));
    dispatcher.seen(worker("a", 9));
    dispatcher.seen(worker("b", 9));

    assertThat(give(dispatcher, 3)).containsExactly("b", "b", "b");
    assertThat(strategies.names()).contains("last", "least-tasks");
  }

  @Test
  void a_reset_forgets_whose_turn_it_is_but_not_what_workers_hold() {
    Dispatcher<String> dispatcher = Given.dispatcher("round-robin");
    List.of("a", "b", "c").forEach(id -> dispatcher.seen(worker(id, 9)));
    assertThat(give(dispatcher, 2)).containsExactly("a", "b");
    dispatcher.reset();
    assertThat(give(dispatcher, 2)).containsExactly("a", "b");
    dispatcher.use(Strategies.builtIn().make("least-tasks"));
    dispatcher.reset();
    assertThat(give(dispatcher, 2)).containsExactly("c", "c");
  }

  @Nested
  class LeastTasks {
    @Test
    void goes_to_whoever_holds_least_and_equals_take_turns() {
      Dispatcher<String> dispatcher = Given.dispatcher("least-tasks");
      dispatcher.holds(new Reservation("a", "job", Limit.NONE, ""), 0, 0);
      dispatcher.holds(new Reservation("a", "job", Limit.NONE, ""), 0, 0);
      dispatcher.seen(worker("a", 9));
      dispatcher.seen(worker("b", 9));
      dispatcher.seen(worker("c", 9));

      assertThat(give(dispatcher, 8)).containsExactly("b", "c", "b", "c", "a", "b", "c", "a");
    }
  }

  @Nested
  class RoundRobin {
    @Test
    void takes_turns_and_passes_over_who_is_full() {
      assertThat(order("round-robin", 7, worker("a", 9), worker("b", 2), worker("c", 9)))
          .containsExactly("a", "b", "c", "a", "b", "c", "a");
      assertThat(order("round-robin", 6, worker("a", 9), worker("b", 1), worker("c", 9)))
          .containsExactly("a", "b", "c", "a", "c", "a");
    }
  }

  @Nested
  class WeightedRoundRobin {
    @Test
    void follows_the_weights_exactly_and_without_bursts() {
      assertThat(order(
              "weighted-round-robin", 14, weighted("a", 5), weighted("b", 1), weighted("c", 1)))
          .containsExactly("a", "a", "b", "a", "c", "a", "a", "a", "a", "b", "a", "c", "a", "a");
    }

    @Test
    void any_whole_round_has_each_as_often_as_it_weighs() {
      Seeds.each(50, random -> {
        int a = 1 + random.nextInt(20);
        int b = 1 + random.nextInt(20);
        int c = 1 + random.nextInt(20);
        var counts = order(
                "weighted-round-robin",
                a + b + c,
                weighted("a", a),
                weighted("b", b),
                weighted("c", c))
            .stream()
            .collect(groupingBy(id -> id, counting()));
        assertThat(counts).isEqualTo(Map.of("a", (long) a, "b", (long) b, "c", (long) c));
      });
    }

    @Test
    void serves_more_workers_than_it_first_made_room_for_and_forgets_who_left() {
      WorkerRecord[] many = new WorkerRecord[40];
      for (int i = 0; i < many.length; i++) {
        many[i] = weighted("w" + i, 1);
      }
      assertThat(order("weighted-round-robin", 40, many))
          .doesNotHaveDuplicates()
          .hasSize(40);

      Dispatcher<String> dispatcher = Given.dispatcher("weighted-round-robin");
      dispatcher.seen(weighted("a", 3));
      dispatcher.seen(weighted("b", 1));
      assertThat(give(dispatcher, 1)).containsExactly("a");
      dispatcher.left("a");
      dispatcher.seen(weighted("c", 3));
      dispatcher.reset();
      assertThat(give(dispatcher, 4)).containsExactly("c", "b", "c", "c");
    }
  }

  @Nested
  class Random {
    @Test
    void gives_each_about_the_same() {
      var counts =
          order("random", 3_000, worker("a", 9_999), worker("b", 9_999), worker("c", 9_999))
              .stream()
              .collect(groupingBy(id -> id, counting()));
      assertThat(counts.values()).hasSize(3).allMatch(n -> n > 850 && n < 1_150);
    }
  }

  @Nested
  class ConsistentHash {
    private static Map<String, String> owners(List<String> ids, int keys) {
      Dispatcher<String> dispatcher = Given.dispatcher("consistent-hash");
      ids.forEach(id -> dispatcher.seen(worker(id, keys)));
      for (int i = 0; i < keys; i++) {
        dispatcher.add(task("key" + i));
      }
      var owners = new HashMap<String, String>();
      drain(dispatcher, NOON, 0)
          .forEach(match -> owners.put(match.task().hashKey(), match.worker()));
      return owners;
    }

    @Test
    void when_a_worker_leaves_its_keys_alone_move_and_everyone_has_its_share() {
      for (int n : List.of(2, 5, 20)) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < n; i++) {
          ids.add("worker-" + i + "~abc");
        }
        int keys = 10_000;
        var before = owners(ids, keys);
        String gone = ids.remove(n / 2);
        var after = owners(ids, keys);

        long moved = before.keySet().stream()
            .filter(k -> !Objects.equals(before.get(k), after.get(k)))
            .count();
        long owned = before.values().stream().filter(gone::equals).count();
        System.out.printf(
            "consistent-hash: %d workers, one leaves: %d of %d keys move%n", n, moved, keys);
        assertThat(moved).isEqualTo(owned).isBetween(keys / (2L * n), 3L * keys / (2L * n));
        assertThat(before.values().stream()
                .collect(groupingBy(id -> id, counting()))
                .values())
            .hasSize(n)
            .allMatch(share -> share > 0.7 * keys / n && share < 1.3 * keys / n);
      }
    }

    @Test
    void a_restarted_worker_gets_its_keys_back() {
      var before = owners(List.of("a~1", "b~1", "c~1"), 500);
      var after = owners(List.of("a~1", "b~2", "c~1"), 500);
      before.replaceAll((key, id) -> id.replace("b~1", "b~2"));
      assertThat(after).isEqualTo(before);
    }

    @Test
    void processes_of_one_id_share_its_keys_and_the_others_keep_theirs() {
      var before = owners(List.of("a~1", "b~1"), 3_000);
      var after = owners(List.of("a~1", "a~2", "a~3", "b~1"), 3_000);
      Map<String, Long> shares = after.values().stream().collect(groupingBy(id -> id, counting()));
      assertThat(shares).hasSize(4);
      assertThat(List.of("a~1", "a~2", "a~3"))
          .allMatch(id -> shares.getOrDefault(id, 0L) > 400 && shares.getOrDefault(id, 0L) < 600);
      before.forEach((key, id) -> assertThat(after.get(key)).startsWith(id.substring(0, 2)));
    }

    @Test
    void tasks_of_one_job_or_one_limit_key_stay_together() {
      Work work = Work.of("t", ExecutorSpec.local("noop"));
      JobId job = new JobId("nightly");
      assertThat(hashKey(TaskId.fire(job, NOON), work)).isEqualTo("nightly");
      assertThat(hashKey(TaskId.fire(job, NOON.plusSeconds(60)), work)).isEqualTo("nightly");
      TaskId alone = TaskId.oneOff(NOON, new SplittableRandom(1));
      assertThat(hashKey(alone, work)).isEqualTo(alone.toString());
      Work keyed = work.withLimit(Limit.concurrency(5).by("customer-17"));
      assertThat(hashKey(alone, keyed)).isEqualTo("customer-17");
      assertThat(hashKey(TaskId.fire(job, NOON), keyed)).isEqualTo("customer-17");
      Work blank = work.withLimit(Limit.concurrency(5).by(""));
      assertThat(hashKey(TaskId.fire(job, NOON), blank)).isEqualTo("nightly");
    }

    private static String hashKey(TaskId id, Work work) {
      Task task = Task.pending(id, work, Priority.NORMAL, NOON, NOON);
      return WaitingTask.of(task, 1, 0, unused -> "counted", "").hashKey();
    }

    @Test
    void while_the_owner_is_full_its_key_goes_to_one_and_the_same_other() {
      Dispatcher<String> dispatcher = Given.dispatcher("consistent-hash");
      List.of("a", "b", "c", "d").forEach(id -> dispatcher.seen(worker(id, 1)));
      var seen = new ArrayList<List<String>>();
      for (int round = 0; round < 3; round++) {
        var matches = new ArrayList<Match<String>>();
        for (int i = 0; i < 4; i++) {
          dispatcher.add(task("same"));
          matches.addAll(drain(dispatcher, NOON, 0));
        }
        seen.add(workers(matches));
        matches.forEach(match -> dispatcher.released(match.hold()));
      }
      assertThat(seen.getFirst()).containsExactlyInAnyOrder("a", "b", "c", "d");
      assertThat(seen).containsOnly(seen.getFirst());
    }
  }

  @Nested
  class LeastConnections {
    @Test
    void counts_what_was_reported_and_what_was_given_since() {
      assertThat(order(
              "least-connections",
              5,
              loaded("a", 9, new Load(0, 0, 0, 3), 0),
              loaded("b", 9, new Load(0, 0, 0, 1), 0)))
          .containsExactly("b", "b", "a", "b", "a");
    }
  }

  @Nested
  class LeastLoad {
    @Test
    void weighs_cpu_memory_and_places_in_use() {
      assertThat(order(
              "least-load",
              1,
              loaded("busy-cpu", 10, new Load(0.9, 0.2, 0, 0), 0),
              loaded("busy-memory", 10, new Load(0.2, 0.9, 0, 0), 0),
              loaded("idle", 10, new Load(0.3, 0.3, 0, 0), 0)))
          .containsExactly("idle");
    }

    @Test
    void does_not_send_a_whole_heartbeat_to_one_worker() {
      assertThat(order(
              "least-load",
              6,
              loaded("a", 10, new Load(0.1, 0, 0, 0), 0),
              loaded("b", 10, new Load(0.4, 0, 0, 0), 0)))
          .containsExactly("a", "a", "b", "a", "b", "a");
    }
  }

  @Nested
  class AdaptiveLearning {
    private final Adaptive adaptive = new Adaptive();
    private final PoolWorker slow = new PoolWorker(worker("slow", 10), 0, 0);
    private final PoolWorker fast = new PoolWorker(worker("fast", 10), 20, 0);

    private Candidate choose() {
      return adaptive.choose(of(slow, fast), task("t"), new SplittableRandom(3));
    }

    private static Candidates of(PoolWorker... members) {
      return new Candidates() {
        @Override
        public int size() {
          return members.length;
        }

        @Override
        public Candidate get(int index) {
          return members[index];
        }
      };
    }

    @Test
    void prefers_the_earliest_expected_finish() {
      fast.held = 5;
      assertThat(choose()).as("nothing learned: least tasks").isSameAs(slow);
      adaptive.ran(slow, "job", 4_000);
      adaptive.ran(fast, "job", 1_500);
      assertThat(choose()).isSameAs(fast);
      adaptive.reset();
      assertThat(choose()).isSameAs(slow);
    }

    @Test
    void a_fuller_worker_is_expected_to_be_slower() {
      adaptive.ran(slow, "job", 1_100);
      adaptive.ran(fast, "job", 1_000);
      assertThat(choose()).isSameAs(fast);
      fast.held = 5;
      assertThat(choose()).isSameAs(slow);
    }

    @Test
    void who_takes_the_seat_of_one_that_left_begins_as_average() {
      adaptive.ran(slow, "job", 9_000);
      adaptive.ran(fast, "job", 1_000);
      adaptive.left(fast);
      fast.held = 9;
      assertThat(choose()).isSameAs(slow);
    }

    @Test
    void remembers_a_bounded_number_of_jobs_and_forgets_the_oldest() {
      for (int i = 0; i < 1_500; i++) {
        adaptive.ran(fast, "job-" + i, 1_000);
      }
      assertThat(adaptive.jobsKnown()).isEqualTo(1_000);
    }
  }
}
