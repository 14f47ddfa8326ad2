package io.belfry.executors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;

/**
 * The last gate of an attempt: whatever it returns or throws passes its redaction. A result has cut its message by then, so that whoever makes
 * one of a text that may be long takes secrets out first. Threading: stateless.
 */
public final class RedactedOutcome {
  private RedactedOutcome() {}

  /** The work of an attempt. */
  @FunctionalInterface
  public interface Work {
    Result carryOut() throws AttemptException, InterruptedException;
  }

  /** Carries it out. Settings that are refused only now are rejected; what nobody foresaw is an error. */
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

  /** Whoever reads of a surprise looks for where it was. */
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
        ? Payload.EMPTY // a name that is longer than its secret, thousands of times
        : Payload.of(json ? Payload.JSON : "text/plain", bytes, Payload.HIGHEST_LIMIT);
  }
}
