package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.task.Task;
import io.belfry.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class EndedBatchTest {
  private static List<Task> finished(RandomGenerator random) {
    return Stream.generate(() -> AnyTask.task(random))
        .filter(Task::isFinal)
        .filter(task -> Math.abs(task.ended().orElseThrow().getEpochSecond()) < 1L << 40)
        .limit(1 + random.nextInt(20))
        .toList();
  }

  @Test
  void gives_back_every_task_and_its_columns() {
    Seeds.each(300, random -> {
      List<Task> tasks = finished(random);
      HistorySegment segment = HistorySegment.of(
          HistorySegment.encode(tasks.stream().map(HistorySegment.Row::of).toList()));
      var read = new ArrayList<Task>();
      for (int row = 0; row < segment.count(); row++) {
        Task task = segment.task(row);
        read.add(task);
        assertThat(segment.id(row)).isEqualTo(task.id());
        assertThat(segment.state(row)).isEqualTo(task.stateName());
        assertThat(segment.end(row)).isEqualTo(task.ended().orElseThrow().toEpochMilli());
        assertThat(segment.job(row))
            .isEqualTo(task.id().jobId().map(Object::toString).orElse(""));
      }
      assertThat(read).containsExactlyInAnyOrderElementsOf(tasks);
    });
  }

  @Test
  void what_is_cut_or_changed_is_refused_or_read_but_nothing_else() {
    Seeds.each(60, random -> {
      byte[] whole = HistorySegment.encode(
          finished(random).stream().map(HistorySegment.Row::of).toList());
      for (int length = 0; length < whole.length; length += 1 + random.nextInt(9)) {
        assertThat(isRead(Arrays.copyOf(whole, length))).isFalse();
      }
      for (int i = 0; i < 200; i++) {
        byte[] changed = whole.clone();
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
        boolean unused = isRead(changed);
      }
    });
  }

  private static boolean isRead(byte[] bytes) {
    try {
      HistorySegment segment = HistorySegment.of(bytes);
      for (int row = 0; row < segment.count(); row++) {
        Task unused = segment.task(row);
      }
      return true;
    } catch (DamagedRecordException e) {
      return false;
    }
  }

  @Test
  void the_head_rules_out_most_of_what_is_not_there_and_nothing_that_is() {
    Bloom bloom = Bloom.forCount(10_000);
    for (int i = 0; i < 10_000; i++) {
      bloom.add("task-" + i);
    }
    int wrong = 0;
    for (int i = 0; i < 10_000; i++) {
      assertThat(bloom.mayContain("task-" + i)).isTrue();
      wrong += bloom.mayContain("other-" + i) ? 1 : 0;
    }
    assertThat(wrong).isLessThan(200);
  }

  @Nested
  class A_histogram {
    @Test
    void tells_quantiles_within_a_sixteenth() {
      Seeds.each(100, random -> {
        var histogram = new Histogram();
        long[] micros = new long[500];
        for (int i = 0; i < micros.length; i++) {
          micros[i] = random.nextLong(1L << random.nextInt(1, 40));
          histogram.add(Duration.ofNanos(micros[i] * 1000));
        }
        Arrays.sort(micros);
        for (double part : new double[] {0.01, 0.5, 0.95, 0.99, 1}) {
          long exact = micros[(int) Math.ceil(part * micros.length) - 1];
          long told = histogram.quantile(part).orElseThrow().toNanos() / 1000;
          assertThat(Math.abs(told - exact)).isLessThanOrEqualTo(exact / 16);
        }
      });
    }

    @Test
    void takes_any_duration() {
      var histogram = new Histogram();
      histogram.add(Duration.ofSeconds(Long.MAX_VALUE));
      histogram.add(Duration.ofSeconds(-1));
      histogram.add(Duration.ZERO);
      assertThat(histogram.count()).isEqualTo(3);
      assertThat(new Histogram().quantile(0.5)).isEmpty();
    }
  }
}
