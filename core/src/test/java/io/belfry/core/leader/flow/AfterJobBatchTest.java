package io.belfry.core.leader.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.dispatch.Dispatcher;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TestTasks;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TestTerm;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobBuilder;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger.After.Outcome;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.MemoryStore;
import io.belfry.store.Write;
import io.belfry.testkit.ManualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AfterJobBatchTest {
  private static final Instant NOW = Instant.parse("2027-03-01T10:00:00Z");
  private static final JobId FIRST = new JobId("first");
  private static final Key BATCH = Keys.freshHistory("w~1", 1);
  private static final Key SKIPS = Keys.freshHistory("s~1.skips", 1);
  private static final long ENDED = 100;

  private final ManualTime time = new ManualTime(NOW);
  private final MemoryStore store = new MemoryStore(time, Runnable::run);
  private final ThreadLoop loop =
      new ThreadLoop("draft", time, new SplittableRandom(1), thrown -> {});
  private final Dispatcher<LiveTask> dispatcher = Dispatcher.first(
      Strategies.builtIn().make("least-tasks"), Dispatcher.DEFAULT_STEP, new SplittableRandom(1));
  private final TermContext term = TestTerm.on(loop, store);
  private final TaskTable table = new TaskTable(term, 0, dispatcher, TestTasks.UNHEARD, () -> {});
  private final AfterJobIndex after = new AfterJobIndex(() -> {}, () -> {});
  private final Map<Key, Entry> answers = new HashMap<>();

  AfterJobBatchTest() {
    after.loading();
    after.loaded();
  }

  @AfterEach
  void close() {
    loop.close();
    store.close();
  }

  private static JobBuilder job(String id) {
    return Job.named(id).local("noop").after("first", Outcome.FINISHED);
  }

  private void follows(JobBuilder builder, Optional<TaskId> previous) {
    Job job = builder.build();
    answers.put(Keys.job(job.id()), new Entry(Keys.job(job.id()), Records.encode(job), 9));
    var cursor = new Cursor(job.generation(), true, Optional.empty(), Optional.empty(), previous);
    answers.put(Keys.cursor(job.id()), new Entry(Keys.cursor(job.id()), Records.encode(cursor), 9));
    after.put(new Entry(Keys.after(FIRST, job.id()), Records.encode(Outcome.FINISHED), 9));
  }

  private void follows(JobBuilder builder) {
    follows(builder, Optional.empty());
  }

  private static Task end(int number) {
    return end(number, Payload.EMPTY);
  }

  private static Task end(int number, Payload payload) {
    return new Task(
        TaskId.fire(FIRST, NOW.minusMillis(number)),
        Work.of("first", ExecutorSpec.local("noop")).withPayload(payload),
        NOW,
        NOW,
        Priority.NORMAL,
        Optional.empty(),
        new TaskState.Succeeded(Result.OK, NOW.minusMillis(number)),
        Optional.empty(),
        History.NONE);
  }

  private static Entry batch(EndedBatch endedBatch, long revision) {
    return new Entry(BATCH, Records.encode(endedBatch), revision);
  }

  private static EndedBatch ends(int count) {
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < count; i++) {
      tasks.add(end(i));
    }
    return new EndedBatch(false, tasks);
  }

  private Optional<AfterJobBatch> draft(Entry batch) {
    EndedBatch endedBatch = Records.endedBatch(batch.value());
    List<AfterJobIndex.Owed> owed = after.owed(batch, endedBatch);
    return AfterJobBatch.of(
        batch,
        endedBatch,
        owed,
        owed.subList(0, Math.min(owed.size(), CommitLimits.AFTER_JOBS.items())),
        answers,
        table,
        new TaskFactory(term, table, (task, request) -> {}),
        term);
  }

  private static Commit commit(AfterJobBatch draft) {
    Commit.Builder commit = Commit.when();
    draft.addTo(commit, () -> SKIPS);
    return commit.build();
  }

  private static EndedBatch written(Commit commit, Key key) {
    for (Write write : commit.writes()) {
      if (write instanceof Write.Put put && put.key().equals(key)) {
        return Records.endedBatch(put.value());
      }
    }
    throw new AssertionError(key + " is not written by " + commit);
  }

  /** Goes on until nothing is owed; how many each commit started. */
  private List<Integer> toTheEnd(EndedBatch endedBatch) {
    var counts = new ArrayList<Integer>();
    var started = new ArrayList<TaskId>();
    Entry batch = batch(endedBatch, ENDED);
    while (true) {
      AfterJobBatch draft = draft(batch).orElseThrow();
      Commit commit = commit(draft);
      assertThat(commit.guards()).contains(new Guard.Unchanged(BATCH, batch.revision()));
      assertThat(commit.guards().size()).isLessThanOrEqualTo(Limits.GUARDS_MAX - 2);
      assertThat(commit.writes().size()).isLessThanOrEqualTo(Limits.WRITES_MAX);
      draft.tasks().forEach(task -> started.add(task.id()));
      counts.add(draft.tasks().size());
      EndedBatch next = written(commit, BATCH);
      assertThat(next.tasks()).isEqualTo(endedBatch.tasks());
      assertThat(next.followed()).isEqualTo(draft.isLast());
      batch = batch(next, batch.revision() + 50);
      if (draft.isLast()) {
        assertThat(after.owed(batch, next)).isEmpty();
        assertThat(started).doesNotHaveDuplicates();
        return counts;
      }
      assertThat(next.progress().ended()).isEqualTo(ENDED);
    }
  }

  @Test
  void more_than_fit_are_started_in_several_commits_and_each_once() {
    for (int i = 0; i < 40; i++) {
      follows(job("then-%02d".formatted(i)).overlap(OverlapPolicy.ALLOW));
    }
    assertThat(toTheEnd(ends(2))).containsExactly(32, 32, 16);
  }

  @Test
  void payloads_are_started_as_far_as_they_fit_and_at_least_one() {
    Payload half = bytes(98 << 10);
    for (int i = 0; i < 5; i++) {
      follows(job("then-" + i).overlap(OverlapPolicy.ALLOW).payload(half));
    }
    assertThat(toTheEnd(ends(1))).containsExactly(2, 2, 1);
    answers.clear();
    for (int i = 0; i < 5; i++) {
      follows(job("then-" + i).overlap(OverlapPolicy.ALLOW).payload(bytes(230 << 10)));
    }
    assertThat(toTheEnd(ends(1))).containsExactly(1, 1, 1, 1, 1);
  }

  /** Which cannot be made shorter. */
  private static Payload bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(1).nextBytes(bytes);
    return Payload.of("text/plain", bytes);
  }

  @Test
  void what_an_executor_is_told_counts_as_well() {
    for (int i = 0; i < 32; i++) {
      Map<String, Object> settings = Map.of("script", "x".repeat(60_000));
      follows(Job.named("then-%02d".formatted(i))
          .executor(new ExecutorSpec("script", settings))
          .after("first", Outcome.FINISHED)
          .overlap(OverlapPolicy.ALLOW));
    }
    assertThat(toTheEnd(ends(1))).hasSize(11).startsWith(3, 3, 3);
  }

  @Test
  void a_batch_that_leaves_no_room_for_what_follows_loses_its_payloads() {
    var ends = new ArrayList<Task>();
    for (int i = 0; i < 4; i++) {
      ends.add(end(i, bytes(220 << 10)));
    }
    follows(Job.named("then")
        .executor(new ExecutorSpec("script", Map.of("script", "x".repeat(60_000))))
        .payload(bytes(256 << 10))
        .metadata(metadata(60, "x".repeat(1000)))
        .after("first", Outcome.FINISHED));
    AfterJobBatch draft = draft(batch(new EndedBatch(false, ends), ENDED)).orElseThrow();
    assertThat(draft.tasks()).hasSize(1);
    assertThat(written(commit(draft), BATCH).tasks())
        .allSatisfy(task -> assertThat(task.work().payload()).isEqualTo(Payload.EMPTY));
  }

  @Test
  void a_job_without_room_for_its_predecessors_name_runs_without_it() {
    follows(job("full").metadata(metadata(64, "x")));
    follows(job("then"));
    AfterJobBatch draft = draft(batch(ends(1), ENDED)).orElseThrow();
    assertThat(draft.tasks())
        .extracting(task -> task.work().metadata().size())
        .containsExactly(64, 1);
  }

  private static Map<String, String> metadata(int entries, String value) {
    Map<String, String> metadata = new HashMap<>();
    for (int i = 0; i < entries; i++) {
      metadata.put("entry" + i, value);
    }
    return metadata;
  }

  @Test
  void what_is_not_started_is_written_down_with_its_reason() {
    follows(job("off").enabled(false));
    AfterJobBatch draft = draft(batch(ends(1), ENDED)).orElseThrow();
    assertThat(draft.tasks()).isEmpty();
    assertThat(draft.cursors()).isEmpty();
    EndedBatch skips = written(commit(draft), SKIPS);
    assertThat(skips.followed()).isTrue();
    assertThat(skips.tasks())
        .singleElement()
        .satisfies(task ->
            assertThat(task.state()).isEqualTo(new TaskState.Skipped(SkipReason.DISABLED, NOW)));
  }

  @Test
  void of_several_ends_at_once_a_job_that_skips_starts_one() {
    follows(job("then").overlap(OverlapPolicy.SKIP));
    AfterJobBatch draft = draft(batch(ends(3), ENDED)).orElseThrow();
    assertThat(draft.tasks()).hasSize(1);
    assertThat(draft.skips())
        .extracting(each -> each.skipped().orElseThrow())
        .containsExactly(SkipReason.OVERLAP, SkipReason.OVERLAP);
    assertThat(draft.cursors().values())
        .extracting(Cursor::previous)
        .containsExactly(Optional.of(draft.tasks().getFirst().id()));
  }

  @Test
  void whether_the_previous_task_is_over_is_for_the_store_to_say() {
    TaskId previous = TaskId.following(new JobId("then"), end(5).id(), NOW);
    follows(job("then").overlap(OverlapPolicy.SKIP), Optional.of(previous));
    AfterJobBatch draft = draft(batch(ends(1), ENDED)).orElseThrow();
    assertThat(draft.tasks()).hasSize(1);
    assertThat(commit(draft).guards()).contains(new Guard.Absent(Keys.task(previous)));
  }

  /** Its write may be its end: then it does not stand in the way any more. */
  @Test
  void so_it_is_while_a_write_of_it_is_in_flight() {
    TaskId previous = TaskId.following(new JobId("then"), end(5).id(), NOW);
    follows(job("then").overlap(OverlapPolicy.SKIP), Optional.of(previous));
    Task pending = Task.pending(
        previous, Work.of("then", ExecutorSpec.local("noop")), Priority.NORMAL, NOW, NOW);
    LiveTask live = table.recordStored(pending, 77);
    for (boolean inFlight : List.of(false, true)) {
      if (inFlight) {
        table.beginWrite(live);
      }
      AfterJobBatch draft = draft(batch(ends(1), ENDED)).orElseThrow();
      assertThat(draft.skips())
          .extracting(each -> each.skipped().orElseThrow())
          .containsExactly(SkipReason.OVERLAP);
      assertThat(commit(draft).guards())
          .as("while a write is in flight: " + inFlight)
          .contains(new Guard.Unchanged(Keys.task(previous), 77));
    }
  }

  @Test
  void a_job_that_is_not_as_believed_leads_to_nothing() {
    follows(job("then"));
    answers.remove(Keys.job(new JobId("then")));
    assertThat(draft(batch(ends(1), ENDED))).isEmpty();
    follows(Job.named("then").local("noop").after("another", Outcome.FINISHED));
    assertThat(draft(batch(ends(1), ENDED))).isEmpty();
  }
}
