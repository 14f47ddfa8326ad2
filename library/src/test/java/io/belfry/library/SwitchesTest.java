package io.belfry.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.event.Happening.TaskCompleted;
import io.belfry.core.keys.Keys;
import io.belfry.model.job.Job;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Entry;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchesTest {
  private static final String LONG = "x".repeat(10_000);

  @TempDir
  Path directory;

  private final RecordedEvents heard = new RecordedEvents();

  private Settings settings() {
    return Settings.defaults().store("embedded:" + directory).node("n").workerId("w");
  }

  private static int weight(Belfry belfry, TaskId id) {
    List<Entry> found =
        belfry.parts.calls.read(() -> belfry.parts.state.get(List.of(Keys.task(id))));
    return found.getFirst().value().length;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void payloads_are_compressed_unless_that_is_switched_off(boolean on) {
    try (Belfry belfry = Belfry.open(settings().compression(on).roles(Set.of()))) {
      TaskId submitted = belfry.submit(Submission.local("noop", LONG));
      assertThat(weight(belfry, submitted) > LONG.length()).isNotEqualTo(on);
      belfry.jobs().save(Job.named("job").local("noop", Payloads.of(LONG)).build());
      Job job = belfry.jobs().get("job").orElseThrow();
      assertThat(job.work().payload().isPlain()).isNotEqualTo(on);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void results_and_payloads_of_triggers_are_compressed_unless_that_is_switched_off(boolean on) {
    try (Belfry belfry = Belfry.open(settings().compression(on), heard::from)) {
      belfry.handleWithResult("echo", String.class, (text, attempt) -> text);
      belfry.jobs().save(Job.named("job").local("echo").build());
      TaskId id = belfry.jobs().trigger("job", LONG);
      heard.await(TaskCompleted.class, id);
      Task task = belfry.task(id).orElseThrow();
      assertThat(task.work().payload().isPlain()).isNotEqualTo(on);
      assertThat(task.state()).isInstanceOfSatisfying(TaskState.Succeeded.class, done -> {
        assertThat(done.result().data().text()).contains(LONG);
        assertThat(done.result().data().isPlain()).isNotEqualTo(on);
      });
    }
  }

  @Test
  void a_submission_is_the_same_whether_it_is_compressed_or_not() {
    Submission same = Submission.local("noop", LONG).id("same").key("k");
    Settings alone = settings().roles(Set.of());
    try (Belfry one = Belfry.open(alone.compression(true))) {
      one.submit(same);
    }
    try (Belfry other = Belfry.open(alone.compression(false))) {
      assertThat(other.submitAll(List.of(same)))
          .containsExactly(new Submitted.Repeated(new TaskId.OneOff("same")));
    }
  }

  @Test
  void a_node_that_does_not_count_says_so() {
    try (Belfry belfry = Belfry.open(settings().metrics(false), heard::from)) {
      belfry.handle("noop", attempt -> {});
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("noop")));
      Metrics metrics = belfry.metrics();
      assertThat(metrics.counting()).isFalse();
      assertThat(metrics.tasksTotal()).isZero();
      assertThat(metrics.workersOnline()).isEqualTo(1);
      NodeMetrics readings = belfry.nodeMetrics();
      assertThat(readings.counting()).isFalse();
      assertThat(readings.tasks().completed()).isZero();
      assertThat(readings.commits().time().counts()).containsOnly(0L);
    }
  }

  @Test
  void a_health_check_that_is_switched_off_is_not_asked() {
    Settings never = settings().healthCheck(() -> false).healthCheck(false);
    try (Belfry belfry = Belfry.open(never, heard::from)) {
      belfry.handle("noop", attempt -> {});
      heard.await(TaskCompleted.class, belfry.submit(Submission.local("noop")));
    }
  }
}
