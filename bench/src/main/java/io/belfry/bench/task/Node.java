package io.belfry.bench.task;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Observer;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A scheduler and workers in this process. Each attempt does almost nothing on a virtual thread; no task may run twice.
 *
 * <p>Threading: driven by one thread.
 */
final class Node implements AutoCloseable {
  /** The total capacity of all workers, once they are open. */
  static final int CAPACITY = 4_000;

  static final Work WORK = Work.of("noop", ExecutorSpec.local("noop"));
  private static final int UNDER_WAY = 20_000;

  private final Time time = Time.system();
  private final SplittableRandom random = new SplittableRandom(time.nanos());
  private final ThreadLoop schedulerLoop = loop("scheduler");
  private final ThreadLoop workerLoop = loop("worker");
  private final ThreadLoop submitLoop = loop("submit");
  private final Scheduler scheduler;
  private final List<Worker> workers = new ArrayList<>();
  private final Submitter submitter;
  private final Consumer<Task> code;
  private final Set<TaskId> ran = ConcurrentHashMap.newKeySet();
  private final Semaphore ends = new Semaphore(0);
  private final AtomicReference<Throwable> broken = new AtomicReference<>();

  /**
   * A node whose workers have no capacity yet.
   *
   * @param code the code of every attempt
   */
  Node(Store store, int workers, Consumer<Task> code) {
    this.code = code;
    scheduler = new Scheduler(
        schedulerLoop,
        store,
        store,
        "bench~1",
        ElectionSettings.DEFAULT,
        LeaderSettings.DEFAULT,
        Strategies.builtIn(),
        Observer.NOBODY);
    for (int i = 0; i < workers; i++) {
      this.workers.add(new Worker(
          workerLoop,
          store,
          "1",
          WorkerSettings.of("bench-" + i, 0),
          this::launch,
          () -> WorkerRecord.Load.NONE,
          new LeaseLosses()));
    }
    submitter = new Submitter(submitLoop, store, "bench~1", Duration.ofDays(7), 1_000_000);
    schedulerLoop.post(scheduler::start);
    workerLoop.post(() -> this.workers.forEach(Worker::start));
  }

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, time, random.split(), failure -> breaks(name, failure));
  }

  private void breaks(String name, Throwable failure) {
    if (broken.compareAndSet(null, new IllegalStateException(name + " failed", failure))) {
      ends.release(Integer.MAX_VALUE / 2); // ends all waits, because no more ends will come
    }
  }

  private Launcher.Started launch(Task task, Consumer<Launcher.Ending> ended) {
    Thread attempt = Thread.startVirtualThread(() -> {
      if (!ran.add(task.id())) {
        breaks("execution exactly once", new IllegalStateException(task.id() + " ran twice"));
      }
      code.accept(task);
      ended.accept(new Launcher.Ending.Returned(Result.OK));
      ends.release();
    });
    return attempt::interrupt;
  }

  Time time() {
    return time;
  }

  /** A task that is due now. */
  Task task(int number) {
    return task(time.wall(), Priority.NORMAL);
  }

  Task task(Instant due, Priority priority) {
    Instant now = time.wall();
    return Task.pending(TaskId.oneOff(now, random), WORK, priority, due, now);
  }

  /** Gives the workers their capacity. */
  void open() {
    capacity(CAPACITY);
  }

  void shut() {
    capacity(0);
  }

  private void capacity(int all) {
    workerLoop.post(() -> workers.forEach(worker -> worker.capacity(all / workers.size())));
  }

  /** Returns when all are acknowledged. */
  void submit(int count, IntFunction<Task> each) {
    var outstanding = new Semaphore(UNDER_WAY);
    for (int i = 0; i < count; i++) {
      outstanding.acquireUninterruptibly();
      send(each.apply(i), outstanding::release);
    }
    outstanding.acquireUninterruptibly(UNDER_WAY);
    check();
  }

  /** Submits and runs at the same time: keeps a number of tasks in flight, and submits the next task after each end. */
  void flow(int count, int onTheirWay) {
    for (int i = 0; i < count; i++) {
      if (i >= onTheirWay) {
        ends.acquireUninterruptibly();
      }
      send(task(i), () -> {});
    }
    await(Math.min(count, onTheirWay));
  }

  private void send(Task task, Runnable then) {
    var unused = submitter
        .submit(new Submission(task, Optional.empty()))
        .whenComplete((receipt, failure) -> {
          if (failure != null || !(receipt instanceof Receipt.Accepted)) {
            breaks("a submission", new IllegalStateException("got " + receipt, failure));
          }
          then.run();
        });
  }

  /** Returns when this many more tasks have ended and all ends are stored. */
  void await(int count) {
    ends.acquireUninterruptibly(count);
    check();
    var settled = new Semaphore(0);
    awaitIdle(settled);
    settled.acquireUninterruptibly();
    ran.clear();
    check();
  }

  private void check() {
    Throwable why = broken.get();
    if (why != null) {
      throw new IllegalStateException("The run is not valid.", why);
    }
  }

  private void awaitIdle(Semaphore settled) {
    workerLoop.post(() -> {
      if (workers.stream().allMatch(worker -> worker.holding() == 0)) {
        settled.release();
      } else {
        var unused = workerLoop.after(Duration.ofMillis(1), () -> awaitIdle(settled));
      }
    });
  }

  /** Returns once this node is the leader and has loaded at least this many jobs. */
  void awaitLead(int jobs) {
    var leads = new Semaphore(0);
    awaitLead(jobs, leads);
    leads.acquireUninterruptibly();
  }

  private void awaitLead(int jobs, Semaphore leads) {
    schedulerLoop.post(() -> {
      if (scheduler.leadership().isPresent() && scheduler.jobs() >= jobs) {
        leads.release();
      } else {
        var unused = schedulerLoop.after(Duration.ofMillis(1), () -> awaitLead(jobs, leads));
      }
    });
  }

  @Override
  public void close() {
    submitter.stop();
    var told = new Semaphore(0);
    schedulerLoop.post(() -> {
      var unused = scheduler.stop().whenComplete((nothing, failure) -> told.release());
    });
    told.acquireUninterruptibly();
    schedulerLoop.close();
    workerLoop.close();
    submitLoop.close();
  }
}
