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

  /**
   * Adds a line, or several, to the attempt's log. It is kept with the task and can be read on any node, about a second later. Of a long
   * log, beginning and end are kept: 512 KiB of the first attempt, and 1 MiB of all of them. Never waits and never fails.
   */
  void log(String line);

  /**
   * Tells how far the attempt has come. Others see the last of what is said within a second, until the attempt ends. Never waits and never
   * fails.
   *
   * @param fraction from 0 to 1; what lies outside is taken as the nearer end
   * @param message for people, at most 500 characters; more are cut off
   */
  void progress(double fraction, String message);
}
