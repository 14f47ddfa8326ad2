package io.belfry.library;

import io.belfry.core.execute.Executor;
import io.belfry.core.execute.ExecutorRegistry;
import io.belfry.core.execute.VirtualThreadLauncher;
import io.belfry.core.log.LogBuffer;
import io.belfry.core.log.LogWriter;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker of one process with its loop, its health check and its idle timeout.
 *
 * <p>Threading: what is not final is confined to the loop.
 */
final class WorkerPart {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);
  /** Time that the worker needs after the graceful period: interrupted code may take 5 s, and its report a round trip. */
  private static final Duration LAST_STEPS = Duration.ofSeconds(10);

  private static final Duration LAST_LINES = Duration.ofSeconds(2);
  private static final Duration SHORTEST_CHECK = Duration.ofMillis(20);

  private final Options options;
  final ThreadLoop loop;
  private final VirtualThreadLauncher launcher;
  private final Worker worker;
  private final LogWriter scribe;
  private final Optional<HealthWatch> health;
  /** A loop that failed runs no more steps. */
  private volatile boolean loopEnded;

  private boolean healthy = true;
  private volatile boolean leaving;
  private volatile boolean leftIdle;
  private long idleSince;

  WorkerPart(
      Settings settings,
      Store store,
      String incarnation,
      Time time,
      RandomGenerator random,
      List<Executor> executors,
      LeaseLosses losses,
      BiConsumer<WorkerPart, Throwable> onFailure) {
    this.options = settings.options();
    this.launcher = new VirtualThreadLauncher(ExecutorRegistry.of(executors), this::notebook, time);
    this.loop = new ThreadLoop("belfry-worker", time, random, thrown -> failed(thrown, onFailure));
    this.worker = new Worker(
        loop,
        store,
        incarnation,
        settings.worker(),
        new Counting(),
        new MachineLoad(new NetworkLoad(NetworkLoad.LINUX, time), new ConnectionCount(executors)),
        losses);
    this.scribe = new LogWriter(loop, store, worker.id(), worker::lease);
    this.health = options
        .healthCheck
        .filter(check -> options.healthChecked)
        .map(check -> new HealthWatch(
            loop, check, options.workerHeartbeat, options.healthTimeout, this::healthy));
  }

  private LogBuffer notebook(Task task) {
    return scribe.open(task);
  }

  String id() {
    return worker.id();
  }

  void start() {
    loop.post(() -> {
      idleSince = loop.time().nanos();
      worker.start();
      options.workerIdle.ifPresent(this::watchIdleness);
      health.ifPresent(HealthWatch::start);
    });
  }

  /** Whether it shut down because of its idle timeout. From any thread. */
  boolean leftIdle() {
    return leftIdle;
  }

  int running() {
    return launcher.running();
  }

  void capacity(int to) {
    loop.post(() -> worker.capacity(to));
  }

  /** Running attempts must end before the lease expires, which is not renewed any more. */
  private void failed(Throwable thrown, BiConsumer<WorkerPart, Throwable> onFailure) {
    loopEnded = true;
    try {
      launcher.interruptAll();
    } finally {
      onFailure.accept(this, thrown); // in any case: nothing else would create a replacement
    }
  }

  /** Waits until the attempts of a failed worker have ended, so that none runs beside those of its replacement. */
  void abandon(Duration patience) {
    try {
      int left = launcher.close(patience);
      if (left > 0) {
        LOG.warn(
            "{} attempts of worker {} ignore the interrupt; their results will be rejected.",
            left,
            worker.id());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it is shutting down, on request or because of its idle timeout. */
  boolean isLeaving() {
    return leaving;
  }

  private void watchIdleness(Duration limit) {
    Duration pause = limit.dividedBy(4);
    var unused = loop.after(pause.compareTo(SHORTEST_CHECK) < 0 ? SHORTEST_CHECK : pause, () -> {
      if (leaving) {
        return;
      }
      if (worker.holding() > 0) {
        idleSince = loop.time().nanos();
      }
      if (loop.time().nanos() - idleSince >= limit.toNanos()) {
        leaving = true;
        leftIdle = true;
        worker.drain(
            Duration.ZERO,
            () -> LOG.info(
                "Worker {} was idle for {} and shuts down (workerIdleTimeout).",
                worker.id(),
                limit));
      } else {
        watchIdleness(limit);
      }
    });
  }

  private void healthy(boolean is) {
    if (is != healthy && !leaving) {
      healthy = is;
      LOG.info(
          "Worker {} is {}.",
          worker.id(),
          is ? "healthy again" : "unhealthy and gets no new attempts");
      worker.healthy(is);
    }
  }

  /** Drains the worker: lets attempts finish, or hands them back after the patience. An interrupt of the caller ends the wait. */
  void stop(Duration patience) {
    var gone = new CountDownLatch(1);
    loop.post(() -> {
      leaving = true;
      health.ifPresent(HealthWatch::stop);
      worker.drain(patience, gone::countDown);
    });
    boolean interrupted = false;
    try {
      if (!loopEnded && !gone.await(patience.plus(LAST_STEPS).toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn(
            "Worker {} could not report all of its attempts within {}; its lease expires on its own.",
            worker.id(),
            patience.plus(LAST_STEPS));
      }
      writeLast();
      loop.close();
      int left = launcher.close(Duration.ofSeconds(1));
      if (left > 0) {
        LOG.warn("{} attempts ignore the interrupt; their results will be rejected.", left);
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

  /** Writes the last log lines of attempts, with a short timeout, because results do not depend on them. */
  private void writeLast() throws InterruptedException {
    var written = new CountDownLatch(1);
    loop.post(() -> scribe.flush(written::countDown));
    if (!loopEnded && !written.await(LAST_LINES.toNanos(), TimeUnit.NANOSECONDS)) {
      LOG.warn("Worker {} could not write the last lines of its logs within {}.", id(), LAST_LINES);
    }
  }

  /** Resets the idle timer when an attempt starts, and compresses results as configured. */
  private final class Counting implements Launcher {
    @Override
    public Started start(Task task, Consumer<Ending> ended) {
      idleSince = loop.time().nanos();
      return launcher.start(task, ending -> ended.accept(kept(ending)));
    }

    private Ending kept(Ending ending) {
      return switch (ending) {
        case Ending.Returned(Result(int code, String message, Payload data)) ->
          new Ending.Returned(new Result(code, message, options.kept(data)));
        case Ending.Failed failed -> failed;
      };
    }
  }
}
