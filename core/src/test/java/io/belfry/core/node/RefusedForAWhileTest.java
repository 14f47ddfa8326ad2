package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.event.Listener;
import io.belfry.core.history.History;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.log.LogBuffer;
import io.belfry.core.log.LogReader;
import io.belfry.core.log.LogWriter;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerOrders;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Window;
import io.belfry.model.job.Work;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.MemoryStore;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.testkit.ManualTime;
import io.belfry.testkit.RefusingStore;
import io.belfry.testkit.RefusingStore.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An engine that refuses requests for a while is an outage with a reason: every component recovers when it accepts again. */
class RefusedForAWhileTest {
  private static final JobId JOB = new JobId("report");
  private static final Duration A_WHILE = Duration.ofSeconds(10);
  private static final List<Space> OF_PEOPLE = List.of(
      Keys.JOBS, Keys.CURSORS, Keys.TASKS, Keys.REQUESTS, Keys.CALENDARS, Keys.WORKER_ORDERS);
  private static final Duration AT_ONCE = Duration.ofMillis(100);
  /** What an outage of 20 s may cost afterwards: leases, elections and pauses between retries. */
  private static final Duration RECOVERY = Duration.ofSeconds(15);

  private final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  private final MemoryStore memory = new MemoryStore(time, Runnable::run);
  private final RefusingStore store = new RefusingStore(memory);
  private final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  private final List<Happening> heard = new ArrayList<>();
  private final List<Happening> heardElsewhere = new ArrayList<>();
  private final Submitter submitter =
      new Submitter(loop, store, "node~1", Duration.ofDays(1), 1000);
  private final Jobs jobs = new Jobs(loop, store);
  private final Requests requests = new Requests(loop, store, Duration.ofDays(1));
  private final Calendars calendars = new Calendars(loop, store);
  private final WorkerOrders orders = new WorkerOrders(loop, store);
  private final Retries retries =
      new Retries(loop, store, new History(store, Runnable::run), Duration.ofDays(1));

  static Stream<Arguments> refusals() {
    return RefusingStore.kinds().stream()
        .flatMap(kind -> Stream.of(Scope.values()).map(scope -> Arguments.of(scope, kind)));
  }

  private Scheduler schedule() {
    var scheduler = new Scheduler(
        loop,
        store,
        store,
        "node~1",
        ElectionSettings.DEFAULT,
        LeaderSettings.DEFAULT,
        Strategies.builtIn(),
        heard::add);
    scheduler.start();
    return scheduler;
  }

