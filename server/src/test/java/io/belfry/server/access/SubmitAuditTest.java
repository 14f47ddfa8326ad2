package io.belfry.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions by job or by handler are in the audit log, at any rate, and the log stays small. */
class SubmitAuditTest {
  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final List<Runnable> later = new ArrayList<>();
  private TestRecordTable table;
  private SubmitAudit submits;

  @BeforeEach
  void open(@TempDir Path own) throws Exception {
    table = new TestRecordTable(own, time, store -> store);
    submits = new SubmitAudit(table.audit, time, (delay, step) -> later.add(step));
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void submit(String who, String what, int tasks) {
    submit("default", who, what, tasks);
  }

  private void submit(String namespace, String who, String what, int tasks) {
    time.advance(Duration.ofMillis(1));
    submits.record(
        namespace,
        who.substring(who.indexOf('(') + 1, who.length() - 1),
        what,
        tasks,
        new Audit.Entry(time.wall(), who, "operator", "submitTask", "", "10.0.0.1", "n1", 201));
  }

  private List<String> written(String namespace) {
    return table.written(namespace).stream()
        .map(entry -> entry.who() + ": " + entry.target())
        .toList();
  }

  @Test
  void the_first_of_a_token_and_job_is_an_entry_and_the_others_are_a_number_at_the_end() {
    for (int i = 0; i < 100; i++) {
      submit("ci (1)", "job a", 1);
    }
    submit("ci (1)", "job b", 50);
    submit("ops (2)", "job a", 1);
    assertThat(written("default"))
        .containsExactly(
            "ops (2): 1 task by job a", "ci (1): 50 tasks by job b", "ci (1): 1 task by job a");
    assertThat(later).as("one look when the span ends").hasSize(1);
    time.advance(SubmitAudit.SPAN);
    later.getFirst().run();
    assertThat(written("default"))
        .hasSize(4)
        .first()
        .isEqualTo("ci (1): 99 tasks more by job a since 2027-01-01T00:00:00.001Z");
    submit("ci (1)", "job a", 1);
    assertThat(written("default")).hasSize(5);
    assertThat(later).hasSize(2);
  }

  @Test
  void more_jobs_and_tokens_than_are_told_apart_are_one_number_with_the_ids_of_the_tokens() {
    for (int i = 0; i < SubmitAudit.OF_NAMESPACE_MAX + 200; i++) {
      submit("ci (" + i + ")", "job j", 2);
    }
    assertThat(written("default")).hasSize(SubmitAudit.OF_NAMESPACE_MAX);
    submits.stop();
    assertThat(written("default").getFirst())
        .startsWith("several: 400 tasks more by several jobs and handlers since")
        .contains(" 1000, 1001, ")
        .endsWith(" and others")
        .hasSizeLessThan(Audit.TARGET_CHARS_MAX);
    assertThat(written(Audit.EVERYWHERE)).isEmpty();
  }

  @Test
  void one_namespace_with_many_jobs_and_tokens_does_not_hide_what_is_submitted_in_others() {
    for (int i = 0; i < SubmitAudit.OF_NAMESPACE_MAX + 200; i++) {
      submit("noisy", "ci (" + i % 50 + ")", "job j" + i, 2);
    }
    submit("quiet", "thief (2)", "job a", 1);
    assertThat(written("quiet")).containsExactly("thief (2): 1 task by job a");
    submits.stop();
    assertThat(written("quiet")).hasSize(1);
  }

  @Test
  void one_token_in_many_namespaces_does_not_hide_what_others_submit() {
    for (int i = 0; i < 2 * SubmitAudit.OF_CALLER_MAX; i++) {
      submit("n" + i, "ci (1)", "job j", 2);
    }
    assertThat(written("n" + (SubmitAudit.OF_CALLER_MAX - 1))).hasSize(1);
    assertThat(written("n" + SubmitAudit.OF_CALLER_MAX)).isEmpty();
    submit("n150", "thief (2)", "job a", 1);
    assertThat(written("n150")).containsExactly("thief (2): 1 task by job a");
    submits.stop();
    assertThat(written("n150").getFirst())
        .startsWith("several: 2 tasks more by several jobs and handlers since")
        .endsWith(" 1");
  }

  @Test
  void one_token_with_many_jobs_does_not_hide_what_others_submit() {
    for (int i = 0; i < SubmitAudit.OF_NAMESPACE_MAX + 200; i++) {
      submit("ci (1)", "job j" + i, 2);
    }
    submit("thief (2)", "job a", 1);
    assertThat(written("default")).contains("thief (2): 1 task by job a");
    submits.stop();
    assertThat(written("default").getFirst())
        .startsWith("ci (1): 2200 tasks more by several jobs and handlers since");
    assertThat(written(Audit.EVERYWHERE)).isEmpty();
  }

  @Test
  void a_stop_writes_what_was_only_counted() {
    submit("ci (1)", "handler h", 3);
    submit("ci (1)", "handler h", 4);
    submits.stop();
    assertThat(written("default").getFirst()).startsWith("ci (1): 4 tasks more by handler h");
  }
}
