package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentCount;
import io.belfry.core.record.SegmentCount.Piece;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CountTrimmingTest {
  private static final Duration ROUND = Duration.ofMinutes(3);

  private Kept kept = new Kept();

  /** Ends a task now. */
  private Task ends(String job) {
    return kept.succeeded(TaskId.fire(new JobId(job), kept.time.wall()));
  }

  /** Each round writes a segment of its own. */
  private void rounds(int count, String... jobs) {
    for (int i = 0; i < count; i++) {
      kept.batch("w", List.of(jobs).stream().map(this::ends).toList());
      kept.loop.run(ROUND);
    }
  }

  private List<Instant> left(String job) {
    return kept.inSegments().stream()
        .filter(task -> task.id().jobId().equals(Optional.of(new JobId(job))))
        .map(task -> task.ended().orElseThrow())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private static List<Instant> every(Duration step, Instant last, int count) {
    var ends = new ArrayList<Instant>();
    for (int i = 0; i < count; i++) {
      ends.add(last.minus(step.multipliedBy(i)));
    }
    return ends;
  }

  @Test
  void of_a_job_that_says_so_the_last_ones_are_kept_and_all_of_others() {
    kept.job("some", 3);
    kept.job("all", Duration.ofDays(7));
    kept.lead(Kept.SETTINGS);
    rounds(10, "some", "all");

    Instant last = Kept.START.plus(ROUND.multipliedBy(9));
    assertThat(left("some")).isEqualTo(every(ROUND, last, 3));
    assertThat(left("all")).isEqualTo(every(ROUND, last, 10));
  }

  @Test
  void nothing_is_left_of_a_segment_that_was_dropped_and_it_is_not_marked_without_a_rate() {
    kept.job("some", 2);
    kept.lead(Kept.SETTINGS);
    rounds(8, "some");

    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(2);
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).hasSize(2);
    assertThat(kept.all(Keys.SEGMENT_COUNTS)).hasSize(2);
    assertThat(kept.get(Keys.FORGOTTEN)).isEmpty();
  }

  @Test
  void a_dropped_segment_in_which_something_had_a_rate_is_marked() {
    kept.job("some", 1);
    kept.lead(Kept.SETTINGS);
    Instant first = kept.time.wall();
    kept.batch("w", List.of(kept.rated(TaskId.fire(new JobId("some"), first), first)));
    kept.loop.run(ROUND);
    rounds(2, "some");

    assertThat(left("some")).hasSize(1);
    assertThat(Records.forgotten(kept.get(Keys.FORGOTTEN).orElseThrow().value()).lastEnd())
        .isEqualTo(first.toEpochMilli());
  }

  @Test
  void what_one_job_needs_keeps_the_rest_of_its_segment_until_its_time_is_over() {
    kept.job("often", 1);
    kept.job("seldom", 1);
    kept.lead(Kept.SETTINGS);
    rounds(1, "often", "seldom");
    rounds(5, "often");

    assertThat(left("seldom")).containsExactly(Kept.START);
    assertThat(left("often")).hasSize(2).contains(Kept.START);
    rounds(1, "often", "seldom");
    assertThat(left("seldom")).hasSize(1).doesNotContain(Kept.START);
    assertThat(left("often")).hasSize(1);
    kept.crash();
    kept.time.advance(Duration.ofDays(8));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(ROUND);
    assertThat(kept.inSegments()).isEmpty();
    assertThat(kept.all(Keys.SEGMENT_COUNTS)).isEmpty();
  }

  @Test
  void many_segments_go_in_several_commits_and_a_lost_answer_does_no_harm() {
    kept.job("some", 1_000);
    kept.lead(Kept.SETTINGS);
    rounds(70, "some");
    assertThat(left("some")).hasSize(70);
    kept.job("some", 1);
    kept.faulty.loseNextAnswer();
    rounds(1, "some");
    kept.loop.run(ROUND);
    assertThat(left("some")).hasSize(1);
  }

  @Test
  void a_count_that_cannot_be_read_leaves_its_segment_to_its_time() {
    kept.job("some", 1);
    kept.lead(Kept.SETTINGS);
    rounds(1, "some");
    Entry count = kept.all(Keys.SEGMENT_COUNTS).getFirst();
    kept.put(count.key(), new byte[] {99});
    rounds(3, "some");
    assertThat(left("some")).hasSize(2).contains(Kept.START);
  }

  @Test
  void the_last_ones_of_every_job_are_always_there_whatever_order_they_were_folded_in() {
    Seeds.each(15, random -> {
      kept = new Kept(random);
      int[] keep = random.ints(4, 1, 7).toArray();
      Map<Integer, List<Instant>> ended = new HashMap<>();
      for (int i = 0; i < 4; i++) {
        kept.job("job-" + i, keep[i]);
      }
      kept.lead(Kept.SETTINGS);
      for (int i = 0; i < 25; i++) {
        var batch = new ArrayList<Task>();
        for (int n = random.nextInt(6); n > 0; n--) {
          int job = random.nextInt(4);
          // Reported late: it lies in a later segment than what ended after it.
          Instant end = kept.time.wall().minusMillis(random.nextInt(3_000_000));
          batch.add(kept.succeeded(TaskId.fire(new JobId("job-" + job), end), "w~1", end));
          ended.computeIfAbsent(job, j -> new ArrayList<>()).add(end);
        }
        kept.batch("w", batch);
        kept.loop.run(ROUND);
        ended.forEach((job, ends) -> {
          List<Instant> last =
              ends.stream().sorted(Comparator.reverseOrder()).limit(keep[job]).toList();
          assertThat(left("job-" + job)).containsAll(last);
        });
      }
    });
  }

  @Nested
  class Enough_of_a_job {
    private final KeepLast enough = new KeepLast(5);

    private boolean mayGo(int count, long first, long last) {
      return enough.mayGo(new Piece("j", 5, count, first, last));
    }

    @Test
    void is_what_surely_ended_later_than_the_rest() {
      assertThat(mayGo(3, 50, 90)).isFalse();
      assertThat(mayGo(3, 40, 80)).isFalse();
      assertThat(mayGo(9, 30, 40)).isFalse(); // one of it may be as new as the fifth
      assertThat(mayGo(9, 10, 39)).isTrue();
    }

    @Test
    void does_not_count_a_long_stretch_before_it_must() {
      assertThat(mayGo(4, 70, 90)).isFalse();
      assertThat(mayGo(9, 1, 85)).isFalse();
      assertThat(mayGo(1, 60, 60)).isFalse();
    }
  }

  @Test
  void a_segment_is_counted_by_job() {
    Task one = ends("a");
    kept.time.advance(Duration.ofMillis(7));
    List<Task> tasks = List.of(one, ends("b"), ends("a"));
    SegmentCount count =
        SegmentCount.of(tasks.stream().map(HistorySegment.Row::of).toList(), 99, job -> 4);
    long start = Kept.START.toEpochMilli();
    assertThat(count)
        .isEqualTo(new SegmentCount(
            99,
            0,
            List.of(
                new Piece("a", 4, 2, start, start + 7),
                new Piece("b", 4, 1, start + 7, start + 7))));
  }
}
