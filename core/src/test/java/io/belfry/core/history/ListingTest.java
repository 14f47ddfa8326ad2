package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Listings make progress, whatever they pass, and return each task once. */
class ListingTest {
  private final Kept kept = new Kept();

  private Task done(String id, Instant end) {
    return kept.succeeded(TaskId.parse(id), "w~1", end);
  }

  /** Small segments in sequence, within one hour; one in fifty contains a task of the job. */
  private void segments(int count) {
    for (int i = 0; i < count; i++) {
      var tasks = new ArrayList<Task>();
      for (int n = 0; n < 5; n++) {
        tasks.add(done("t" + i + "-" + n, Kept.START.plusMillis(i * 10L + n)));
      }
      if (i % 50 == 0) {
        Instant end = Kept.START.plusMillis(i * 10L + 5);
        tasks.add(kept.succeeded(TaskId.fire(new JobId("rare"), end), "w~1", end));
      }
      kept.segment(tasks);
    }
  }

  @Test
  void a_filtered_listing_gets_on_by_hundreds_of_segments_a_page_in_an_hour_full_of_them() {
    segments(3_000);
    kept.store.forget();
    assertThat(kept.walk(Query.ALL.withJob(new JobId("rare")), 100)).hasSize(60);
    assertThat(kept.pages).isLessThan(20);
    kept.store.forget();
    assertThat(kept.walk(Query.ALL.withState(StateName.FAILED), 100)).isEmpty();
    assertThat(kept.pages).isLessThanOrEqualTo(3_000 / FinishedWalk.HEADS_MAX + 1);
    assertThat(kept.store.scans).isLessThan(100);
    assertThat(kept.store.gets).isZero();
  }

  @Test
  void an_id_that_is_nowhere_costs_a_read_for_many_segments() {
    segments(3_000);
    kept.store.forget();
    assertThat(Kept.join(kept.history.find(TaskId.parse("nowhere")))).isEmpty();
    assertThat(kept.store.scans).isLessThan(10);
    // Filters of five ids are wrong more often than large ones.
    assertThat(kept.store.gets).isLessThan(3_000 / 20);
  }

  @Test
  void a_listing_gets_on_where_more_segments_lie_over_one_another_than_a_page_opens() {
    int segments = 3 * FinishedWalk.SEGMENTS_MAX;
    for (int i = 0; i < segments; i++) {
      // Each reaches down to the beginning of the hour.
      kept.segment(List.of(
          done("low-" + i, Kept.START.plusMillis(i)),
          done("high-" + i, Kept.START.plusSeconds(60 + i))));
    }
    assertThat(kept.walk(Query.ALL.withQueue("other"), 10)).isEmpty();
    assertThat(kept.pages).isLessThanOrEqualTo(5);
    assertThat(kept.walk(Query.ALL, 10)).doesNotHaveDuplicates().hasSize(2 * segments);
  }

  @Test
  void a_listing_keeps_its_place_when_batches_pile_up_behind_it() {
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < 100; i++) {
      tasks.add(done("old-" + i, Kept.START.minusSeconds(i)));
    }
    kept.segment(tasks.subList(1, 100));
    kept.batch("a", List.of(done("waiting", Kept.START.minusMillis(90_500))));
    Listing first = Kept.join(
        kept.history.list(Query.ALL.withState(StateName.SUCCEEDED), Optional.empty(), 50));
    List<TaskId> seen = new ArrayList<>(first.tasks().stream().map(Task::id).toList());
    for (int i = 0; i < (FinishedWalk.BATCH_PAGES_MAX + 2) * 1000; i++) {
      kept.batch("b", List.of(done("new-" + i, Kept.START.plusMillis(i))));
    }
    kept.walk(Query.ALL.withState(StateName.SUCCEEDED), first.next(), 50)
        .forEach(task -> seen.add(task.id()));
    assertThat(seen).doesNotHaveDuplicates().contains(TaskId.parse("waiting"));
    assertThat(seen.stream().filter(id -> id.toString().startsWith("old-"))).hasSize(99);
  }

  /** With a payload that deflate makes no shorter. */
  private static Task large(Task task, int seed) {
    byte[] payload = new byte[200 << 10];
    new Random(seed).nextBytes(payload);
    return task.withWork(task.work().withPayload(Payload.of("application/octet-stream", payload)));
  }

  @Test
  void a_page_ends_when_its_tasks_weigh_enough_and_the_next_goes_on_there() {
    Set<TaskId> wanted = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      Task waiting = large(kept.pending(TaskId.parse("waiting-" + i)), i);
      kept.put(Keys.task(waiting.id()), Records.encode(waiting));
      Task ended = large(done("ended-" + i, Kept.START.plusMillis(i)), i);
      kept.batch("w" + i, List.of(ended));
      Task packed = large(done("packed-" + i, Kept.START.minusMillis(i)), i);
      kept.segment(List.of(packed));
      wanted.addAll(List.of(waiting.id(), ended.id(), packed.id()));
    }
    Optional<String> cursor = Optional.empty();
    List<TaskId> seen = new ArrayList<>();
    do {
      Listing page = Kept.join(kept.history.list(Query.ALL, cursor, 1000));
      long bytes =
          page.tasks().stream().mapToLong(task -> task.work().payload().kept()).sum();
      assertThat(bytes).isLessThanOrEqualTo(History.PAGE_BYTES_MAX + (200 << 10));
      page.tasks().forEach(task -> seen.add(task.id()));
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(seen).doesNotHaveDuplicates();
    assertThat(new HashSet<>(seen)).isEqualTo(wanted);
  }

  @Test
  void what_cannot_be_read_hides_nothing_behind_it() {
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < 40; i++) {
      tasks.add(done("t%02d".formatted(i), Kept.START.plusMillis(i)));
    }
    String name = kept.segment(tasks);
    kept.segment(List.of(done("older", Kept.START.minus(Duration.ofMinutes(70)))));
    Entry entry = kept.get(SegmentKeys.tasks(name)).orElseThrow();
    byte[] bytes = entry.value();
    HistorySegment segment = HistorySegment.of(bytes.clone());
    int at = bytes.length;
    // The newest ten: of some the id can still be read.
    for (int row = 39; row >= 30; row--) {
      int length = Records.encode(segment.task(row)).length;
      at -= length;
      // A record begins with a length and ends with text: neither may have this byte.
      bytes[row % 2 == 0 ? at : at + length - 1] = (byte) 0xFF;
    }
    kept.put(entry.key(), bytes);
    List<TaskId> wanted = new ArrayList<>();
    for (int i = 29; i >= 0; i--) {
      wanted.add(TaskId.parse("t%02d".formatted(i)));
    }
    wanted.add(TaskId.parse("older"));
    for (int limit : new int[] {1, 3, 10, 100}) {
      assertThat(kept.walk(Query.ALL, limit))
          .extracting(Task::id)
          .containsExactlyElementsOf(wanted);
    }
  }
}
