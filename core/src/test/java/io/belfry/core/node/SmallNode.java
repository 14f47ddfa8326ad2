package io.belfry.core.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A scheduler and workers on a store in memory, each on a loop of its own; when it is closed, nothing may have broken. */
public final class SmallNode implements AutoCloseable {
  private static final int SECONDS = 60;

  private final AtomicReference<Throwable> broken = new AtomicReference<>();
  private final ExecutorService deliver = Executors.newSingleThreadExecutor();
  private final MemoryStore memory = new MemoryStore(Time.system(), deliver);
  public final Store store;
  public final ThreadLoop scheduling = loop("scheduling");
  public final ThreadLoop working = loop("working");

  public SmallNode() {
    this(store -> store);
  }

  /**
   * @param around what everybody sees of the store
   */
  public SmallNode(UnaryOperator<Store> around) {
    this.store = around.apply(memory);
  }

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, Time.system(), new SplittableRandom(1), broken::set);
  }

  public Scheduler schedule() {
    return schedule(LeaderSettings.DEFAULT, Observer.NOBODY);
  }

  public Scheduler schedule(LeaderSettings settings, Observer observer) {
    var scheduler = new Scheduler(
        scheduling,
        store,
        store,
        "node~1",
        ElectionSettings.DEFAULT,
        settings,
        Strategies.builtIn(),
        observer);
    scheduling.post(scheduler::start);
    return scheduler;
  }

  /** A worker whose attempts succeed as soon as they start. */
  public Worker work(int capacity, Consumer<Task> began) {
    return work("1", WorkerSettings.of("worker", capacity), (task, ended) -> {
      began.accept(task);
      ended.accept(new Launcher.Ending.Returned(Result.OK));
      return () -> {};
    });
  }

  public Worker work(String incarnation, WorkerSettings settings, Launcher launcher) {
    var worker = new Worker(
        working,
        store,
        incarnation,
        settings,
        launcher,
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    working.post(worker::start);
    return worker;
  }

  public void put(Key key, byte[] value) {
    assertThat(await(store.commit(Commit.when().put(key, value).build())))
        .isInstanceOf(Outcome.Done.class);
  }

  public static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    working.close();
    scheduling.close();
    memory.close();
    deliver.shutdownNow();
    assertThat(broken.get()).isNull();
  }
}
