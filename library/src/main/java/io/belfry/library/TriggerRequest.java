package io.belfry.library;

import io.belfry.core.jobs.TriggerOptions;
import io.belfry.model.task.Task;
import java.time.Instant;
import java.util.Optional;

/**
 * Options for triggering a job. Every method returns a modified copy.
 *
 * <pre>{@code
 * belfry.jobs().trigger("nightly", TriggerRequest.now().payload(invoice).worker("w1"));
 * belfry.jobs().trigger("nightly", TriggerRequest.at(instant)).repeated();
 * }</pre>
 *
 * <p>Threading: immutable.
 */
public final class TriggerRequest {
  private static final TriggerRequest NOW =
      new TriggerRequest(TriggerOptions.NONE, Optional.empty());

  private final TriggerOptions options;
  private final Optional<String> by;

  private TriggerRequest(TriggerOptions options, Optional<String> by) {
    this.options = options;
    this.by = by;
  }

  /** Creates a new task at each call, with the job's own payload, on any matching worker. */
  public static TriggerRequest now() {
    return NOW;
  }

  /** Creates the job's task for that instant, in whole milliseconds, exactly once. The options of the first request apply. */
  public static TriggerRequest at(Instant instant) {
    return new TriggerRequest(TriggerOptions.NONE.at(instant), Optional.empty());
  }

  /** Payload instead of the job's own: bytes and a {@code Payload} unchanged, anything else as JSON. */
  public TriggerRequest payload(Object payload) {
    return new TriggerRequest(options.payload(Payloads.of(payload)), by);
  }

  /**
   * Worker that must run the task, by its configured id. It must also serve the job's queue and have the required labels. The task waits while
   * the worker is offline.
   *
   * @throws io.belfry.model.InvalidException if the text is not a valid worker id
   */
  public TriggerRequest worker(String id) {
    return new TriggerRequest(options.worker(id), by);
  }

  /**
   * Name of the requester, stored with the task as its submitter: one line of at most {@link Task#SUBMITTED_BY_CHARS_MAX} characters.
   *
   * @throws io.belfry.model.InvalidException if it is blank or too long
   */
  public TriggerRequest by(String who) {
    return new TriggerRequest(options, Optional.of(Task.checkedSubmitter(who)));
  }

  Optional<String> by() {
    return by;
  }

  TriggerOptions options() {
    return options;
  }
}
