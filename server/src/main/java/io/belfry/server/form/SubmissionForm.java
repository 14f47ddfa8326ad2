package io.belfry.server.form;

import io.belfry.library.Submission;
import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.retry.RetryPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Reads submissions from JSON, with an executor or by job. Threading: stateless. */
public final class SubmissionForm {
  private static final String JOB = "job";

  /** Fields that the job definition determines. */
  private static final List<String> DEFINED = List.of(
      "executor",
      "id",
      "name",
      "timeout",
      "retry",
      "atMostOnce",
      "queue",
      "workers",
      "limit",
      "metadata");

  private SubmissionForm() {}

  /** Whether the document submits a task of a job. */
  public static boolean namesJob(JsonNode document) {
    return document.hasNonNull(JOB);
  }

  /** The job id in the document, if it is valid. */
  public static Optional<String> job(JsonNode document) {
    return Optional.of(document.path(JOB))
        .filter(JsonNode::isString)
        .map(JsonNode::asString)
        .filter(id -> Check.isName(id, JobId.MAX_CHARS));
  }

  /**
   * The job id in the document.
   *
   * @throws io.belfry.model.InvalidException if it is not a valid job id
   */
  public static String requireJob(JsonNode document) {
    String id = Fields.of(document).text(JOB).orElse("");
    return Check.name(JOB, id, JobId.MAX_CHARS);
  }

  /**
   * Reads a submission of a task of a job. The job defines the work, so the document cannot override it.
   *
   * @param key idempotency key from the request header
   */
  public static Submission ofJob(JsonNode document, Optional<String> key, Job job) {
    Fields fields = Fields.of(document);
    fields.ignore(JOB);
    for (String field : DEFINED) {
      Check.that(
          fields.any(field).isEmpty(),
          field,
          new Check.Plain("given together with job"),
          "must not be given together with job, because the job definition contains it",
          "Leave it out, or submit the task with an executor and without job.");
    }
    Submission made = Submission.of(job);
    made = with(made, fields.any("payload").map(WorkForm::payload), Submission::payload);
    made = with(made, key(fields, key), Submission::key);
    made = due(made, fields);
    made = with(made, fields.word("priority", Priority.class), Submission::priority);
    fields.end();
    return made;
  }

  /**
   * Reads a submission with an executor.
   *
   * @param key idempotency key from the request header
   * @param retry default values of the retry policy
   * @param check refuses executors that no worker can run
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
          "must be the key in the header Idempotency-Key (" + header.get() + "), or be left out",
          "Send it once.");
    }
    return own.or(() -> header);
  }

  private static Submission due(Submission from, Fields fields) {
    var in = fields.duration("in");
    var at = fields.instant("at");
    Check.that(
        in.isEmpty() || at.isEmpty(),
        "at",
        new Check.Plain("given together with in"),
        "must not be given together with in, because a task has one start time",
        "Leave one of the two out.");
    return with(with(from, in, Submission::in), at, Submission::at);
  }
}
