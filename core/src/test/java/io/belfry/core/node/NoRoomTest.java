package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Happening;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.keys.Keys;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.reign.ReignSettings;
import io.belfry.core.retain.History;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerOrders;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.testkit.DelegatingStore;
import io.belfry.testkit.FullStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What everybody hears and does while the store has no room. */
class NoRoomTest {
  private static final JobId JOB = new JobId("report");
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final Duration AT_ONCE = Duration.ofMillis(100);
  private static final List<Space> OF_PEOPLE = List.of(
      Keys.JOBS, Keys.CURSORS, Keys.TASKS, Keys.REQUESTS, Keys.CALENDARS, Keys.WORKER_ORDERS);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final FullStore room = new FullStore(new MemoryStore(time, Runnable::run));
  private final Losing store = new Losing(room);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final List<Happening> heard = new ArrayList<>();
  private final Submitter submitter =
      new Submitter(loop, store, "node~1", Duration.ofDays(1), 1000);
  private final Jobs jobs = new Jobs(loop, store);
  private final Requests requests = new Requests(loop, store, Duration.ofDays(1));
  private final Calendars calendars = new Calendars(loop, store);
  private final WorkerOrders orders = new WorkerOrders(loop, store);
  private final Retries retries =
      new Retries(loop, store, new History(store, Runnable::run), Duration.ofDays(1));

  /** Does what it is asked, and the answers get lost while it is told so. */
  private static final class Losing extends DelegatingStore {
    boolean losing;

    Losing(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome> commit(Commit commit) {
      boolean lost = losing;
      return store
          .commit(commit)
          .thenCompose(outcome -> lost
              ? CompletableFuture.failedStage(
                  new StoreException.Unknown("The answer is lost, on purpose.", null))
              : CompletableFuture.completedStage(outcome));
    }
  }

  private void schedule() {
    new Scheduler(
            loop,
            store,
            store,
            "node~1",
            LeadSettings.DEFAULT,
            ReignSettings.DEFAULT,
            Strategies.builtIn(),
            heard::add)
        .start();
  }

  private void work(Duration takes, Launcher.Ending ends) {
    new Worker(
            loop,
            store,
            "1",
            WorkerSettings.of("w", 5),
            (task, ended) -> {
              var unused = loop.in(takes, () -> ended.accept(ends));
              return () -> {};
            },
            () -> WorkerRecord.Load.NONE)
        .start();
  }

  private CompletionStage<Receipt> submit() {
    Task task = Task.pending(
        TaskId.oneOff(time.wall(), loop.random()),
        Work.of("t", ExecutorSpec.local("noop")).withRetry(RetryPolicy.NONE),
        Priority.NORMAL,
        time.wall(),
        time.wall());
    return submitter.submit(Submission.of(task));
  }

  private static Job job() {
    return Job.named(JOB.value())
        .local("noop")
        .trigger(new Trigger.Every(Duration.ofHours(1), Trigger.Every.From.START, Window.ALWAYS))
        .build();
  }

  private <T> T now(CompletionStage<T> answer) {
    loop.run(AT_ONCE);
    CompletableFuture<T> known = answer.toCompletableFuture();
    assertThat(known).as("answered at once").isDone();
    try {
      return known.join();
    } catch (CompletionException e) {
      throw (RuntimeException) e.getCause();
    }
  }

  private void refused(Supplier<CompletionStage<?>> question) {
    assertThatThrownBy(() -> now(question.get())).isInstanceOf(StoreException.Full.class);
  }

  private List<String> all() {
    return OF_PEOPLE.stream()
        .flatMap(space -> all(space).stream())
        .map(Object::toString)
        .toList();
  }

  private List<Entry> all(Space space) {
    return store.scan(Scan.all(space)).toCompletableFuture().join().entries();
  }

  private List<Task> told(Class<? extends Happening.OfTask> kind) {
    return heard.stream()
        .filter(kind::isInstance)
        .map(each -> kind.cast(each).task())
        .toList();
  }

