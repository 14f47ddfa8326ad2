package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Bloom;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cost of finding an id among ten million finished tasks. */
class IdLookupTest {
  private static final int SEGMENTS = 1250;
  private static final int TASKS = 8000;
  private static final JobId JOB = new JobId("load");
  private static final Duration AT_MOST = Duration.ofMillis(20);

  private final Kept kept = new Kept();
  private final List<String> names = new ArrayList<>();

  private static Instant at(int segment, int task) {
    return Kept.START.minusSeconds((long) segment * TASKS + task);
  }

  /**
   * Filters of ten million different ids. All segments share the bytes of one: what is in them does not matter as long as the filter rules an id
   * out.
   */
  private void tenMillion() {
    List<HistorySegment.Row> rows = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      rows.add(HistorySegment.Row.of(kept.succeeded(TaskId.fire(JOB, at(0, i)), "w~1", at(0, i))));
    }
    byte[] segment = HistorySegment.encode(rows);
    SegmentHead first = HistorySegment.head(rows, 0, segment.length);
    for (int i = 0; i < SEGMENTS; i++) {
      Bloom filter = i == 0 ? first.tasks() : Bloom.forCount(TASKS);
      for (int j = 0; i > 0 && j < TASKS; j++) {
        filter.add(TaskId.fire(JOB, at(i, j)).toString());
      }
      long last = at(i, 0).toEpochMilli();
      long until = last + Duration.ofDays(7).toMillis();
      var head = new SegmentHead(
          TASKS,
          at(i, TASKS - 1).toEpochMilli(),
          last,
          first.ends(),
          0,
          until,
          segment.length,
          filter,
          first.jobs());
      String name = SegmentKeys.name(last, i);
      names.add(name);
      Outcome unused = Kept.join(kept.memory.commit(Commit.when()
          .put(SegmentKeys.tasks(name), segment)
          .put(SegmentKeys.head(name), Records.encode(head))
          .put(SegmentKeys.expiry(until, name), new byte[0])
          .build()));
    }
  }

  private Optional<Task> find(TaskId id) {
    return Kept.join(kept.history.find(id));
  }

  @Test
  void an_id_that_does_not_exist_is_ruled_out_within_20_ms_among_ten_million_tasks() {
    tenMillion();
    assertThat(find(TaskId.fire(JOB, at(0, 17)))).isPresent();
    List<TaskId> unknown = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      unknown.add(TaskId.fire(JOB, at(i * 20, 100).plusMillis(1)));
      unknown.add(TaskId.parse("nobody-knows-" + i));
    }
    kept.store.forget();
    long[] nanos = new long[unknown.size()];
    for (int i = 0; i < nanos.length; i++) {
      long began = Time.system().nanos();
      assertThat(find(unknown.get(i))).isEmpty();
      nanos[i] = Time.system().nanos() - began;
    }
    Arrays.sort(nanos);
    System.out.println("id lookup among 10,000,000 finished tasks: median "
        + nanos[nanos.length / 2] / 1000 + " us, p95 " + nanos[nanos.length * 95 / 100] / 1000
        + " us, " + kept.store.calls() / nanos.length + " reads");
    assertThat(Duration.ofNanos(nanos[nanos.length / 2])).isLessThan(AT_MOST);
    // The task, the batches, twice two pages of names, and now and then a segment that has to be
    // opened.
    assertThat(kept.store.calls()).isLessThan(7 * nanos.length + nanos.length);
  }

  @Test
  void filters_in_memory_are_bounded_in_bytes_and_those_of_segments_that_are_gone_go() {
    var filters = new SegmentFilters(100_000);
    for (int i = 0; i < 200; i++) {
      filters.add("p" + i, Bloom.forCount(4000));
    }
    assertThat(filters.bytes()).isBetween(90_000L, 100_000L);
    filters.retain(Set.of("p0"));
    assertThat(filters.bytes()).isBetween(10_000L, 11_000L);
    assertThat(filters.get("p0")).isPresent();
    filters.add("new", Bloom.forCount(4000));
    assertThat(filters.get("new")).isPresent();
  }

  @Test
  void a_segment_that_is_merged_while_names_are_read_is_found() {
    List<String> small = new ArrayList<>();
    for (int i = 0; i < 1005; i++) {
      TaskId id = TaskId.parse("t" + i);
      small.add(kept.segment(List.of(kept.succeeded(id, "w~1", Kept.START.minusSeconds(i + 1)))));
    }
    String last = small.getLast(); // the oldest, on the second page
    Entry head = kept.get(SegmentKeys.head(last)).orElseThrow();
    long until = Records.segmentHead(head.value()).until();
    int[] reads = {0};
    kept.store.before = () -> {
      if (++reads[0] == 4) { // the task, the batches, the first page; before the second
        kept.delete(SegmentKeys.expiry(until, last));
        kept.put(
            SegmentKeys.expiry(kept.time.wall().plusSeconds(600).toEpochMilli(), last),
            SegmentDrop.ELSEWHERE);
      }
    };
    assertThat(find(TaskId.parse("t1004"))).isPresent();
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).hasSize(1005);
  }
}
