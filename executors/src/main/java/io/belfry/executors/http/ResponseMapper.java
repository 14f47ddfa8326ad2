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
 * What an answer means for the attempt. Everything that it says is made by {@link #result}, because a result cuts its message, and secrets
 * must be taken out before that. Threading: immutable.
 */
record ResponseMapper(HttpPlan plan, Time time, Redaction redaction) {
  private static final int BEGINNING_CHARS = 300;

  /** The result of a success; everything else is thrown. */
  Result of(CallRequest message, Answer answer) throws AttemptException {
    AnswerData data = AnswerData.of(answer, redaction);
    if (!plan.success().status().contains(answer.status())) {
      throw failure(
          plan.retryOn().kind(answer.status()),
          answer,
          data,
          message + " answered " + status(answer) + after(answer) + beginning(data));
    }
    Optional<String> complaint = plan.success().complaint(answer, redaction);
    if (complaint.isPresent()) {
      throw failure(
          plan.retryOn().kind(CallFailure.ANSWER),
          answer,
          data,
          "the answer to " + message + " (" + status(answer) + ") " + complaint.get());
    }
    String note = data.note().isEmpty() ? "" : " (" + data.note() + ")";
    return result(answer.status(), answer.words() + note, data.payload());
  }

  AttemptException of(CallRequest message, CallException failed) {
    return failure(
        plan.retryOn().kind(failed.trouble()),
        result(1, message + " " + failed.getMessage() + ".", Payload.EMPTY));
  }

  AttemptException of(CallRequest message, Redirects.RefusedException refused) {
    String said = "a redirect of " + message + " is not followed, because it "
        + refused.getMessage() + ". Call the final address itself.";
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
        .map(wait -> ", and wants to be asked again after " + wait.toSeconds() + " s")
        .orElse("");
  }

  private String beginning(AnswerData data) {
    String text = data.text().strip();
    return text.isEmpty() ? "" : ": " + redaction.clip(text, BEGINNING_CHARS);
  }
}
