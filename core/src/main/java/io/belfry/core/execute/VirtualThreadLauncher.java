package io.belfry.core.execute;

import io.belfry.core.log.LogBuffer;
import io.belfry.core.worker.Launcher;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs every attempt on a virtual thread of its own.
 *
 * <p>Code that ignores its interruption cannot be stopped: it keeps its slot among the worker's attempts, so that there are never
 * more threads than the worker's capacity, and does not keep the process alive.
 *
 * <p>Threading: safe.
 */
public final class VirtualThreadLauncher implements Launcher {
  private final ExecutorRegistry executors;
  private final Function<Task, LogBuffer> notebooks;
  private final Time time;
  private final Set<RunningAttempt> running = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition oneEnded = lock.newCondition();

  /**
   * A launcher without running attempts.
   *
   * @param notebooks the log buffers of attempts
   */
  public VirtualThreadLauncher(
      ExecutorRegistry executors, Function<Task, LogBuffer> notebooks, Time time) {
    this.executors = executors;
    this.notebooks = notebooks;
    this.time = time;
  }

  @Override
  public Started start(Task task, Consumer<Ending> ended) {
    var attempt = new RunningAttempt(task, notebooks.apply(task), time);
    running.add(attempt);
    Thread thread = Thread.ofVirtual()
        .name("belfry-attempt " + task.id() + " #" + attempt.number())
        .unstarted(() -> run(attempt, ended));
    attempt.runsOn(thread);
    thread.start();
    return attempt;
  }

  /** The number of attempts whose code has not ended. */
  public int running() {
    return running.size();
  }

  /** Interrupts all running attempts at once. */
  public void interruptAll() {
    List.copyOf(running).forEach(RunningAttempt::interrupt);
  }

  /**
   * Interrupts all running attempts, and waits for their end.
   *
   * @return attempts that still run, because their code ignores interruption
   */
  public int close(Duration patience) throws InterruptedException {
    interruptAll();
    long until = time.nanos() + patience.toNanos();
    lock.lockInterruptibly();
    try {
      long left = until - time.nanos();
      while (!running.isEmpty() && left > 0) {
        left = oneEnded.awaitNanos(left);
      }
      return running.size();
    } finally {
      lock.unlock();
    }
  }

  private void run(RunningAttempt attempt, Consumer<Ending> ended) {
    Ending ending;
    AttemptScope.enter(attempt);
    try {
      ending = new Ending.Returned(carryOut(attempt));
    } catch (Throwable thrown) {
      ending = ThrownFailures.of(thrown);
      if (ThrownFailures.isFatal(thrown)) {
        over(attempt, ending, ended);
        throw (VirtualMachineError) thrown;
      }
    }
    over(attempt, ending, ended);
  }

  private Result carryOut(RunningAttempt attempt) throws Exception {
    Result result = executors.find(attempt.executor().type()).execute(attempt);
    if (isMissing(result)) {
      throw AttemptException.rejected("executor " + attempt.executor().type()
          + " must return a result, because the task's caller receives it, but returned null."
          + " Return Result.OK if there is no result.");
    }
    return result;
  }

  /** User-supplied executors may return null although their type does not allow it. */
  @SuppressWarnings("ConstantValue")
  private static boolean isMissing(Object result) {
    return result == null;
  }

  private void over(RunningAttempt attempt, Ending ending, Consumer<Ending> ended) {
    AttemptScope.leave();
    running.remove(attempt);
    attempt.notebook().close();
    ended.accept(ending);
    lock.lock();
    try {
      oneEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
