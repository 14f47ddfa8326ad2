package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.task.TaskId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An impossible request fails only its caller; the node continues. */
class OneCallerTest {
  private static final String WIDE = "鐘";

  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();
  private Belfry belfry;

  @BeforeEach
  void open() {
    belfry = Belfry.open(Settings.defaults().store(Engine.at("embedded:" + directory)), opened -> {
      heard.from(opened);
      opened.handle("noop", attempt -> {});
    });
  }

  /** Whatever was asked before. */
  @AfterEach
  void theNodeGoesOn() {
    try (Belfry open = belfry) {
      heard.await(TaskCompleted.class, open.submit(Submission.local("noop")));
    }
  }

  private static Submission large(int bytes) {
    var settings = Map.<String, Object>of("handler", "noop", "note", WIDE.repeat(bytes / 3));
    return Submission.of(new ExecutorSpec("local", settings));
  }

  @Test
  void a_batch_with_large_settings_is_carried_out_and_one_that_is_too_large_is_refused() {
    byte[] noise = new byte[Payload.DEFAULT_LIMIT];
    new SplittableRandom(1).nextBytes(noise);
    var batch = new ArrayList<Submission>();
    for (int i = 0; i < 100; i++) {
      batch.add(large(20_000));
    }
    batch.add(50, large(390_000).payload(Payload.of("application/octet-stream", noise)));

    List<Submitted> submitted = belfry.submitAll(batch);

    assertThat(submitted.stream().filter(Submitted.Accepted.class::isInstance)).hasSize(100);
    assertThat(((Submitted.Refused) submitted.get(50)).cause())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("task must take at most 589824 bytes");
    var unused = heard.await(TaskCompleted.class, done -> true, 100);
  }

  @Test
  @SuppressWarnings("NullAway") // what callers compiled elsewhere may bring
  void a_cancel_without_a_reason_or_with_a_long_one_is_refused() {
    TaskId id = belfry.submit(Submission.local("noop").in(Duration.ofHours(1)));
    assertThatThrownBy(() -> belfry.cancel(id, null))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("reason must be given");
    assertThatThrownBy(() -> belfry.cancel(id, "x".repeat(2 << 20)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("reason must have at most 500 characters");
    assertThat(belfry.cancel(id, "x".repeat(500))).isTrue();
  }

  /** In keys all halves would be the same question mark. */
  @Test
  void names_that_end_in_half_a_character_are_refused_wherever_they_become_keys() {
    var batch = List.of(
        Submission.local("noop").key("order \ud83d"),
        Submission.local("noop").key("order \ud83e"),
        Submission.local("noop").key("order \ud83d\ude00"));
    List<Submitted> submitted = belfry.submitAll(batch);
    for (Submitted half : submitted.subList(0, 2)) {
      assertThat(((Submitted.Refused) half).cause())
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("idempotencyKey must not contain an unpaired surrogate");
    }
    assertThat(submitted.get(2)).isInstanceOf(Submitted.Accepted.class);
    for (String worker : List.of("w\ud83d", "w\ud83d~1")) {
      assertThatThrownBy(() -> belfry.workerOperations().drain(worker))
          .isInstanceOf(InvalidException.class)
          .hasMessageContaining("worker must not contain an unpaired surrogate");
    }
    assertThatThrownBy(() -> TriggerRequest.now().worker("w\ud83d"))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("worker must not contain an unpaired surrogate");
    assertThatThrownBy(() -> Settings.defaults().workerId("w\ud83d").checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("worker.id must not contain an unpaired surrogate");
    assertThatThrownBy(() -> Settings.defaults().node("n\ud83d").checked())
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("node must not contain an unpaired surrogate");
  }

  @Test
  @SuppressWarnings("NullAway")
  void what_is_not_given_is_refused() {
    TaskId id = belfry.submit(Submission.local("noop").in(Duration.ofHours(1)));
    assertThatThrownBy(() -> belfry.prioritize(id, null))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("priority must be given");
    assertThatThrownBy(() -> belfry.prioritize(null, null)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> belfry.retry(null)).isInstanceOf(RuntimeException.class);
  }
}
