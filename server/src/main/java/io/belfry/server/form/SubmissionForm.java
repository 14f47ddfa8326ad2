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

/** Tasks that are submitted, alone or by job, as JSON. Threading: stateless. */
public final class SubmissionForm {
  private static final String JOB = "job";

  /** What a job's definition says of its tasks. */
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

  /** Whether the document is to be a task of a job. */
  public static boolean namesJob(JsonNode document) {
    return document.hasNonNull(JOB);
  }

  /** The job that the document names, if that is the id of one. */
  public static Optional<String> job(JsonNode document) {
    return Optional.of(document.path(JOB))
        .filter(JsonNode::isString)
        .map(JsonNode::asString)
        .filter(id -> Check.isName(id, JobId.MAX_CHARS));
  }

  /**
   * The job that the document names.
   *
   * @throws io.belfry.model.InvalidException if that cannot be the id of one
   */
  public static String requireJob(JsonNode document) {
    String id = Fields.of(document).text(JOB).orElse("");
    return Check.name(JOB, id, JobId.MAX_CHARS);
  }

  /**
   * A task of a job as the document wants it: what is to be done is the job's affair, so that nothing of it can be given.
   *
   * @param key from the request's header, if there is one
   */
  public static Submission ofJob(JsonNode document, Optional<String> key, Job job) {
    Fields fields = Fields.of(document);
    fields.ignore(JOB);
    for (String field : DEFINED) {
      Check.that(
          fields.any(field).isEmpty(),
          field,
          new Check.Plain("given beside job"),
          "must not be given with job, because the definition of the job says it",
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
