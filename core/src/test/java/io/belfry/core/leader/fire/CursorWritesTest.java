package io.belfry.core.leader.fire;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.Backoff;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.Cursor;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.DelegatingStore;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A job that becomes due while its cursor is being read is not forgotten, whatever the read finds. */
class CursorWritesTest {
  private static final JobId JOB = new JobId("tick");
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  /** Reads at once, and answers when the test says so. */
  private static final class SlowReads extends DelegatingStore {
    final List<Runnable> held = new ArrayList<>();

    SlowReads(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Entry>> get(Collection<Key> keys) {
      var answer = new CompletableFuture<List<Entry>>();
      List<Entry> found = store.get(keys).toCompletableFuture().join();
      held.add(() -> answer.complete(found));
      return answer;
    }
  }

  private final ManualTime time = new ManualTime(NOW);
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final SlowReads reads = new SlowReads(memory);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final JobTable jobs = new JobTable();
  private final CursorWrites cursors = new CursorWrites(TestTerm.on(loop, reads), jobs, job -> {});

  private static Cursor due(long generation) {
    return new Cursor(generation, true, Optional.of(NOW), Optional.empty(), Optional.empty());
  }

  private int dueAfter(Duration pause) {
    return jobs.forEachDue(time.wall().plus(pause), 10, due -> true);
  }

  @Test
  void one_that_was_created_again_while_its_deletion_was_read() {
    assertThat(cursors.begin(JOB)).isTrue();
    cursors.refresh(JOB); // the store says that there is none
    jobs.put(JOB, due(4), 7); // now there is
    assertThat(dueAfter(Duration.ZERO)).isEqualTo(1); // and is passed over, because it is away
    assertThat(cursors.begin(JOB)).isFalse();
    reads.held.forEach(Runnable::run);
    loop.run(Duration.ZERO);
    assertThat(dueAfter(Backoff.SOON)).isEqualTo(1);
    assertThat(cursors.begin(JOB)).isTrue();
  }

  @Test
  void one_whose_cursor_cannot_be_read() {
    jobs.put(JOB, due(1), 7);
    assertThat(memory.commit(
            Commit.when().put(Keys.cursor(JOB), new byte[] {99, 99, 99}).build()))
        .isCompleted();
    assertThat(dueAfter(Duration.ZERO)).isEqualTo(1);
    assertThat(cursors.begin(JOB)).isTrue();
    cursors.refresh(JOB);
    reads.held.forEach(Runnable::run);
    loop.run(Duration.ZERO);
    assertThat(dueAfter(Backoff.SOON)).isZero();
    assertThat(dueAfter(Backoff.RARELY)).isEqualTo(1);
  }
}
