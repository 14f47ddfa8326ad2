package io.belfry.core.jobs;

import io.belfry.model.Check;
import io.belfry.model.job.Payload;
import java.time.Instant;
import java.util.Optional;

/**
 * How a job is to be triggered.
 *
 * @param payload instead of the job's own
 * @param at the job's task for this instant is made, once, whoever asks how often; empty: a new one, each time
 * @param worker configured id of the one that shall carry it out; while that is not there, the task waits
 */
public record TriggerOptions(
    Optional<Payload> payload, Optional<Instant> at, Optional<String> worker) {

  /** Now, with what the job has, on whatever worker. */
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
          "must be a configured id, because a process that was started again has another incarnation",
          "Leave out the '~' and what follows it.");
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
