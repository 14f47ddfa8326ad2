package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.record.QueueRecord.Mode;
import io.belfry.model.job.Job;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Space;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One damaged record never fails a call that reads many. */
class DamagedRecordsTest {
  private static final byte[] BAD = {99, 1, 2, 3};

  @TempDir
  Path directory;

  @Test
  void listings_and_figures_leave_out_what_cannot_be_read_and_count_it() {
    Settings alone = Settings.defaults().store("embedded:" + directory).roles(Set.<Role>of());
    try (Belfry belfry = Belfry.open(alone)) {
      for (String id : List.of("a", "c")) {
        belfry.jobs().save(Job.named(id).every(Duration.ofDays(1)).local("noop").build());
        belfry.queues().mode(id, Mode.PULL);
        belfry.submit(Submission.local("noop").id(id));
      }
      for (Space space : List.of(Keys.JOBS, Keys.CURSORS, Keys.QUEUES, Keys.TASKS, Keys.WORKERS)) {
        belfry.parts.calls.write(() ->
            belfry.parts.state.commit(Commit.when().put(Key.of(space, "b"), BAD).build()));
      }
      assertThat(belfry.jobs().list("", 2))
          .extracting(job -> job.id().value())
          .containsExactly("a", "c");
      assertThat(belfry.jobs().list("a", 1))
          .extracting(job -> job.id().value())
          .containsExactly("c");
      assertThat(belfry.jobs().scan("", 10)).hasSize(2);
      assertThat(belfry.jobs().status(List.of("a", "b", "c"))).containsOnlyKeys("a", "c");
      assertThat(belfry.queues().all()).containsOnlyKeys("a", "c");
      assertThat(belfry.workers()).isEmpty();
      long before = belfry.parts.calls.unreadable();
      Metrics figures = belfry.metrics();
      assertThat(figures.tasksPending()).isEqualTo(2);
      assertThat(figures.recordsSkipped()).isEqualTo(before + 2).isEqualTo(8);
    }
  }
}