  private Worker work(Duration takes, Launcher.Ending ends) {
    var worker = new Worker(
        loop,
        store,
        "1",
        WorkerSettings.of("w", 5),
        (task, ended) -> {
          var unused = loop.after(takes, () -> ended.accept(ends));
          return () -> {};
        },
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    worker.start();
    return worker;
  }

  private Task task(String queue) {
    return Task.pending(
        TaskId.oneOff(time.wall(), loop.random()),
        Work.of("t", ExecutorSpec.local("noop")).withRetry(RetryPolicy.NONE).withQueue(queue),
        Priority.NORMAL,
        time.wall(),
        time.wall());
  }

  private CompletionStage<Receipt> submit() {
    return submitter.submit(Submission.of(task("default")));
  }

  private static Job job() {
    return Job.named(JOB.value())
        .local("noop")
        .trigger(new Trigger.Every(Duration.ofSeconds(5), Trigger.Every.From.START, Window.ALWAYS))
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

  private Task assigned(Task task) {
    var assign = new Command.Assign(new Token(10), "w~1");
    return switch (TaskLife.decide(task, assign, time.wall(), loop.random())) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  private List<Task> told(Class<? extends Happening.OfTask> kind) {
    return heard.stream()
        .filter(kind::isInstance)
        .map(each -> kind.cast(each).task())
        .toList();
  }

  private boolean isRan(Task task) {
    return told(Happening.TaskCompleted.class).stream()
        .anyMatch(each -> each.id().equals(task.id()));
  }

  /** Another node that subscribes to the ends of tasks. */
  private void listenElsewhere() {
    var card = new Presence.Card("other~1", Set.of(NodeRecord.Role.WORKER), "here", "1");
    var presence = new Presence(loop, store, card, ElectionSettings.DEFAULT, Optional::empty);
    presence.start();
    presence.listens(EnumSet.of(EventKind.TASK_COMPLETED));
    new Listener(loop, store, "other~1", heardElsewhere::add, missed -> {}).start();
  }

  private List<Entry> all(Space space) {
    return memory.scan(Scan.all(space)).toCompletableFuture().join().entries();
  }

  private List<String> all() {
    return OF_PEOPLE.stream()
        .flatMap(space -> all(space).stream())
        .map(Object::toString)
        .toList();
  }

  private void pullFrom(String queue) {
    var record = new QueueRecord(QueueRecord.Mode.PULL, false, 1);
    now(store.commit(
        Commit.when().put(Keys.queue(queue), Records.encode(record)).build()));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void everything_flows_again_once_the_engine_accepts(
      Scope scope, Supplier<? extends StoreException> reason) {
    Scheduler scheduler = schedule();
    Worker worker = work(Duration.ofMillis(300), new Launcher.Ending.Returned(Result.OK));
    var scribe = new LogWriter(loop, store, worker.id(), worker::lease);
    listenElsewhere();
    pullFrom("pulled");
    loop.run(A_WHILE);
    now(jobs.put(job()));
    now(submitter.submit(Submission.of(task("pulled"))));
    now(submit());
    Task logging = assigned(task("default"));
    LogBuffer notebook = scribe.open(logging);
    notebook.log("before", time.wall());
    store.refuse(scope, reason);
    loop.run(Duration.ofSeconds(2));
    notebook.log("meanwhile", time.wall());
    loop.run(Duration.ofSeconds(18));
    store.accept();
    loop.run(RECOVERY);
    assertThat(scheduler.leadership()).as("it leads").isPresent();
    heard.clear();
    heardElsewhere.clear();
    notebook.log("after", time.wall());
    notebook.close();
    Task given = task("default");
    Task pulled = task("pulled");
    assertThat(now(submitter.submit(Submission.of(given)))).isInstanceOf(Receipt.Accepted.class);
    assertThat(now(submitter.submit(Submission.of(pulled)))).isInstanceOf(Receipt.Accepted.class);
    loop.run(Duration.ofSeconds(7));
    assertThat(isRan(given)).as("a task is given to the worker and carried out").isTrue();
    assertThat(isRan(pulled)).as("a task is claimed and carried out").isTrue();
    assertThat(told(Happening.TaskCompleted.class))
        .as("the job fires")
        .anyMatch(task -> task.id().jobId().isPresent());
    assertThat(heardElsewhere)
        .as("other nodes hear of it")
        .anyMatch(each ->
            each instanceof Happening.TaskCompleted(Task task) && task.id().equals(pulled.id()));
    assertThat(now(new LogReader(store, Runnable::run).logs(logging.id())))
        .as("its logs are kept")
        .singleElement()
        .satisfies(log -> assertThat(log.text()).contains("before", "meanwhile", "after"));
    assertThat(store.scan(Scan.all(Keys.TASKS)).toCompletableFuture().join().entries())
        .as("nothing is left over")
        .hasSizeLessThan(2);
  }

  private List<Supplier<CompletionStage<?>>> questions(TaskId failed) {
    Calendar office = Calendar.everyDay("office", ZoneOffset.UTC);
    return List.of(
        this::submit,
        () -> jobs.put(job().edit().priority(Priority.LOW).build()),
        () -> jobs.enable(JOB, false),
        () -> jobs.delete(JOB),
        () -> requests.cancel(failed, "obsolete", "me"),
        () -> requests.prioritise(failed, Priority.LOW, "me"),
        () -> retries.retry(failed, "me"),
        () -> calendars.put(office),
        () -> orders.drain("w", "me"));
  }

  /** Refusals that no retry within the caller's time is likely to change. */
  static Stream<Arguments> lasting() {
    return refusals().filter(each -> {
      StoreException reason = (StoreException) ((Supplier<?>) each.get()[1]).get();
      return reason instanceof StoreException.Denied
          || reason instanceof StoreException.Damaged
          || reason instanceof StoreException.Full;
    });
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void whoever_waits_is_told_the_reason_at_once_and_is_served_later(
      Scope scope, Supplier<? extends StoreException> reason) {
    schedule();
    work(Duration.ZERO, new Launcher.Ending.Failed(Failure.error("boom")));
    loop.run(A_WHILE);
    now(jobs.put(job()));
    now(submit());
    loop.run(Duration.ofSeconds(1));
    TaskId failed = told(Happening.TaskFailed.class).getFirst().id();

    List<String> before = all();
    store.refuse(scope, reason);
    List<Supplier<CompletionStage<?>>> refused = new ArrayList<>(questions(failed));
    refused.add(() -> requests.triggerOnce(JOB, time.wall(), Optional.empty(), "me"));
    for (Supplier<CompletionStage<?>> question : refused) {
      assertThatThrownBy(() -> now(question.get()))
          .isInstanceOf(reason.get().getClass())
          .hasMessageContaining(reason.get().getMessage());
    }
    assertThat(all()).as("nothing is left of what was refused").isEqualTo(before);
    store.accept();
    loop.run(RECOVERY);
    questions(failed).forEach(question -> assertThat(now(question.get())).isNotNull());
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void what_may_have_been_done_before_the_refusal_is_unknown_and_goes_on_to_be_settled(
      Scope scope, Supplier<? extends StoreException> reason) {
    now(submit());
    store.loseAnswers(true);
    CompletionStage<Receipt> lost = submit();
    CompletionStage<Job> saved = jobs.put(job());
    loop.run(Duration.ofMillis(1));
    store.loseAnswers(false);
    store.refuse(scope, reason);
    assertThatThrownBy(() -> now(lost)).isInstanceOf(StoreException.Unknown.class);
    assertThatThrownBy(() -> now(saved)).isInstanceOf(StoreException.Unknown.class);
    assertThatThrownBy(() -> now(submit())).isInstanceOf(reason.get().getClass());
    store.accept();
    loop.run(A_WHILE);
    now(submit());
    assertThat(now(jobs.get(JOB)).orElseThrow().generation()).isEqualTo(1);
    assertThat(all(Keys.TASKS)).hasSize(3);
  }

  @ParameterizedTest
  @MethodSource("lasting")
  void whoever_waits_is_refused_even_while_nothing_can_be_sent_at_all(
      Scope scope, Supplier<? extends StoreException> reason) {
    List<CompletionStage<Receipt>> first = new ArrayList<>();
    store.loseAnswers(true);
    for (int i = 0; i < 300; i++) {
      first.add(submit());
    }
    loop.run(Duration.ofMillis(1));
    store.refuse(scope, reason);
    store.loseAnswers(false);
    loop.run(AT_ONCE);
    assertThat(first).allMatch(each -> each.toCompletableFuture().isCompletedExceptionally());
    assertThatThrownBy(() -> now(submit())).isInstanceOf(reason.get().getClass());
    store.accept();
    loop.run(A_WHILE);
    assertThat(now(submit())).isInstanceOf(Receipt.Accepted.class);
  }

  /** Shorter than a lease, so that leadership does not change: meanwhile one fire becomes due and one task ends. */
  @ParameterizedTest
  @MethodSource("refusals")
  void what_became_due_and_what_has_ended_meanwhile_is_written_once(
      Scope scope, Supplier<? extends StoreException> reason) {
    schedule();
    work(Duration.ofMillis(300), new Launcher.Ending.Returned(Result.OK));
    loop.run(A_WHILE);
    Instant saved = time.wall();
    Duration hour = Duration.ofHours(1);
    now(jobs.put(job()
        .edit()
        .trigger(new Trigger.Every(hour, Trigger.Every.From.START, Window.ALWAYS))
        .build()));
    Instant due = saved.plus(hour);
    loop.run(Duration.between(time.wall(), due).minusMillis(200));
    heard.clear();
    now(submit());
    store.refuse(scope, reason);
    loop.run(Duration.ofSeconds(1));
    assertThat(told(Happening.TaskCompleted.class)).isEmpty();
    assertThat(all(Keys.TASKS)).hasSize(1);

    store.accept();
    loop.run(Duration.ofSeconds(5));
    assertThat(told(Happening.TaskCompleted.class)).hasSize(2).doesNotHaveDuplicates();
    assertThat(told(Happening.TaskCompleted.class))
        .filteredOn(task -> task.id().jobId().isPresent())
        .singleElement()
        .satisfies(task ->
            assertThat(task.scheduled()).isBetween(due.minusSeconds(1), due.plusSeconds(1)));
  }
}
