package io.belfry.executors.http;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.secret.Redaction;
import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Maps the response or the failure of a call to the result of the attempt. Every message goes through {@link #result}, because a result
 * shortens its message and must be redacted before. Threading: immutable.
 */
record ResponseMapper(HttpPlan plan, Time time, Redaction redaction) {
  private static final int BEGINNING_CHARS = 300;

  /** Returns the result of a success. Throws any other outcome. */
  Result of(CallRequest message, Answer answer) throws AttemptException {
    AnswerData data = AnswerData.of(answer, redaction);
    if (!plan.success().status().contains(answer.status())) {
      throw failure(
          plan.retryOn().kind(answer.status()),
          answer,
          data,
          message + " returned " + status(answer) + after(answer) + beginning(data));
    }
    Optional<String> complaint = plan.success().complaint(answer, redaction);
    if (complaint.isPresent()) {
      throw failure(
          plan.retryOn().kind(CallFailure.ANSWER),
          answer,
          data,
          "the response to " + message + " (" + status(answer) + ") " + complaint.get());
    }
    String note = data.note().isEmpty() ? "" : " (" + data.note() + ")";
    return result(answer.status(), answer.words() + note, data.payload());
  }

  AttemptException of(CallRequest message, CallException failed) {
    return failure(
        plan.retryOn().kind(failed.failure()),
        result(1, message + " " + failed.getMessage() + ".", Payload.EMPTY));
  }

  AttemptException of(CallRequest message, Redirects.RefusedException refused) {
    String said = "a redirect of " + message + " was not followed, because it "
        + refused.getMessage() + ". Set executor.url to the final URL.";
    return failure(FailureKind.REJECTED, result(1, said, Payload.EMPTY));
  }

  private AttemptException failure(
      FailureKind kind, Answer answer, AnswerData data, String message) {
    return failure(kind, result(answer.status(), message, data.payload()));
  }

  private static AttemptException failure(FailureKind kind, Result result) {
    return new AttemptException(new Failure(kind, result));
  }

  private Result result(int code, String message, Payload data) {
    return new Result(code, redaction.apply(message), data);
  }

  private static String status(Answer answer) {
    return (answer.status() + " " + answer.words()).strip();
  }

  private String after(Answer answer) {
    return RetryAfter.parse(answer.header(HttpHeader.RETRY_AFTER), time)
        .map(wait -> " (Retry-After: " + wait.toSeconds() + " s)")
        .orElse("");
  }

  private String beginning(AnswerData data) {
    String text = data.text().strip();
    return text.isEmpty() ? "" : ": " + redaction.clip(text, BEGINNING_CHARS);
  }
}