  @Nested
  class People {
    @Test
    void are_refused_at_once_nothing_is_left_of_it_and_they_are_served_when_there_is_room() {
      schedule();
      work(Duration.ZERO, new Launcher.Ending.Failed(Failure.error("boom")));
      loop.run(A_WHILE);
      now(jobs.put(job()));
      now(submit());
      loop.run(Duration.ofSeconds(1));
      TaskId failed = told(Happening.TaskFailed.class).getFirst().id();
      Calendar office = Calendar.everyDay("office", ZoneOffset.UTC);

      List<Supplier<CompletionStage<?>>> questions = List.of(
          NoRoomTest.this::submit,
          () -> jobs.put(job().edit().priority(Priority.LOW).build()),
          () -> jobs.enable(JOB, false),
          () -> jobs.delete(JOB),
          () -> requests.cancel(failed, "obsolete", "me"),
          () -> requests.prioritise(failed, Priority.LOW, "me"),
          () -> retries.retry(failed, "me"),
          () -> calendars.put(office),
          () -> orders.drain("w", "me"));
      List<String> before = all();
      room.full(true);
      questions.forEach(NoRoomTest.this::refused);
      refused(() -> requests.triggerOnce(JOB, time.wall(), Optional.empty(), "me"));
      assertThat(all()).isEqualTo(before);

      room.full(false);
      questions.forEach(question -> assertThat(now(question.get())).isNotNull());
    }

    @Test
    void hear_unknown_at_once_of_what_may_have_been_done_and_it_was_done_once() {
      now(submit());
      store.losing = true;
      CompletionStage<Receipt> lost = submit();
      CompletionStage<Job> saved = jobs.put(job());
      loop.run(Duration.ofMillis(1));
      store.losing = false;
      room.full(true);
      assertThatThrownBy(() -> now(lost)).isInstanceOf(StoreException.Unknown.class);
      assertThatThrownBy(() -> now(saved)).isInstanceOf(StoreException.Unknown.class);
      refused(NoRoomTest.this::submit);

      room.full(false);
      loop.run(A_WHILE);
      now(submit());
      assertThat(all(Keys.TASKS)).hasSize(3);
      assertThat(now(jobs.get(JOB)).orElseThrow().generation()).isEqualTo(1);
    }

    @Test
    void are_refused_even_while_nothing_can_be_sent_at_all() {
      List<CompletionStage<Receipt>> first = new ArrayList<>();
      store.losing = true;
      for (int i = 0; i < 300; i++) {
        first.add(submit());
      }
      loop.run(Duration.ofMillis(1));
      room.full(true);
      store.losing = false;
      loop.run(AT_ONCE);
      assertThat(first).allMatch(each -> each.toCompletableFuture().isCompletedExceptionally());
      refused(NoRoomTest.this::submit);
      room.full(false);
      loop.run(A_WHILE);
      assertThat(now(submit())).isInstanceOf(Receipt.Accepted.class);
    }
  }

  @Nested
  class A_leader_and_its_worker {
    @Test
    void go_on_trying_until_what_became_due_and_what_has_ended_is_written() {
      schedule();
      work(Duration.ofMillis(300), new Launcher.Ending.Returned(Result.OK));
      loop.run(A_WHILE);
      now(jobs.put(job()));
      loop.run(Duration.ofMinutes(59));
      heard.clear();
      Instant due = Instant.parse("2027-01-01T01:00:10.0Z");
      loop.run(Duration.between(time.wall(), due).minusMillis(200));
      now(submit());
      room.full(true);
      loop.run(Duration.ofSeconds(1));
      assertThat(told(Happening.TaskCompleted.class)).isEmpty();
      assertThat(all(Keys.TASKS)).hasSize(1);

      room.full(false);
      loop.run(Duration.ofSeconds(5));
      assertThat(told(Happening.TaskCompleted.class)).hasSize(2).doesNotHaveDuplicates();
      assertThat(told(Happening.TaskCompleted.class))
          .filteredOn(task -> task.id().jobId().isPresent())
          .singleElement()
          .satisfies(task ->
              assertThat(task.scheduled()).isBetween(due.minusSeconds(1), due.plusSeconds(1)));
    }
  }
}
