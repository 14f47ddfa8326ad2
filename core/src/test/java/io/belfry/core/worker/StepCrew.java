package io.belfry.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Records;
import io.belfry.core.record.Stored;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A leader and workers on one loop that runs only when the test calls it, with code that the test controls. */
public final class StepCrew {
  public final ManualTime time = new ManualTime(Instant.parse("2027-01-01T00:00:00Z"));
  public final MemoryStore memory = new MemoryStore(time, Runnable::run);
  public final StepLoop loop = new StepLoop(time, new SplittableRandom(1));
  public final List<Happening> heard = new ArrayList<>();
  /** Everything that was ever launched, in order. */
  public final List<Code> launched = new ArrayList<>();

  private final Submitter submitter =
      new Submitter(loop, memory, "node~1", Duration.ofDays(1), 10_000);

  /** One attempt's code. */
  public static final class Code implements Launcher.Started {
    public final Task task;
    private final Consumer<Launcher.Ending> ended;
    public boolean interrupted;
    public boolean running = true;
    /** Whether it ends when it is interrupted. */
    boolean obeys;

    Code(Task task, Consumer<Launcher.Ending> ended) {
      this.task = task;
      this.ended = ended;
    }

    @Override
    public void interrupt() {
      interrupted = true;
      if (obeys && running) {
        end(new Launcher.Ending.Failed(Failure.error("it was interrupted")));
      }
    }

    public void succeed() {
      end(new Launcher.Ending.Returned(Result.OK));
    }

    private void end(Launcher.Ending how) {
      running = false;
      ended.accept(how);
    }
  }

  /** Of all its workers. */
  public final LeaseLosses losses = new LeaseLosses();

  public StepCrew() {
    this(store -> store);
  }

  /**
   * @param around what the leader sees of the store
   */
  public StepCrew(UnaryOperator<Store> around) {
    this(around, LeaderSettings.DEFAULT);
  }

  public StepCrew(UnaryOperator<Store> around, LeaderSettings settings) {
    Store store = around.apply(memory);
    new Scheduler(
            loop,
            store,
            store,
            "node~1",
            ElectionSettings.DEFAULT,
            settings,
            Strategies.builtIn(),
            heard::add)
        .start();
  }

  /** A worker whose code ignores its interruption. */
  public Worker deaf(int capacity) {
    return worker(memory, WorkerSettings.of("w", capacity), false);
  }

  public Worker worker(Store store, WorkerSettings settings, boolean obeys) {
    var worker = new Worker(
        loop,
        store,
        "1",
        settings,
        (task, ended) -> {
          var code = new Code(task, ended);
          code.obeys = obeys;
          launched.add(code);
          return code;
        },
        () -> WorkerRecord.Load.NONE,
        losses);
    worker.start();
    return worker;
  }

  public static Work work() {
    return Work.of("t", ExecutorSpec.local("noop"));
  }

  public TaskId submit(Work work) {
    Task task = Task.pending(
        TaskId.oneOff(time.wall(), loop.random()), work, Priority.NORMAL, time.wall(), time.wall());
    var unused = submitter.submit(Submission.of(task));
    loop.run(Duration.ofMillis(1));
    return task.id();
  }

  public long running() {
    return launched.stream().filter(code -> code.running).count();
  }

  /** The unfinished task as stored. */
  public Task stands(TaskId id) {
    return Stored.task(find(Keys.task(id)).orElseThrow());
  }

  public Optional<WorkerRecord> record(Worker worker) {
    return find(Keys.worker(worker.id())).map(entry -> Records.worker(entry.value()));
  }

  private Optional<Entry> find(Key key) {
    return await(memory.get(List.of(key))).stream().findFirst();
  }

  public void put(Key key, byte[] value) {
    assertThat(await(memory.commit(Commit.when().put(key, value).build())))
        .isInstanceOf(Outcome.Done.class);
  }

  public static <T> T await(CompletionStage<T> stage) {
    CompletableFuture<T> answered = stage.toCompletableFuture();
    assertThat(answered).isCompleted();
    return answered.join();
  }

  /** The tasks reported to this observer. */
  public <T extends Happening.OfTask> List<Task> told(Class<T> kind) {
    return heard.stream()
        .filter(kind::isInstance)
        .map(each -> kind.cast(each).task())
        .toList();
  }
}
