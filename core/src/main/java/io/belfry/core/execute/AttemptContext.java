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
 * What code is told about the attempt that it carries out.
 *
 * <p>Threading: safe.
 */
public interface AttemptContext {

  TaskId task();

  /** The job that the task is a fire of, if it is one. */
  Optional<JobId> job();

  /** Counted from 1. */
  int number();

  /** Grows with every attempt: a target that refuses older ones cannot be harmed by an attempt that was given up. */
  Token token();

  /** The same for every attempt of a task: a target that remembers it can tell a repetition. */
  String idempotencyKey();

  /** When the task was meant to run. */
  Instant scheduled();

  /** How long this attempt may take. */
  Duration timeout();

  ExecutorSpec executor();

  Payload payload();

  Map<String, String> metadata();

  /** Whether the attempt has been asked to stop: cancelled, overdue, or its worker leaves. The thread is interrupted, too. */
  boolean cancelled();

  /** Adds a line to the attempt's log. Of a long log, beginning and end are kept, together at most 1 MiB. */
  void log(String line);
}
