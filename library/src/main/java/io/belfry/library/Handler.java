package io.belfry.library;

import io.belfry.core.execute.AttemptContext;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts of tasks. It is called on virtual threads, concurrently; an exception fails the attempt.
 *
 * @param <T> type of the payload
 */
@FunctionalInterface
public interface Handler<T> {
  void handle(T payload, AttemptContext attempt) throws Exception;

  /** A handler without a payload. */
  @FunctionalInterface
  interface Plain {
    void handle(AttemptContext attempt) throws Exception;
  }

  /**
   * A handler whose return value becomes the data of the task's result.
   *
   * @param <T> type of the payload
   */
  @FunctionalInterface
  interface WithResult<T> {
    @Nullable
    Object handle(T payload, AttemptContext attempt) throws Exception;
  }
}
