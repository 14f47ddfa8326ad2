package io.belfry.model.task;

import io.belfry.model.Check;
import io.belfry.model.job.Payload;

/**
 * The result of an attempt.
 *
 * @param code HTTP status, gRPC code, exit code, or 0 and 1
 * @param message for people; the middle of a long message is cut out
 * @param data for programs
 */
public record Result(int code, String message, Payload data) {
  private static final int MESSAGE_CHARS_MAX = 4096;

  public static final Result OK = new Result(0, "", Payload.EMPTY);

  public Result {
    message = Check.clip(message, MESSAGE_CHARS_MAX);
  }

  public static Result of(int code, String message) {
    return new Result(code, message, Payload.EMPTY);
  }

  /** A copy that is small enough to keep for each of many attempts. */
  Result brief(int chars) {
    return new Result(code, Check.clip(message, chars), Payload.EMPTY);
  }
}
