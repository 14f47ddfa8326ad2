package io.belfry.core.execute;

import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What user code can learn about the attempt that it runs.
 *
 * <p>Threading: safe.
 */
public interface AttemptContext {

  TaskId task();

  /** The job that the task is a fire of, if it is one. */
  Optional<JobId> job();

  /** Counted from 1. */
  int number();

  /** The fencing token; grows with every attempt. A target that rejects older tokens is safe from attempts that were given up. */
  Token token();

  /** The same for every attempt of a task: a target that remembers it can recognize a repetition. */
  String idempotencyKey();

  /** The time for which the task was scheduled. */
  Instant scheduled();

  /** How long this attempt may take. */
  Duration timeout();

  ExecutorSpec executor();

  Payload payload();

  Map<String, String> metadata();

  /** Whether the attempt should stop: cancelled, timed out, or its worker shuts down. The thread is interrupted, too. */
  boolean cancelled();

  /**
   * Adds one line, or several, to the attempt's log. It is stored with the task and can be read on any node about a second later. Of a long
   * log, beginning and end are kept: 512 KiB of the first attempt, and 1 MiB of all of them. Never blocks and never fails.
   */
  void log(String line);

  /**
   * Reports the progress of the attempt. Other nodes see the latest report within a second, until the attempt ends. Never blocks and never
   * fails.
   *
   * @param fraction from 0 to 1; other values are clamped
   * @param message for users, at most 500 characters; longer ones are cut off
   */
  void progress(double fraction, String message);
}
