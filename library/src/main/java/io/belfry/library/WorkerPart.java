package io.belfry.library;

import io.belfry.core.execute.AttemptLogs;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.ExecutorRegistry;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.execute.VirtualThreadLauncher;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker of one process, with its loop: also looks after its health and leaves when it has been idle for long.
 *
 * <p>Threading: what is not final is confined to the loop.
 */
final class WorkerPart {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);
  /** What the worker itself needs after its patience: interrupted code may take 5 s, and its report a round trip. */
  private static final Duration LAST_STEPS = Duration.ofSeconds(10);

  private static final Duration SHORTEST_LOOK = Duration.ofMillis(20);
  private static final long LOG_CHARS_MAX = 8 << 20;

  final LocalExecutor local;
  final AttemptLogs logs = new AttemptLogs(LOG_CHARS_MAX);
  private final Options options;
  private final ThreadLoop loop;
  private final VirtualThreadLauncher launcher;
  private final Worker worker;
  private int capacity;
  /** Nobody answers on a loop that broke. */
  private volatile boolean loopEnded;

  private boolean healthy = true;
  private boolean asking;
  private boolean leaving;
  private long idleSince;

  WorkerPart(
      Settings settings,
      Store store,
      String incarnation,
      Time time,
      RandomGenerator random,
      Consumer<Throwable> broken) {
    this.options = settings.options();
    this.capacity = options.workerCapacity;
    this.local = new LocalExecutor(time, options.handlerGrace);
    var executors = new ArrayList<Executor>(options.executors);
    executors.add(local);
    this.launcher = new VirtualThreadLauncher(ExecutorRegistry.of(executors), logs, time);
    this.loop = new ThreadLoop("belfry-worker", time, random, thrown -> broke(thrown, broken));
    this.worker =
        new Worker(loop, store, incarnation, settings.worker(), new Counting(), new MachineLoad());
  }

  String id() {
    return worker.id();
  }

  void start() {
    loop.post(() -> {
      idleSince = loop.time().nanos();
      worker.start();
      options.workerIdle.ifPresent(this::watchIdleness);
      options.healthCheck.ifPresent(this::watchHealth);
    });
  }

  int running() {
    return launcher.running();
  }

  void capacity(int to) {
    loop.post(() -> {
      capacity = to;
      tellCapacity();
    });
  }

  /** Whatever runs must end before the lease does, which nobody renews any more. */
  private void broke(Throwable thrown, Consumer<Throwable> broken) {
    loopEnded = true;
    launcher.interruptAll();
    broken.accept(thrown);
  }

  private void tellCapacity() {
    worker.capacity(healthy ? capacity : 0);
  }

  private void watchIdleness(Duration limit) {
    Duration look = limit.dividedBy(4);
    var unused = loop.in(look.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : look, () -> {
      if (leaving) {
        return;
      }
      if (worker.holding() > 0) {
        idleSince = loop.time().nanos();
      }
      if (loop.time().nanos() - idleSince >= limit.toNanos()) {
        leaving = true;
        worker.drain(
            Duration.ZERO,
            () -> LOG.info(
                "Worker {} had nothing to do for {} and leaves, as workerIdleTimeout says.",
                worker.id(),
                limit));
      } else {
        watchIdleness(limit);
      }
    });
  }

  /** The question is user code: it is asked outside the loop, once at a time. */
  private void watchHealth(BooleanSupplier check) {
    if (leaving) {
      return;
    }
    if (!asking) {
      asking = true;
      Thread.ofVirtual().name("belfry-health").start(() -> {
        boolean answer = isHealthy(check);
        loop.post(() -> heard(answer));
      });
    }
    var unused = loop.in(options.workerHeartbeat, () -> watchHealth(check));
  }

  private static boolean isHealthy(BooleanSupplier check) {
    try {
      return check.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.warn("The health check threw; the worker counts as unhealthy until it answers.", e);
      return false;
    }
  }

  private void heard(boolean answer) {
    asking = false;
    if (answer != healthy && !leaving) {
      healthy = answer;
      LOG.info(
          "Worker {} is {}.",
          worker.id(),
          answer ? "healthy again" : "unhealthy: it is given nothing new");
      tellCapacity();
    }
  }

  /** Lets attempts finish or hands them back, and ends. An interrupt of the caller means that there is no more patience. */
  void stop(Duration patience) {
    var gone = new CountDownLatch(1);
    loop.post(() -> {
      leaving = true;
      worker.drain(patience, gone::countDown);
    });
    boolean interrupted = false;
    try {
      if (!loopEnded && !gone.await(patience.plus(LAST_STEPS).toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn(
            "Worker {} could not report everything it holds within {}; its lease ends by itself.",
            worker.id(),
            patience.plus(LAST_STEPS));
      }
      loop.close();
      int left = launcher.close(Duration.ofSeconds(1));
      if (left > 0) {
        LOG.warn(
            "{} attempts ignore their interruption; their results will not be accepted.", left);
      }
    } catch (InterruptedException e) {
      interrupted = true;
      loop.close();
      launcher.interruptAll();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whoever has something to do is not idle. */
  private final class Counting implements Launcher {
    @Override
    public Started start(Task task, Consumer<Ending> ended) {
      idleSince = loop.time().nanos();
      return launcher.start(task, ended);
    }
  }
}
