package io.belfry.bench.task;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.reign.ReignSettings;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
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
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;

/** A scheduler and a worker in this process, whose attempts do nothing on a virtual thread each. */
final class Node implements AutoCloseable {
  private static final int CAPACITY = 4_000;
  private static final int UNDER_WAY = 20_000;

  private final Time time = Time.system();
  private final SplittableRandom random = new SplittableRandom(time.nanos());
  private final ThreadLoop schedulerLoop = loop("scheduler");
  private final ThreadLoop workerLoop = loop("worker");
  private final ThreadLoop submitLoop = loop("submit");
  private final Scheduler scheduler;
  private final Worker worker;
  private final Submitter submitter;
  private final Set<TaskId> ran = ConcurrentHashMap.newKeySet();
  private final Semaphore ends = new Semaphore(0);

  Node(Store store) {
    scheduler = new Scheduler(
        schedulerLoop,
        store,
        store,
        "bench~1",
        LeadSettings.DEFAULT,
        ReignSettings.DEFAULT,
        Strategies.builtIn(),
        Observer.NOBODY);
    worker = new Worker(
        workerLoop,
        store,
        "1",
        WorkerSettings.of("bench", 0),
        this::launch,
        () -> WorkerRecord.Load.NONE);
    submitter = new Submitter(submitLoop, store, "bench~1", Duration.ofDays(7), 1_000_000);
    schedulerLoop.post(scheduler::start);
    workerLoop.post(worker::start);
  }

  private ThreadLoop loop(String name) {
    return new ThreadLoop(name, time, random.split(), broken -> {
      throw new IllegalStateException(name + " broke", broken);
    });
  }

  private Launcher.Started launch(Task task, java.util.function.Consumer<Launcher.Ending> ended) {
    Thread code = Thread.startVirtualThread(() -> {
      if (!ran.add(task.id())) {
        throw new IllegalStateException(task.id() + " ran twice");
      }
      ended.accept(new Launcher.Ending.Returned(Result.OK));
      ends.release();
    });
    return code::interrupt;
  }

  /** Returns when every one is acknowledged. */
  void submit(int count) {
    workerLoop.post(() -> worker.capacity(0));
    var underWay = new Semaphore(UNDER_WAY);
    var all = new Phaser(1);
    Work work = Work.of("noop", ExecutorSpec.local("noop"));
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      underWay.acquireUninterruptibly();
      Instant now = time.wall();
      Task task = Task.pending(TaskId.oneOff(now, random), work, Priority.NORMAL, now, now);
      all.register();
      var unused = submitter
          .submit(new Submission(task, Optional.empty()))
          .whenComplete((receipt, failure) -> {
            if (failure != null || !(receipt instanceof Receipt.Accepted)) {
              synchronized (failures) {
                failures.add(new IllegalStateException("got " + receipt, failure));
              }
            }
            underWay.release();
            all.arriveAndDeregister();
          });
    }
    all.arriveAndAwaitAdvance();
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.size() + " were refused", failures.getFirst());
    }
  }

  /** Returns when that many have ended and the store has their ends. */
  void run(int count) {
    workerLoop.post(() -> worker.capacity(CAPACITY));
    ends.acquireUninterruptibly(count);
    var settled = new Semaphore(0);
    awaitIdle(settled);
    settled.acquireUninterruptibly();
    ran.clear();
  }

  private void awaitIdle(Semaphore settled) {
    workerLoop.post(() -> {
      if (worker.holding() == 0) {
        settled.release();
      } else {
        var unused = workerLoop.in(Duration.ofMillis(1), () -> awaitIdle(settled));
      }
    });
  }

  @Override
  public void close() {
    submitter.stop();
    schedulerLoop.post(scheduler::stop);
    schedulerLoop.close();
    workerLoop.close();
    submitLoop.close();
  }
}
