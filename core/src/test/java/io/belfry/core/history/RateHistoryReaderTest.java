package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Forgotten;
import io.belfry.core.record.Records;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateHistoryReaderTest {
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private record Reach(long end, boolean last) {}

  private final Kept kept = new Kept();
  private final List<String> found = new ArrayList<>();
  private final List<Reach> reaches = new ArrayList<>();
  private boolean leads = true;
  private final RateHistoryReader rewind = new RateHistoryReader(
      kept.loop,
      kept.store,
      () -> leads,
      task -> found.add(task.id().toString()),
      (end, last) -> reaches.add(new Reach(end, last)));

  private Task rated(String id, Instant end) {
    return kept.rated(TaskId.parse(id), end);
  }

  private static Instant hoursAgo(int hours) {
    return Kept.START.minus(Duration.ofHours(hours));
  }

  /** One segment for each hour, each with one task. */
  private RetainSettings settings = Kept.SETTINGS;

  private void segments(int hours, boolean withRate) {
    for (int i = 1; i <= hours; i++) {
      TaskId id = TaskId.parse("t" + i);
      kept.batch(
          "w",
          List.of(withRate ? kept.rated(id, hoursAgo(i)) : kept.succeeded(id, "w~1", hoursAgo(i))));
    }
    kept.lead(settings);
    kept.loop.run(Duration.ofMinutes(3));
    kept.crash();
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(hours);
  }

  private Reach further() {
    int before = reaches.size();
    rewind.further();
    kept.loop.run(A_MOMENT);
    assertThat(reaches).hasSize(before + 1);
    return reaches.getLast();
  }

  private Reach allTheWay() {
    Reach reach = further();
    while (!reach.last()) {
      reach = further();
    }
    return reach;
  }

  @Test
  void goes_from_batches_to_segments_and_from_new_to_old_and_says_how_far_it_has_come() {
    segments(3, true);
    kept.batch("w", List.of(rated("fresh", Kept.START), kept.succeeded(TaskId.parse("plain"))));

    assertThat(further()).isEqualTo(new Reach(hoursAgo(1).toEpochMilli(), false));
    assertThat(found).containsExactly("fresh");
    assertThat(further()).isEqualTo(new Reach(hoursAgo(2).toEpochMilli(), false));
    assertThat(found).containsExactly("fresh", "t1");
    assertThat(allTheWay()).isEqualTo(new Reach(Long.MIN_VALUE, true));
    assertThat(found).containsExactly("fresh", "t1", "t2", "t3");
  }

  @Test
  void does_not_open_segments_in_which_nothing_has_a_rate() {
    segments(5, false);
    kept.store.forget();

    assertThat(allTheWay()).isEqualTo(new Reach(Long.MIN_VALUE, true));
    assertThat(found).isEmpty();
    assertThat(kept.store.gets).isEqualTo(1); // how far history is forgotten
  }

  @Test
  void tells_a_task_once_that_moves_into_a_segment_meanwhile() {
    kept.batch("w", List.of(rated("moves", Kept.START)));
    kept.batch("w", List.of(rated("stays", Kept.START)));
    int[] told = {0};
    var slow = new RateHistoryReader(
        kept.loop,
        kept.store,
        () -> true,
        task -> {
          found.add(task.id().toString());
          if (++told[0] == 2) { // everything is folded before it comes to the segments
            kept.lead(settings);
            kept.loop.run(Duration.ofMinutes(3));
          }
        },
        (end, last) -> reaches.add(new Reach(end, last)));
    do {
      slow.further();
      kept.loop.run(A_MOMENT);
    } while (!reaches.getLast().last());

    assertThat(kept.inSegments()).hasSize(2);
    assertThat(found).containsExactlyInAnyOrder("moves", "stays");
  }

  @Test
  void ends_where_history_is_forgotten() {
    segments(4, true);
    kept.put(Keys.FORGOTTEN, Records.encode(new Forgotten(hoursAgo(3).toEpochMilli())));

    assertThat(allTheWay()).isEqualTo(new Reach(hoursAgo(3).toEpochMilli(), true));
    assertThat(found).containsExactly("t1", "t2");
  }

  @Test
  void what_is_trimmed_is_marked_as_forgotten() {
    settings = Kept.SETTINGS.keeping(
        Duration.ofDays(1), Duration.ofDays(90), Duration.ofDays(7), 1L << 30);
    segments(4, true);
    kept.time.advance(Duration.ofDays(1).minusHours(2));
    kept.lead(settings);
    kept.loop.run(Duration.ofMinutes(3));
    kept.crash();
    long left = kept.all(Keys.SEGMENT_HEADS).size();
    assertThat(left).isBetween(1L, 3L);

    Reach reach = allTheWay();
    assertThat(reach.end()).isEqualTo(hoursAgo((int) left + 1).toEpochMilli());
    assertThat(found).hasSize((int) left);
  }

  @Test
  void what_was_trimmed_longer_ago_than_any_window_reaches_needs_no_mark() {
    segments(4, true);
    kept.time.advance(Duration.ofDays(7).minusHours(2));
    kept.lead(settings);
    kept.loop.run(Duration.ofMinutes(3));
    kept.crash();
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSizeBetween(1, 3);
    assertThat(kept.get(Keys.FORGOTTEN)).isEmpty();
  }

  @Test
  void a_full_engine_is_emptied_of_tasks_and_what_is_missing_is_known_all_the_same() {
    settings = Kept.SETTINGS.keeping(
        Duration.ofDays(1), Duration.ofDays(90), Duration.ofDays(7), 1L << 30);
    segments(4, true);
    kept.time.advance(Duration.ofDays(1).minusHours(2));
    kept.store.full = true;
    kept.lead(settings);
    kept.loop.run(Duration.ofMinutes(3));
    assertThat(kept.get(Keys.FORGOTTEN)).isEmpty();
    List<Entry> heads = kept.all(Keys.SEGMENT_HEADS);
    assertThat(heads).hasSize(4);
    List<Entry> whole = heads.stream()
        .filter(head -> kept.get(SegmentKeys.tasks(head.key().text())).isPresent())
        .toList();
    assertThat(whole).hasSizeBetween(1, 3);
    Reach reach = allTheWay();
    assertThat(reach).isEqualTo(new Reach(hoursAgo(whole.size() + 1).toEpochMilli(), true));
    assertThat(found).hasSize(whole.size());

    kept.store.full = false;
    kept.loop.run(Duration.ofMinutes(1));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(whole.size());
    assertThat(kept.get(Keys.FORGOTTEN)).isPresent();
  }

  @Test
  void ends_before_a_segment_or_a_head_that_is_damaged() {
    segments(4, true);
    Entry third = kept.all(Keys.SEGMENT_HEADS).get(2);
    kept.put(SegmentKeys.tasks(third.key().text()), new byte[] {1, 2, 3});
    assertThat(allTheWay()).isEqualTo(new Reach(hoursAgo(3).toEpochMilli(), true));
    assertThat(found).containsExactly("t1", "t2");
  }

  @Test
  void knows_nothing_for_certain_when_a_batch_is_damaged() {
    segments(2, true);
    kept.put(Keys.freshHistory("w", 99), new byte[] {1, 2, 3});
    assertThat(allTheWay()).isEqualTo(new Reach(Long.MAX_VALUE, true));
  }

  @Test
  void asks_again_when_the_store_does_not_answer_and_stops_with_its_term() {
    segments(1, true);
    kept.store.failing = 2;
    assertThat(allTheWay()).isEqualTo(new Reach(Long.MIN_VALUE, true));
    leads = false;
    var none =
        new RateHistoryReader(kept.loop, kept.store, () -> leads, task -> {}, (end, last) -> {
          throw new AssertionError("told of " + end);
        });
    none.further();
    kept.loop.run(A_MOMENT);
    assertThat(reaches).hasSize(2);
  }
}
