package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Small segments are merged into large ones, and readers notice it only by fewer reads. */
class MergingTest {
  private static final Duration A_WHILE = Duration.ofMinutes(5);
  private static final Duration BOTH_KEPT = Duration.ofHours(2);

  private Kept kept = new Kept();
  private final Map<TaskId, Task> made = new HashMap<>();

  /** Segments of five tasks in the past hours, this many in each hour. */
  private void segments(int hours, int each) {
    for (int hour = 0; hour < hours; hour++) {
      for (int i = 0; i < each; i++) {
        var tasks = new ArrayList<Task>();
        for (int n = 0; n < 5; n++) {
          Instant end = Kept.START
              .minus(Duration.ofHours(2 + hour))
              .plusMillis(3_599_000L * i / each + kept.random.nextInt(1000));
          Task task = kept.succeeded(TaskId.oneOff(end, kept.random), "w~1", end);
          made.put(task.id(), task);
          tasks.add(task);
        }
        kept.segment(tasks);
      }
    }
  }

  private void leadFor(Duration time) {
    kept.lead(Kept.SETTINGS);
    kept.loop.run(time);
    kept.crash();
  }

  private void areAllOnce(List<Task> tasks) {
    Map<TaskId, Task> byId = new HashMap<>();
    tasks.forEach(task -> byId.put(task.id(), task));
    assertThat(byId.equals(made)).isTrue();
    assertThat(tasks).hasSameSizeAs(made.values());
  }

  private void allAreThereOnce() {
    areAllOnce(kept.inSegments());
    areAllOnce(kept.walk(Query.ALL, 100));
    made.values().stream()
        .limit(50)
        .forEach(task -> assertThat(Kept.join(kept.history.find(task.id()))).contains(task));
  }

  @Test
  void an_hour_has_few_segments_once_it_is_over() {
    segments(3, 700);
    leadFor(A_WHILE);
    allAreThereOnce();
    leadFor(BOTH_KEPT);
    allAreThereOnce();
    assertThat(kept.all(Keys.SEGMENT_HEADS).size()).isLessThanOrEqualTo(3 * 3);
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).hasSameSizeAs(kept.all(Keys.SEGMENT_HEADS));
    assertThat(kept.get(Keys.FORGOTTEN)).isEmpty(); // nothing has been
  }

  @Test
  void two_ends_of_one_id_are_both_kept() {
    segments(1, 10);
    Instant end = Kept.START.minus(Duration.ofHours(2)).plusSeconds(100);
    TaskId id = TaskId.fire(new JobId("recreated"), end.minusSeconds(60));
    kept.segment(List.of(kept.succeeded(id, "w~1", end)));
    kept.segment(List.of(kept.succeeded(id, "w~1", end.plusSeconds(200))));
    leadFor(BOTH_KEPT);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSizeLessThan(3);
    assertThat(kept.inSegments().stream().filter(task -> task.id().equals(id)))
        .extracting(task -> task.ended().orElseThrow())
        .containsExactlyInAnyOrder(end, end.plusSeconds(200));
  }

  @Test
  void they_are_forgotten_when_their_small_ones_would_have_been() {
    segments(2, 50);
    leadFor(BOTH_KEPT);
    Instant last = Kept.START.minusSeconds(3600);
    kept.time.advance(Duration.between(
        kept.time.wall(), last.plus(Duration.ofDays(7)).minus(Duration.ofHours(2))));
    leadFor(A_WHILE);
    assertThat(kept.inSegments()).isNotEmpty();
    kept.time.advance(Duration.ofHours(4));
    leadFor(A_WHILE);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).isEmpty();
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).isEmpty();
  }

  @Test
  void what_goes_by_number_or_has_a_rate_that_may_be_asked_for_stays_as_it_is() {
    kept.job("some", 1_000);
    Instant end = Kept.START.minus(Duration.ofHours(2));
    for (int i = 0; i < 4; i++) {
      kept.segment(List.of(kept.rated(TaskId.parse("rated-" + i), end.plusSeconds(i))));
    }
    for (int i = 0; i < 4; i++) {
      kept.batch(
          "w",
          List.of(kept.succeeded(
              TaskId.fire(new JobId("some"), end.plusSeconds(i)), "w~1", end.plusSeconds(i))));
      leadFor(A_WHILE);
    }
    leadFor(BOTH_KEPT);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(8);
    kept.time.advance(Duration.ofHours(26));
    leadFor(BOTH_KEPT);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(5);
    assertThat(kept.all(Keys.SEGMENT_HEADS).stream()
            .mapToInt(head -> Records.segmentHead(head.value()).rated())
            .sum())
        .isEqualTo(4);
  }

  @Test
  void a_damaged_segment_keeps_the_others_from_nothing() {
    segments(1, 10);
    Entry head = kept.all(Keys.SEGMENT_HEADS).get(3);
    kept.put(SegmentKeys.tasks(head.key().text()), new byte[] {99});
    leadFor(BOTH_KEPT);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(2).contains(head);
    assertThat(kept.walk(Query.ALL, 100)).hasSize(45);
  }

  @Test
  void an_hour_is_looked_at_once_whoever_leads() {
    segments(3, 50);
    leadFor(BOTH_KEPT);
    leadFor(A_WHILE);
    kept.store.forget();
    leadFor(Duration.ofMinutes(1));
    assertThat(kept.store.commits).isZero();
  }

  @Test
  void every_task_is_there_once_whatever_crashes_and_whatever_answer_is_lost() {
    Seeds.each(15, random -> {
      kept = new Kept(random);
      made.clear();
      segments(1 + random.nextInt(3), 5 + random.nextInt(120));
      kept.lead(Kept.SETTINGS);
      for (int i = 0; i < 40; i++) {
        switch (random.nextInt(6)) {
          case 0 -> kept.lead(Kept.SETTINGS);
          case 1 -> kept.faulty.loseNextAnswer();
          case 2 -> kept.faulty.loseNextRequest();
          case 3 -> kept.faulty.delayNextRequest();
          case 4 -> kept.faulty.deliverDelayed();
          default -> kept.loop.run(Duration.ofMillis(random.nextInt(600_000)));
        }
      }
      kept.lead(Kept.SETTINGS);
      kept.loop.run(A_WHILE);
      kept.faulty.deliverDelayed();
      allAreThereOnce();
    });
  }

  @Test
  void a_listing_that_is_under_way_misses_and_repeats_nothing() {
    Seeds.each(20, random -> {
      kept = new Kept(random);
      made.clear();
      segments(2, 20 + random.nextInt(100));
      kept.lead(Kept.SETTINGS);
      Set<TaskId> seen = new HashSet<>();
      Optional<String> cursor = Optional.empty();
      do {
        // Goes on between any two reads of the page.
        kept.store.before = () -> kept.loop.run(Duration.ofMillis(random.nextInt(8_000)));
        Listing page = Kept.join(kept.history.list(Query.ALL, cursor, 10 + random.nextInt(60)));
        kept.store.before = () -> {};
        page.tasks().forEach(task -> assertThat(seen.add(task.id())).isTrue());
        cursor = page.next();
        kept.loop.run(Duration.ofMillis(random.nextInt(200_000)));
      } while (cursor.isPresent());
      assertThat(seen).containsExactlyInAnyOrderElementsOf(made.keySet());
    });
  }
}
