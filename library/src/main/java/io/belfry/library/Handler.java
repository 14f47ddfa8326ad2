package io.belfry.library;

import io.belfry.core.execute.AttemptContext;
import org.jspecify.annotations.Nullable;

/**
 * Carries out attempts with a payload of a type. Called on virtual threads, several at a time; what it throws fails the attempt.
 *
 * @param <T> what the payload is read as
 */
@FunctionalInterface
public interface Handler<T> {
  void handle(T payload, AttemptContext attempt) throws Exception;

  /** The same without a payload. */
  @FunctionalInterface
  interface Plain {
    void handle(AttemptContext attempt) throws Exception;
  }

  /**
   * The same with an answer, which becomes the data of the task's result.
   *
   * @param <T> what the payload is read as
   */
  @FunctionalInterface
  interface Answering<T> {
    @Nullable
    Object handle(T payload, AttemptContext attempt) throws Exception;
  }
}
