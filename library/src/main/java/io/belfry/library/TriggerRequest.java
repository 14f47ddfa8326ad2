package io.belfry.library;

import io.belfry.core.jobs.TriggerOptions;
import io.belfry.model.task.Task;
import java.time.Instant;
import java.util.Optional;

/**
 * How a job is to be triggered. Every method returns a new one and leaves this as it is.
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

  /** A new task each time, with what the job has, on whatever worker. */
  public static TriggerRequest now() {
    return NOW;
  }

  /** The job's task for that instant, in whole milliseconds: made once, whoever asks how often. Who asks first says the rest. */
  public static TriggerRequest at(Instant instant) {
    return new TriggerRequest(TriggerOptions.NONE.at(instant), Optional.empty());
  }

  /** Instead of the job's own: bytes and payloads as they are, everything else as JSON. */
  public TriggerRequest payload(Object payload) {
    return new TriggerRequest(options.payload(Payloads.of(payload)), by);
  }

  /**
   * The worker that shall carry it out, by its configured id. It must also have the labels that the job demands, and serve its queue;
   * while it is not there, the task waits.
   *
   * @throws io.belfry.model.InvalidException if it cannot be such an id
   */
  public TriggerRequest worker(String id) {
    return new TriggerRequest(options.worker(id), by);
  }

  /**
   * Who triggers the job, kept with the task as its submitter: one line of at most {@link Task#SUBMITTED_BY_CHARS_MAX} characters.
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
