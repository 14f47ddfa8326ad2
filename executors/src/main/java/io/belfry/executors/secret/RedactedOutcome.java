package io.belfry.executors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;

/**
 * Runs an attempt and redacts whatever it returns or throws. A result shortens its message, so code that creates a result from a long
 * text must redact the text first. Threading: stateless.
 */
public final class RedactedOutcome {
  private RedactedOutcome() {}

  /** The code of an attempt. */
  @FunctionalInterface
  public interface Work {
    Result carryOut() throws AttemptException, InterruptedException;
  }

  /** Runs the attempt. Invalid settings reject the task; an unexpected exception is an error. */
  public static Result of(Redaction redaction, Work work)
      throws AttemptException, InterruptedException {
    try {
      return of(redaction, work.carryOut());
    } catch (AttemptException e) {
      Failure failure = e.failure();
      throw new AttemptException(new Failure(failure.kind(), of(redaction, failure.result())));
    } catch (InvalidException e) {
      throw AttemptException.rejected(redaction.apply(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      throw new AttemptException(Failure.error(redaction.apply(e + place(e))));
    }
  }

  /** The place of an unexpected exception, for the error message. */
  private static String place(RuntimeException thrown) {
    StackTraceElement[] frames = thrown.getStackTrace();
    return frames.length == 0 ? "" : " at " + frames[0];
  }

  private static Result of(Redaction redaction, Result result) {
    return new Result(
        result.code(), redaction.apply(result.message()), of(redaction, result.data()));
  }

  private static Payload of(Redaction redaction, Payload data) {
    String text = data.text();
    String shown = redaction.apply(text);
    if (shown.equals(text)) {
      return data;
    }
    boolean json = data.contentType().equals(Payload.JSON) && Json.parse(shown).isPresent();
    byte[] bytes = shown.getBytes(UTF_8);
    return bytes.length > Payload.HIGHEST_LIMIT
        ? Payload.EMPTY // replaced thousands of times by a name that is longer than the secret
        : Payload.of(json ? Payload.JSON : "text/plain", bytes, Payload.HIGHEST_LIMIT);
  }
}
