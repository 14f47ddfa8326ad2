package io.belfry.server.form;

import io.belfry.library.Submission;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.retry.RetryPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Tasks that are submitted alone, as JSON. Threading: stateless. */
public final class SubmissionForm {
  private SubmissionForm() {}

  /**
   * The submission that the document describes.
   *
   * @param key from the request's header, if there is one
   * @param retry what is filled up where the document says only a part of it
   * @param check refuses executors that could not carry it out
   */
  public static Submission read(
      JsonNode document, Optional<String> key, RetryPolicy retry, Consumer<ExecutorSpec> check) {
    Fields fields = Fields.of(document);
    ExecutorSpec executor = WorkForm.executor(fields);
    check.accept(executor);
    Submission made = Submission.of(executor);
    made = with(made, fields.any("payload").map(WorkForm::payload), Submission::payload);
    made = with(made, fields.text("id"), Submission::id);
    made = with(made, fields.text("name"), Submission::name);
    made = with(made, key(fields, key), Submission::key);
    made = due(made, fields);
    made = with(made, fields.word("priority", Priority.class), Submission::priority);
    made = with(made, fields.duration("timeout"), Submission::timeout);
    made = with(made, WorkForm.retry(fields, retry), Submission::retry);
    if (fields.flag("atMostOnce").orElse(false)) {
      made = made.atMostOnce();
    }
    made = with(made, fields.text("queue"), Submission::queue);
    made = with(made, fields.labels("workers"), Submission::workers);
    made = with(made, WorkForm.limit(fields), Submission::limit);
    Map<String, String> metadata = WorkForm.metadata(fields);
    fields.end();
    return made.metadata(metadata);
  }

  @FunctionalInterface
  private interface Change<T> {
    Submission of(Submission from, T value);
  }

  private static <T> Submission with(Submission from, Optional<T> value, Change<T> change) {
    return value.map(given -> change.of(from, given)).orElse(from);
  }

  private static Optional<String> key(Fields fields, Optional<String> header) {
    Optional<String> own = fields.text("key");
    if (header.isPresent() && own.isPresent() && !own.equals(header)) {
      throw Check.refusal(
          "key",
          own.get(),
          "must be the one in the header Idempotency-Key (" + header.get() + "), or be left out",
          "Give it once.");
    }
    return own.or(() -> header);
  }

  private static Submission due(Submission from, Fields fields) {
    var in = fields.duration("in");
    var at = fields.instant("at");
    Check.that(
        in.isEmpty() || at.isEmpty(),
        "at",
        new Check.Plain("given beside in"),
        "must be given alone, because a task is due once",
        "Leave one of the two out.");
    return with(with(from, in, Submission::in), at, Submission::at);
  }
}
