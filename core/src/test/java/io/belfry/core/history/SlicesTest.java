package io.belfry.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.record.Rollup;
import io.belfry.model.InvalidException;
import io.belfry.model.job.JobId;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statistics by period: {@code Kept.START} is 10 o'clock. */
class SlicesTest {
  private static final Optional<JobId> JOB = Optional.of(new JobId("j"));
  private static final Duration DAY = Duration.ofDays(1);

  private final Kept kept = new Kept();

  /** One task of the job each hour from yesterday's ten o'clock on, and one without a job now. */
  @BeforeEach
  void end() {
    var ended = new ArrayList<Task>();
    for (int i = 0; i < 24; i++) {
      Instant at = Kept.START.minus(DAY).plus(Duration.ofHours(i));
      ended.add(kept.succeeded(TaskId.fire(JOB.get(), at), "w~1", at.plusSeconds(5)));
    }
    ended.add(kept.succeeded(TaskId.parse("one-off")));
    ended.forEach(task -> kept.batch("w", List.of(task)));
    kept.lead(Kept.SETTINGS);
    kept.loop.run(Duration.ofMinutes(10));
    assertThat(kept.inBatches()).isEmpty();
  }

  private List<Slice> slices(Optional<JobId> job, Instant from, Instant to, Bucket by) {
    return Kept.join(kept.history.stats(job, from, to, by));
  }

  private static List<Long> counts(List<Slice> slices) {
    return slices.stream().map(slice -> slice.figures().count()).toList();
  }

  @Test
  void hours_come_in_order_also_those_in_which_nothing_ended() {
    Instant from = Kept.START.minus(DAY).minusSeconds(7200 - 59);
    List<Slice> slices = slices(JOB, from, Kept.START.minus(DAY).plusSeconds(7199), Bucket.HOUR);
    assertThat(slices)
        .extracting(Slice::start)
        .containsExactly(
            Kept.START.minus(DAY).minusSeconds(7200),
            Kept.START.minus(DAY).minusSeconds(3600),
            Kept.START.minus(DAY),
            Kept.START.minus(DAY).plusSeconds(3600));
    assertThat(counts(slices)).containsExactly(0L, 0L, 1L, 1L);
  }

  @Test
  void days_are_those_of_utc() {
    List<Slice> slices = slices(JOB, Kept.START.minus(DAY), Kept.START, Bucket.DAY);
    assertThat(slices)
        .extracting(Slice::start)
        .containsExactly(
            Kept.START.minus(DAY).truncatedTo(ChronoUnit.DAYS),
            Kept.START.truncatedTo(ChronoUnit.DAYS));
    assertThat(counts(slices)).containsExactly(14L, 10L);
  }

  @Test
  void without_a_job_all_tasks_count_and_the_slices_add_up_to_the_whole() {
    Instant from = Kept.START.minus(DAY);
    List<Slice> slices = slices(Optional.empty(), from, Kept.START, Bucket.HOUR);
    assertThat(slices).hasSize(25);
    var sum = new Rollup();
    slices.forEach(slice -> sum.add(slice.figures()));
    assertThat(sum.count()).isEqualTo(25);
    assertThat(Kept.join(kept.history.stats(Optional.empty(), from, Kept.START)))
        .isEqualTo(sum);
  }

  @Test
  void each_rollup_is_read_once() {
    kept.store.forget();
    slices(JOB, Kept.START.minus(DAY), Kept.START, Bucket.DAY);
    assertThat(kept.store.scans).isEqualTo(1);
  }

  @Test
  void so_many_at_a_time_and_forwards_only() {
    Instant from = Kept.START.minus(Duration.ofHours(History.SLICES_MAX - 1));
    assertThat(slices(JOB, from, Kept.START, Bucket.HOUR)).hasSize(History.SLICES_MAX);
    assertThatThrownBy(() -> slices(JOB, from.minusSeconds(3600), Kept.START, Bucket.HOUR))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("at most " + History.SLICES_MAX);
    assertThatThrownBy(() -> slices(JOB, Instant.MIN, Instant.MAX, Bucket.DAY))
        .isInstanceOf(InvalidException.class);
    assertThatThrownBy(() -> slices(JOB, Kept.START, Kept.START.minusSeconds(1), Bucket.HOUR))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("must not be before");
    assertThat(slices(JOB, Instant.MIN, Instant.MIN, Bucket.DAY)).hasSize(1);
    assertThat(slices(JOB, Instant.MAX, Instant.MAX, Bucket.HOUR)).hasSize(1);
  }
}
