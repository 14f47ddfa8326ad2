package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An undecodable record is missing from an answer, and nothing else is. */
class DamagedHistoryTest {
  private static final int HOURS = 5;
  private static final int EACH = 4;
  private static final byte[] GARBAGE = {99, 1, 2, 3};

  private final Kept kept = new Kept();
  private final List<TaskId> all = new ArrayList<>();

  /** Five segments, from the newest to the oldest, and a batch in front of them. */
  @BeforeEach
  void five_segments_and_a_batch() {
    for (int hour = HOURS; hour > 0; hour--) {
      var tasks = new ArrayList<Task>();
      for (int i = 0; i < EACH; i++) {
        Instant end = Kept.START.minus(Duration.ofHours(hour)).plusMillis(i);
        tasks.add(kept.succeeded(TaskId.parse("h" + hour + "-" + i), "w1~1", end));
      }
      kept.batch("w", tasks);
      tasks.forEach(task -> all.addFirst(task.id()));
    }
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(3));
    kept.crash();
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(HOURS);
    kept.batch("w", List.of(kept.succeeded(TaskId.parse("fresh"))));
    all.addFirst(TaskId.parse("fresh"));
  }

  private String segment(int place) {
    return kept.all(Keys.SEGMENT_HEADS).get(place).key().text();
  }

  private void isListedWithout(Collection<TaskId> missing) {
    List<TaskId> left = all.stream().filter(id -> !missing.contains(id)).toList();
    for (int limit : new int[] {1, 3, 100}) {
      assertThat(kept.walk(Query.ALL, limit)).extracting(Task::id).containsExactlyElementsOf(left);
      assertThat(kept.walk(Query.ALL.withWorker("w1"), limit))
          .extracting(Task::id)
          .containsExactlyElementsOf(left);
    }
    for (TaskId id : left) {
      assertThat(Kept.join(kept.history.find(id))).isPresent();
    }
    for (TaskId id : missing) {
      assertThat(Kept.join(kept.history.find(id))).isEmpty();
    }
  }

  private List<TaskId> hour(int hour) {
    return all.stream().filter(id -> id.toString().startsWith("h" + hour + "-")).toList();
  }

  @Test
  void a_damaged_segment_is_passed_over() {
    kept.put(SegmentKeys.tasks(segment(2)), GARBAGE);
    isListedWithout(hour(3));
  }

  @Test
  void a_damaged_head_is_passed_over() {
    kept.put(SegmentKeys.head(segment(0)), GARBAGE);
    isListedWithout(hour(1));
  }

  @Test
  void a_damaged_batch_is_passed_over() {
    Key batch = kept.all(Keys.FRESH_HISTORY).getFirst().key();
    kept.put(batch, GARBAGE);
    isListedWithout(List.of(TaskId.parse("fresh")));
  }

  @Test
  void a_damaged_task_within_a_segment_is_passed_over() {
    Entry entry = kept.get(SegmentKeys.tasks(segment(4))).orElseThrow();
    byte[] bytes = entry.value();
    HistorySegment segment = HistorySegment.of(bytes.clone());
    int at = bytes.length;
    for (int row = 0; row < EACH; row++) {
      at -= Records.encode(segment.task(row)).length;
    }
    bytes[at] = 99; // the version of the first
    kept.put(entry.key(), bytes);
    isListedWithout(List.of(segment.task(0).id()));
  }

  @Test
  void a_damaged_unfinished_task_is_passed_over() {
    kept.put(Key.of(Keys.TASKS, "bad"), GARBAGE);
    TaskId good = TaskId.parse("good");
    kept.put(Keys.task(good), Records.encode(kept.pending(good)));

    assertThat(kept.walk(Query.ALL.withState(StateName.PENDING), 10))
        .extracting(Task::id)
        .containsExactly(good);
  }

  @Test
  void a_damaged_rollup_is_passed_over() {
    Entry first = kept.all(Keys.ROLLUPS).getFirst();
    kept.put(first.key(), GARBAGE);
    var stats = kept.history.stats(
        Optional.<JobId>empty(), Kept.START.minus(Duration.ofDays(1)), Kept.START);
    assertThat(Kept.join(stats).count()).isEqualTo((HOURS - 1) * EACH);
  }
}
