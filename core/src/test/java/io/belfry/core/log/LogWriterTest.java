package io.belfry.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.Progress;
import io.belfry.core.record.Records;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.testkit.FaultyStore;
import io.belfry.testkit.ManualTime;
import io.belfry.testkit.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogWriterTest {
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final TaskId ID = TaskId.parse("t");

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final MemoryStore memory = new MemoryStore(Time.system(), Runnable::run);
  private final FaultyStore store = new FaultyStore(memory);
  private final ThreadLoop loop =
      new ThreadLoop("worker", Time.system(), new SplittableRandom(1), broken::set);
  private final long lease = join(memory.grant(Duration.ofSeconds(60))).id();
  private final LogWriter scribe = new LogWriter(loop, store, "w~1", () -> OptionalLong.of(lease));
  private final LogReader journal = new LogReader(memory, Runnable::run);

  @AfterEach
  void the_loop_has_come_to_no_harm() {
    loop.close();
    memory.close();
    assertThat(broken.get()).isNull();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static Task after(Task task, Command command) {
    return switch (TaskLife.decide(task, command, NOW, new SplittableRandom(1))) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  /** The task in its attempt of that number, with a token ten times that. */
  private static Task attempt(int number) {
    Task task = Task.pending(ID, Work.of("w", ExecutorSpec.local("h")), Priority.NORMAL, NOW, NOW);
    for (int i = 1; i <= number; i++) {
      task = after(task, new Command.Assign(new Token(10L * i), "w~1"));
      if (i < number) {
        task = after(task, new Command.HandBack(task.token(), "again"));
      }
    }
    return task;
  }

  private void flush() throws InterruptedException {
    var written = new CountDownLatch(1);
    loop.post(() -> scribe.flush(written::countDown));
    assertThat(written.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private String log() {
    List<AttemptLog> logs = join(journal.logs(ID));
    return logs.isEmpty() ? "" : logs.getLast().text();
  }

  @Test
  void what_is_logged_can_be_read_while_it_runs_and_is_complete_at_its_end() {
    LogBuffer notebook = scribe.open(attempt(1));
    notebook.log("one", NOW);
    Awaitility.await().until(() -> log().equals("one\n"));
    assertThat(join(journal.logs(ID)).getFirst().complete()).isFalse();
    notebook.log("two\nthree", NOW);
    notebook.close();
    notebook.log("too late", NOW);
    Awaitility.await().until(() -> join(journal.logs(ID)).getFirst().complete());
    assertThat(log()).isEqualTo("one\ntwo\nthree\n");
  }

  @Test
  void an_attempt_that_says_nothing_writes_nothing() throws Exception {
    scribe.open(attempt(1)).close();
    flush();
    assertThat(join(journal.logs(ID))).isEmpty();
  }

  @Test
  void of_a_flood_beginning_and_end_are_kept_within_half_a_mebibyte_and_the_cut_is_counted()
      throws Exception {
    LogBuffer notebook = scribe.open(attempt(1));
    int lines = 300_000;
    for (int i = 0; i < lines; i++) {
      notebook.log("line " + i + " 一二三", NOW);
    }
    notebook.log("y".repeat(1 << 20), NOW);
    notebook.close();
    flush();
    String text = log();
    assertThat(text)
        .startsWith("line 0 一二三\nline 1 ")
        .contains("line " + (lines - 1) + " ")
        .contains("(line was cut)");
    assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThan(512 * 1024 + 100);
    String mark = text.lines().filter(line -> line.startsWith("…")).findFirst().orElseThrow();
    long cut = Long.parseLong(mark.replaceAll("\\D", ""));
    assertThat(text.lines().count() - 1 + cut).isEqualTo(lines + 1);
  }

  @Test
  void a_later_attempt_keeps_its_log_beside_that_of_the_earlier_one() throws Exception {
    for (int number = 1; number <= 2; number++) {
      LogBuffer notebook = scribe.open(attempt(number));
      notebook.log("attempt " + number, NOW);
      notebook.close();
    }
    flush();
    assertThat(join(journal.logs(ID)))
        .extracting(AttemptLog::attempt, AttemptLog::text)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(1, "attempt 1\n"),
            org.assertj.core.groups.Tuple.tuple(2, "attempt 2\n"));
  }

  @Test
  void all_attempts_of_a_task_together_stay_within_a_mebibyte() throws Exception {
    for (int number = 1; number <= 12; number++) {
      LogBuffer notebook = scribe.open(attempt(number));
      for (int i = 0; i < 40_000; i++) {
        notebook.log("attempt " + number + " says " + i, NOW);
      }
      notebook.close();
      flush();
    }
    List<AttemptLog> logs = join(journal.logs(ID));
    assertThat(logs).extracting(AttemptLog::attempt).containsExactly(1, 2, 3, 4, 5, 12);
    assertThat(logs.stream().mapToInt(log -> log.text().length()).sum())
        .isBetween(900 * 1024, (1 << 20) + 1000);
  }

  @Test
  void a_write_whose_answer_is_lost_is_made_once_more_and_nothing_is_lost() throws Exception {
    LogBuffer notebook = scribe.open(attempt(1));
    store.loseNextAnswer();
    notebook.log("one", NOW);
    Awaitility.await().until(() -> log().equals("one\n"));
    notebook.log("two", NOW);
    notebook.close();
    flush();
    assertThat(log()).isEqualTo("one\ntwo\n");
  }

  @Test
  void a_log_that_was_trimmed_meanwhile_is_not_begun_again() throws Exception {
    LogBuffer notebook = scribe.open(attempt(1));
    notebook.log("one", NOW);
    Awaitility.await().until(() -> log().equals("one\n"));
    Outcome unused = join(memory.commit(Commit.when()
        .delete(Keys.logHead(ID, 10))
        .delete(Keys.logPiece(ID, 10, 0))
        .build()));
    notebook.log("two", NOW);
    flush();
    notebook.log("three", NOW);
    notebook.close();
    flush();
    assertThat(join(journal.logs(ID))).isEmpty();
  }

  @Test
  void progress_is_seen_while_the_attempt_runs_the_last_of_it_and_not_after() throws Exception {
    Task task = attempt(1);
    Outcome unused = join(
        memory.commit(Commit.when().put(Keys.task(ID), Records.encode(task)).build()));
    long token = join(memory.get(List.of(Keys.task(ID)))).getFirst().revision();
    Task stands = task.stamped(new Token(token));
    LogBuffer notebook = scribe.open(stands);
    for (int i = 0; i <= 1000; i++) {
      notebook.progress(Progress.said(i / 1000.0, "at " + i, NOW));
    }
    Awaitility.await()
        .until(
            () -> join(journal.progress(ID)).equals(Optional.of(new Progress(1, "at 1000", NOW))));
    notebook.close();
    Awaitility.await()
        .until(() -> join(memory.get(List.of(Keys.progress(ID, token)))).isEmpty());
    assertThat(join(journal.progress(ID))).isEmpty();
  }

  @Test
  void progress_of_many_attempts_is_told_within_a_moment_of_its_turn() {
    var time = new ManualTime(NOW);
    var steps = new StepLoop(time, new SplittableRandom(1));
    try (var kept = new MemoryStore(time, Runnable::run)) {
      long under = join(kept.grant(Duration.ofSeconds(60))).id();
      var one = new LogWriter(steps, kept, "w~1", () -> OptionalLong.of(under));
      Work work = Work.of("w", ExecutorSpec.local("h"));
      var keys = new ArrayList<Key>();
      for (int i = 0; i < 500; i++) {
        TaskId id = TaskId.parse("t" + i);
        Task task = Task.pending(id, work, Priority.NORMAL, NOW, NOW);
        one.open(after(task, new Command.Assign(new Token(10), "w~1")))
            .progress(Progress.said(0.5, "half way", NOW));
        keys.add(Keys.progress(id, 10));
      }
      steps.run(Duration.ofMillis(1_500));
      assertThat(join(kept.get(keys))).hasSize(500);
    }
  }

  @Test
  void whatever_is_said_of_progress_is_bounded() {
    assertThat(Progress.said(Double.NaN, "", NOW).fraction()).isZero();
    assertThat(Progress.said(-3, "", NOW).fraction()).isZero();
    assertThat(Progress.said(1e9, "", NOW).fraction()).isEqualTo(1);
    assertThat(Progress.said(0, "x".repeat(10_000), NOW).message()).hasSize(500).endsWith("…");
  }

  @Test
  void unwritten_lines_of_all_attempts_take_no_more_than_their_room() {
    var room = new Room(1000);
    var notebook = new LogBuffer(attempt(1), "w~1", room, news -> {});
    for (int i = 0; i < 1000; i++) {
      notebook.log("x".repeat(99), NOW);
    }
    LogHead head = notebook.take(100).head().orElseThrow();
    assertThat(head.bytes()).isEqualTo(1000);
    assertThat(head.cutLines()).isEqualTo(990);
    notebook.silence();
    assertThat(room.take(1000)).isTrue();
    assertThat(room.take(1)).isFalse();
  }

  @Test
  void what_is_written_counts_against_the_room_no_longer_while_it_grows_and_after_its_end() {
    var room = new Room(1000);
    var notebook = new LogBuffer(attempt(1), "w~1", room, news -> {});
    notebook.log("x".repeat(99), NOW);
    notebook.written(notebook.take(100));
    assertThat(room.take(1000)).isTrue();
    room.giveBack(1000);
    notebook.close();
    LogBuffer.Page last = notebook.take(100);
    assertThat(last.pieces()).isEmpty();
    assertThat(last.head().orElseThrow().complete()).isTrue();
    notebook.written(last);
    assertThat(room.take(1000)).isTrue();
    assertThat(room.take(1)).isFalse();
  }

  @Test
  void the_room_is_whole_again_when_all_attempts_have_ended_and_are_written() {
    int bytes = 64 << 10;
    Seeds.each(300, random -> {
      var room = new Room(bytes);
      var logs = new ArrayList<Spoken>();
      for (int steps = random.nextInt(200); steps > 0; steps--) {
        if (logs.isEmpty() || random.nextInt(10) == 0) {
          int number = random.nextBoolean() ? 1 : 6;
          logs.add(new Spoken(new LogBuffer(attempt(number), "w~1", room, news -> {})));
        }
        logs.get(random.nextInt(logs.size())).step(random);
      }
      logs.forEach(Spoken::end);
      assertThat(room.take(bytes)).isTrue();
      assertThat(room.take(1)).isFalse();
    });
  }

  /** One log buffer, and the page of it that is being written. */
  private static final class Spoken {
    final LogBuffer notebook;
    Optional<LogBuffer.Page> away = Optional.empty();

    Spoken(LogBuffer notebook) {
      this.notebook = notebook;
    }

    void step(RandomGenerator random) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3, 4, 5 ->
          notebook.log("x".repeat(random.nextInt(random.nextBoolean() ? 100 : 4000)), NOW);
        case 6, 7 -> away = away.or(() -> Optional.of(notebook.take(random.nextInt(1, 5))));
        case 8, 9 -> arrived();
        case 10 -> away = Optional.empty(); // refused: what it held is taken anew
        default -> {
          if (random.nextInt(4) == 0) {
            notebook.silence();
          } else {
            notebook.close();
          }
        }
      }
    }

    private void arrived() {
      away.ifPresent(notebook::written);
      away = Optional.empty();
    }

    void end() {
      notebook.close();
      arrived();
      while (notebook.hasNews()) {
        notebook.written(notebook.take(16));
      }
    }
  }

  @Test
  void a_follower_that_read_a_piece_while_it_was_written_in_part_reads_the_rest_of_it_later() {
    var time = new ManualTime(NOW);
    var steps = new StepLoop(time, new SplittableRandom(1));
    try (var kept = new MemoryStore(time, Runnable::run)) {
      var one = new LogWriter(steps, kept, "w~1", OptionalLong::empty);
      var followed = new LogReader(kept, Runnable::run);
      LogBuffer notebook = one.open(attempt(1));
      int line = 0;
      // More than the pieces of the beginning, so that from here on the newest are written first.
      for (; line < 300; line++) {
        notebook.log("line " + line + "x".repeat(1000), NOW);
      }
      notebook.log("the last line before the burst", NOW);
      steps.run(Duration.ofSeconds(30));
      assertThat(numbers(followed)).endsWith("line 299", "the last line before the burst");
      for (int burst = 0; burst < 120; burst++, line++) {
        notebook.log("line " + line + "x".repeat(1000), NOW);
      }
      steps.run(Duration.ofMillis(1_500));
      // A commit of the burst is read before the piece from before it is written anew.
      assertThat(numbers(followed)).contains("line 419").doesNotContain("line 305");
      steps.run(Duration.ofSeconds(30));
      List<String> all = numbers(new LogReader(kept, Runnable::run));
      assertThat(all).hasSize(421).contains("line 305");
      assertThat(numbers(followed)).isEqualTo(all);
      notebook.close();
      steps.run(Duration.ofSeconds(30));
      assertThat(join(followed.logs(ID)).getFirst().complete()).isTrue();
      assertThat(numbers(followed)).isEqualTo(all);
    }
  }

  /** The lines without what makes them long. */
  private static List<String> numbers(LogReader journal) {
    return join(journal.logs(ID))
        .getFirst()
        .text()
        .lines()
        .map(line -> line.replaceAll("x+$", ""))
        .toList();
  }
}
