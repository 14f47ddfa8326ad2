package io.belfry.core.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.testkit.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class JobTableTest {
  private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");
  private static final JobId NIGHTLY = new JobId("nightly");

  private final JobTable table = new JobTable();

  @Nested
  class Cursors {
    @Test
    void come_back_as_they_were_put() {
      RandomGenerator random = new SplittableRandom(1);
      List<Optional<TaskId>> previous = List.of(
          Optional.empty(),
          Optional.of(TaskId.fire(NIGHTLY, NOON.plusMillis(1))),
          Optional.of(TaskId.fire(new JobId("other"), NOON)),
          Optional.of(TaskId.triggered(NIGHTLY, NOON, random)),
          Optional.of(new TaskId.OneOff("mine")));
      long revision = 0;
      for (Optional<TaskId> task : previous) {
        for (boolean active : new boolean[] {true, false}) {
          for (Optional<Instant> at : List.of(Optional.<Instant>empty(), Optional.of(NOON))) {
            Cursor cursor = new Cursor(7, active, at, at.map(last -> last.minusSeconds(60)), task);
            assertThat(table.put(NIGHTLY, cursor, ++revision)).isTrue();
            assertThat(table.cursor(NIGHTLY)).contains(cursor);
            assertThat(table.revision(NIGHTLY)).hasValue(revision);
          }
        }
      }
      assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void of_unknown_jobs_are_absent() {
      assertThat(table.cursor(NIGHTLY)).isEmpty();
      assertThat(table.revision(NIGHTLY)).isEmpty();
      assertThat(table.remove(NIGHTLY, 4)).isFalse();
    }
  }

  @Nested
  class Revisions {
    @Test
    void an_older_or_equal_one_changes_nothing() {
      table.put(NIGHTLY, due(NOON), 5);

      assertThat(table.put(NIGHTLY, due(NOON.plusSeconds(1)), 5)).isFalse();
      assertThat(table.put(NIGHTLY, due(NOON.plusSeconds(1)), 4)).isFalse();
      assertThat(table.remove(NIGHTLY, 5)).isFalse();
      assertThat(table.cursor(NIGHTLY)).contains(due(NOON));
    }

    @Test
    void a_late_word_of_a_removed_job_does_not_bring_it_back() {
      table.put(NIGHTLY, due(NOON), 5);
      assertThat(table.remove(NIGHTLY, 9)).isTrue();

      assertThat(table.put(NIGHTLY, due(NOON), 8)).isFalse();
      assertThat(table.size()).isZero();
      assertThat(table.next()).isEmpty();
      assertThat(table.put(NIGHTLY, due(NOON), 10)).isTrue();
      assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void the_memory_of_removed_jobs_is_bounded() {
      for (int i = 0; i <= JobTable.REMOVED_MAX; i++) {
        table.remove(new JobId("job-" + i), 100 + i);
      }
      assertThat(table.put(new JobId("job-1"), due(NOON), 1)).isFalse();
      assertThat(table.put(new JobId("job-0"), due(NOON), 1)).isTrue();
    }
  }

  @Nested
  class Timers {
    @Test
    void hand_out_a_due_job_once_until_its_cursor_moves() {
      table.put(NIGHTLY, due(NOON), 1);
      table.put(new JobId("later"), due(NOON.plusSeconds(1)), 2);

      assertThat(handedOut(NOON.minusMillis(1), 10)).isEmpty();
      assertThat(handedOut(NOON, 10)).containsExactly("nightly");
      assertThat(handedOut(NOON, 10)).isEmpty();

      table.put(NIGHTLY, due(NOON.plusMillis(5)), 3);
      assertThat(table.next()).contains(NOON.plusMillis(5));
      assertThat(handedOut(NOON.plusSeconds(2), 10)).containsExactly("nightly", "later");
    }

    @Test
    void can_be_set_again_when_a_commit_failed() {
      table.put(NIGHTLY, due(NOON), 1);
      assertThat(handedOut(NOON, 1)).hasSize(1);

      table.wake(NIGHTLY, NOON.plusMillis(200));
      assertThat(handedOut(NOON.plusMillis(199), 1)).isEmpty();
      assertThat(handedOut(NOON.plusMillis(200), 1)).containsExactly("nightly");
    }

    @Test
    void hand_out_no_more_than_asked() {
      for (int i = 0; i < 10; i++) {
        table.put(new JobId("job-" + i), due(NOON), i);
      }
      assertThat(handedOut(NOON, 4)).containsExactly("job-0", "job-1", "job-2", "job-3");
      assertThat(handedOut(NOON, 100)).hasSize(6);
    }

    @Test
    void rest_while_a_job_is_not_active_or_has_no_next_time() {
      table.put(NIGHTLY, due(NOON), 1);
      table.put(NIGHTLY, cursor(false, Optional.of(NOON)), 2);
      assertThat(table.next()).isEmpty();
      table.put(NIGHTLY, cursor(true, Optional.empty()), 3);
      assertThat(table.next()).isEmpty();
    }

    @Test
    void go_on_behind_those_that_are_only_put_off() {
      for (int i = 0; i < 30; i++) {
        table.put(new JobId("j" + i), due(NOON.minusSeconds(30 - i)), i + 1);
      }
      List<String> taken = new ArrayList<>();
      int count = table.forEachDue(NOON, 3, due -> {
        boolean late = due.cursor().next().orElseThrow().isBefore(NOON.minusSeconds(10));
        if (late) {
          table.wake(due.job(), NOON.plusSeconds(1));
        } else {
          taken.add(due.job().value());
        }
        return !late;
      });
      assertThat(count).isEqualTo(3);
      assertThat(taken).containsExactly("j20", "j21", "j22");
    }

    @Test
    void all_begin_anew_when_whoever_took_them_is_gone() {
      table.put(NIGHTLY, due(NOON), 1);
      table.put(new JobId("resting"), cursor(false, Optional.of(NOON)), 2);
      assertThat(handedOut(NOON, 10)).containsExactly("nightly");
      table.wakeAll();
      assertThat(handedOut(NOON, 10)).containsExactly("nightly");
    }

    private List<String> handedOut(Instant now, int max) {
      List<String> jobs = new ArrayList<>();
      int count = table.forEachDue(now, max, due -> {
        jobs.add(due.job().value());
        assertThat(table.cursor(due.job())).contains(due.cursor());
        assertThat(table.revision(due.job())).hasValue(due.revision());
        return true;
      });
      assertThat(count).isEqualTo(jobs.size());
      return jobs;
    }
  }

  @Test
  void it_agrees_with_a_plain_map_whatever_is_done() {
    Seeds.each(100, random -> {
      JobTable table = new JobTable();
      Map<JobId, Cursor> plain = new HashMap<>();
      int ids = random.nextInt(1, 300);
      for (long revision = 1; revision <= 2_000; revision++) {
        JobId job = new JobId("j" + random.nextInt(ids));
        if (random.nextInt(3) == 0) {
          assertThat(table.remove(job, revision)).isEqualTo(plain.remove(job) != null);
        } else {
          Cursor cursor = due(NOON.plusMillis(random.nextInt(1_000)));
          assertThat(table.put(job, cursor, revision)).isTrue();
          plain.put(job, cursor);
        }
      }
      Map<JobId, Cursor> seen = new HashMap<>();
      table.forEach(due -> seen.put(due.job(), due.cursor()));
      assertThat(seen).isEqualTo(plain);
      assertThat(table.size()).isEqualTo(plain.size());
      for (int i = 0; i < ids; i++) {
        JobId job = new JobId("j" + i);
        assertThat(table.cursor(job)).isEqualTo(Optional.ofNullable(plain.get(job)));
      }
      assertThat(table.next())
          .isEqualTo(plain.values().stream()
              .flatMap(cursor -> cursor.next().stream())
              .min(Instant::compareTo));
    });
  }

  private static Cursor due(Instant at) {
    return cursor(true, Optional.of(at));
  }

  private static Cursor cursor(boolean active, Optional<Instant> next) {
    return new Cursor(1, active, next, Optional.empty(), Optional.empty());
  }
}
