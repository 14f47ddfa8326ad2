package io.belfry.core.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.keys.Keys;
import io.belfry.model.InvalidException;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import io.belfry.store.Commit;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final String WIDE = "鐘";
  private static final String WORKER = WIDE.repeat(128) + "~01h455vb4pex5vsknk084sn02q";

  private static final int ATTEMPTS = 12;

  private final SplittableRandom random = new SplittableRandom(1);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void no_task_takes_more_bytes_than_it_weighs(long seed) {
    var any = new SplittableRandom(seed);
    for (int i = 0; i < 2000; i++) {
      Task task = AnyTask.task(any);
      int key = Keys.task(task.id()).text().length();
      assertThat(Weight.of(task))
          .as("%s", task)
          .isGreaterThanOrEqualTo(Records.encode(task).length + key);
    }
  }

  @Test
  void everything_that_may_be_long_counts() {
    String text = WIDE.repeat(1000);
    Work plain = Work.of("n", ExecutorSpec.local("h"));
    List.of(
            Work.of("n", new ExecutorSpec("http", Map.of("a", Map.of("b", List.of(text))))),
            Work.of("n", new ExecutorSpec("http", Map.of("a", BigInteger.TWO.pow(24_000)))),
            plain.withWorkers(Map.of("a", text)),
            plain.withMetadata(Map.of("a", text)))
        .forEach(work -> assertThat(Weight.of(work))
            .isGreaterThanOrEqualTo(Records.encode(work).length)
            .isGreaterThan(3000));
  }

  @Test
  void work_is_refused_by_the_bytes_it_takes_not_by_what_it_might_take() {
    Work ascii = settings("a".repeat(120_000)).withPayload(noise(random));
    assertThat(Weight.of(ascii) + Payload.HIGHEST_LIMIT).isGreaterThan(Weight.WORK_BYTES_MAX);
    assertThat(Weight.checked("task", ascii)).isSameAs(ascii);

    Work wide = settings(WIDE.repeat(120_000)).withPayload(noise(random));
    assertThatThrownBy(() -> Weight.checked("task", wide))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("task must take at most 589824 bytes in all")
        .hasMessageContaining("but was 7532")
        .hasMessageContaining("metadata");
  }

  @Test
  void the_largest_work_with_the_largest_payload_fits_into_every_commit_of_its_life() {
    fitsAlways(largest(settings("a".repeat(125_000)).withPayload(noise(random))));
  }

  @Test
  void the_largest_work_without_a_payload_fits_into_every_commit_of_its_life() {
    fitsAlways(largest(settings(WIDE.repeat(130_000)).withWorkers(metadata(40, WIDE))));
  }

  private void fitsAlways(Work work) {
    assertThat(Records.encode(work).length).isGreaterThan(Weight.WORK_BYTES_MAX - 4000);
    TaskId id = TaskId.triggered(new JobId("j".repeat(128)), NOW, random);
    Task task = Task.pending(id, work, Priority.HIGH, NOW, NOW)
        .withKey(WIDE.repeat(200))
        .withSubmitter(Optional.of(WIDE.repeat(Task.SUBMITTED_BY_CHARS_MAX)));
    fits(task, Records.encode(new SubmittedTasks(List.of(task))));
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Token token = new Token(attempt);
      task = after(task, new Command.Assign(token, WORKER), attempt);
      fits(task, Records.encode(new Inbox(List.of(new Inbox.Order.Run(task, Long.MAX_VALUE)))));
      if (attempt == ATTEMPTS) {
        task = after(task, new Command.Cancel(WIDE.repeat(500), WIDE.repeat(500)), attempt);
      }
      var failure =
          new Failure(FailureKind.ERROR, new Result(-1, WIDE.repeat(5000), noise(random)));
      task = after(task, new Command.Fail(token, Optional.of(NOW), failure), attempt);
    }
    assertThat(task.isFinal()).isTrue();
    Task ended = task.with(
        new TaskState.Failed(
            new Failure(FailureKind.ERROR, new Result(-1, WIDE.repeat(5000), noise(random))), NOW),
        task.cancel(),
        task.history());
    Commit unused = Commit.when()
        .put(Keys.freshHistory(WORKER, 1), Records.encode(new EndedBatch(false, List.of(ended))))
        .put(
            Keys.reports(WORKER, 1),
            Records.encode(new Reports("", List.of(WithoutPayload.of(ended)))))
        .build();
  }

  /** A record and its message in one commit, or the constructor refuses it. */
  private static void fits(Task task, byte[] word) {
    Commit unused = Commit.when()
        .put(Keys.task(task.id()), Records.encode(task))
        .put(Keys.inbox(WORKER), word)
        .build();
  }

  private Task after(Task task, Command command, int day) {
    Instant now = NOW.plus(Duration.ofDays(day));
    return switch (TaskLife.decide(task, command, now, random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  /** With as much metadata as there is room for. */
  private static Work largest(Work work) {
    Work larger = work.withRetry(RetryPolicy.DEFAULT.withMax(ATTEMPTS));
    for (int i = 1; Records.encode(larger).length < Weight.WORK_BYTES_MAX - 3200; i++) {
      larger = larger.withMetadata(metadata(i, WIDE));
    }
    return Weight.checked("task", larger);
  }

  private static Map<String, String> metadata(int entries, String text) {
    var metadata = new TreeMap<String, String>();
    for (int i = 0; i < entries; i++) {
      metadata.put("k" + i, text.repeat(1024));
    }
    return metadata;
  }

  private static Work settings(String text) {
    return Work.of("n", new ExecutorSpec("http", Map.of("body", text)));
  }

  /** Bytes that cannot be deflated. */
  private static Payload noise(SplittableRandom random) {
    byte[] bytes = new byte[Payload.HIGHEST_LIMIT];
    random.nextBytes(bytes);
    return Payload.of("application/octet-stream", bytes, Payload.HIGHEST_LIMIT);
  }
}
