package io.belfry.core.execute;

import io.belfry.core.log.LogBuffer;
import io.belfry.core.record.Progress;
import io.belfry.core.worker.Launcher;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as seen by its code and its worker.
 *
 * <p>Threading: safe. The thread is set before it is started.
 */
final class RunningAttempt implements AttemptContext, Launcher.Started {
  private final Task task;
  private final LogBuffer notebook;
  private final Time time;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile @Nullable Thread thread;

  RunningAttempt(Task task, LogBuffer notebook, Time time) {
    this.task = task;
    this.notebook = notebook;
    this.time = time;
  }

  void runsOn(Thread attemptThread) {
    thread = attemptThread;
  }

  LogBuffer notebook() {
    return notebook;
  }

  @Override
  public void interrupt() {
    Thread runs = thread;
    if (stopped.compareAndSet(false, true) && runs != null) {
      runs.interrupt();
    }
  }

  @Override
  public TaskId task() {
    return task.id();
  }

  @Override
  public Optional<JobId> job() {
    return task.id().jobId();
  }

  @Override
  public int number() {
    return task.attempts();
  }

  @Override
  public Token token() {
    return task.token();
  }

  @Override
  public String idempotencyKey() {
    return task.idempotencyKey();
  }

  @Override
  public Instant scheduled() {
    return task.scheduled();
  }

  @Override
  public Duration timeout() {
    return task.work().timeout();
  }

  @Override
  public ExecutorSpec executor() {
    return task.work().executor();
  }

  @Override
  public Payload payload() {
    return task.work().payload();
  }

  @Override
  public Map<String, String> metadata() {
    return task.work().metadata();
  }

  @Override
  public boolean cancelled() {
    return stopped.get();
  }

  @Override
  public void log(String line) {
    notebook.log(line, time.wall());
  }

  @Override
  public void progress(double fraction, String message) {
    notebook.progress(Progress.said(fraction, message, time.wall()));
  }
}
