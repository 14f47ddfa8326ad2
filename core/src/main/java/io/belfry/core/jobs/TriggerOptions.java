package io.belfry.core.jobs;

import io.belfry.model.Check;
import io.belfry.model.job.Payload;
import java.time.Instant;
import java.util.Optional;

/**
 * Options for triggering a job.
 *
 * @param payload replaces the job's own
 * @param at the task is created once for this instant, however often it is requested; empty: a new task each time
 * @param worker configured id of the worker that must run it; while that worker is not registered, the task waits
 */
public record TriggerOptions(
    Optional<Payload> payload, Optional<Instant> at, Optional<String> worker) {

  /** Now, with the job's own payload, on any worker. */
  public static final TriggerOptions NONE =
      new TriggerOptions(Optional.empty(), Optional.empty(), Optional.empty());

  private static final int WORKER_CHARS_MAX = 128;

  public TriggerOptions {
    worker.ifPresent(id -> {
      Check.whole("worker", Check.text("worker", id, WORKER_CHARS_MAX));
      Check.that(
          id.indexOf('~') < 0 && id.indexOf('/') < 0,
          "worker",
          id,
          "must be a configured id, because a restarted process has another incarnation",
          "Remove the '~' and what follows it.");
    });
  }

  public TriggerOptions payload(Payload with) {
    return new TriggerOptions(Optional.of(with), at, worker);
  }

  public TriggerOptions at(Instant instant) {
    return new TriggerOptions(payload, Optional.of(instant), worker);
  }

  public TriggerOptions worker(String id) {
    return new TriggerOptions(payload, at, Optional.of(id));
  }
}
