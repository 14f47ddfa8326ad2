package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteTrimmingTest {
  private static final int WEIGHT = 200 << 10;
  private static final Duration ROUND = ByteTrimming.ROUND.plusSeconds(11);

  private final Kept kept = new Kept();
  private final List<String> segments = new ArrayList<>();

  private static Instant hoursAgo(int hours) {
    return Kept.START.minus(Duration.ofHours(hours));
  }

  /** Segments, newest first, each with a head that declares a large size. */
  private void segments(int count, boolean rated) {
    for (int i = 0; i < count; i++) {
      TaskId id = TaskId.parse("t" + i);
      String name = kept.segment(
          List.of(rated ? kept.rated(id, hoursAgo(i)) : kept.succeeded(id, "w~1", hoursAgo(i))));
      SegmentHead is =
          Records.segmentHead(kept.get(SegmentKeys.head(name)).orElseThrow().value());
      var heavy = new SegmentHead(
          is.count(),
          is.firstEnd(),
          is.lastEnd(),
          is.ends(),
          is.rated(),
          is.until(),
          WEIGHT,
          is.tasks(),
          is.jobs());
      kept.put(SegmentKeys.head(name), Records.encode(heavy));
      segments.add(name);
    }
  }

  @Test
  void the_oldest_history_goes_early_when_all_of_it_weighs_too_much() {
    segments(10, false);
    kept.lead(Kept.SETTINGS.withHistoryBytes(1 << 20));
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.all(Keys.SEGMENT_HEADS))
        .extracting(entry -> entry.key().text())
        .containsExactlyElementsOf(segments.subList(0, 5));
    assertThat(kept.all(Keys.SEGMENT_EXPIRY)).hasSize(5);
    assertThat(kept.get(SegmentKeys.tasks(segments.get(4)))).isPresent();
    assertThat(kept.get(SegmentKeys.tasks(segments.get(5)))).isEmpty();
    assertThat(Records.forgotten(kept.get(Keys.DROPPED_EARLY).orElseThrow().value())
            .lastEnd())
        .isEqualTo(hoursAgo(5).toEpochMilli());
    assertThat(kept.counts.segmentsDroppedEarly()).isEqualTo(5);
    assertThat(kept.counts.historyBytes()).isBetween(5L * WEIGHT, 1L << 20);
  }

  @Test
  void also_an_engine_without_room_lets_history_go() {
    segments(10, false);
    kept.store.full = true;
    kept.lead(Kept.SETTINGS.withHistoryBytes(1 << 20));
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(5);
  }

  @Test
  void that_something_with_a_rate_was_dropped_is_noted() {
    segments(10, true);
    kept.lead(Kept.SETTINGS.withHistoryBytes(1 << 20));
    kept.loop.run(Duration.ofSeconds(11));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(5);
    assertThat(Records.forgotten(kept.get(Keys.FORGOTTEN).orElseThrow().value()).lastEnd())
        .isEqualTo(hoursAgo(5).toEpochMilli());
  }

  @Test
  void history_gives_way_step_by_step_while_the_engine_fills_up() {
    segments(10, false);
    kept.lead(Kept.SETTINGS);
    kept.loop.run(ROUND);
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(10);
    kept.store.fullness = 0.71;
    kept.loop.run(
        ROUND.multipliedBy(3)); // files of an engine do not shrink: that is no reason to go on
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(9);
    kept.store.fullness = 0.75;
    kept.loop.run(ROUND.multipliedBy(3));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(8);
    kept.store.fullness = 0.4;
    kept.loop.run(ROUND.multipliedBy(2));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(8);
  }

  @Test
  void history_gives_way_further_as_long_as_the_engine_stays_full() {
    segments(20, false);
    kept.lead(Kept.SETTINGS);
    kept.store.fullness = 1;
    kept.loop.run(ROUND.multipliedBy(4));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSizeBetween(10, 16);
    kept.loop.run(ROUND.multipliedBy(40));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSize(5);
  }

  @Test
  void an_engine_gets_the_time_to_use_its_room_again_before_more_history_goes() {
    segments(20, false);
    kept.lead(Kept.SETTINGS);
    kept.store.fullness = 1;
    kept.loop.run(Duration.ofMinutes(1));
    assertThat(kept.all(Keys.SEGMENT_HEADS)).hasSizeBetween(17, 18);
  }
}
