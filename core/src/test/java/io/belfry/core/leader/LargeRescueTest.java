package io.belfry.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.StoredTasks;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.Records;
import io.belfry.core.submit.PayloadPath;
import io.belfry.core.worker.StepCrew;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks with large payloads are taken from dead workers as well, although a leader with many of them keeps only their outlines. */
class LargeRescueTest {
  private static final int TASKS = 60;

  private static Work heavy(int number, int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(number).nextBytes(payload); // nothing that compression makes small
    return StepCrew.work().withPayload(Payload.of("application/octet-stream", payload));
  }

  /** A commit takes 1.25 MiB: twenty of the former, five of the latter. */
  @ParameterizedTest
  @ValueSource(ints = {64 << 10, 250 << 10})
  void they_are_carried_out_by_another_worker(int bytes) {
    var settings =
        LeaderSettings.DEFAULT.with(new BackpressureSettings(PayloadPath.NONE, 1_000, 0));
    var crew = new StepCrew(store -> store, settings);
    Instant now = crew.time.wall();
    for (int i = 0; i < TASKS; i++) {
      TaskId id = TaskId.oneOff(now, crew.loop.random());
      Task pending = Task.pending(id, heavy(i, bytes), Priority.NORMAL, now, now);
      Task held = StoredTasks.assigned(pending, "dead~1", now, crew.loop.random());
      crew.put(Keys.task(id), Records.encode(held));
    }
    crew.worker(crew.memory, WorkerSettings.of("w", TASKS), true);
    crew.loop.run(Duration.ofSeconds(30));
    assertThat(crew.launched).hasSize(TASKS);
    assertThat(crew.launched)
        .allSatisfy(code -> assertThat(code.task.work().payload().size()).isEqualTo(bytes));
  }
}
