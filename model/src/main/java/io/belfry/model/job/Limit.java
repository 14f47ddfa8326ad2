package io.belfry.model.job;

import io.belfry.model.Check;
import java.util.Optional;

/**
 * Concurrency limit and rate limit of a job, cluster-wide.
 *
 * @param concurrency how many tasks may run at the same time
 * @param rate how many tasks may start per unit of time
 * @param key tasks with the same key share the limit: in a job or a submission a {@link KeyTemplate}, such as {@code
 *     ${payload.customer}}; in a task the filled-in text, which may be empty. Without a key, the tasks of the job share it
 */
public record Limit(Optional<Integer> concurrency, Optional<Rate> rate, Optional<String> key) {
  private static final int CONCURRENCY_MAX = 1_000_000;

  public static final Limit NONE = new Limit(Optional.empty(), Optional.empty(), Optional.empty());

  public Limit {
    concurrency.ifPresent(n -> Check.between(
        "limit.concurrency",
        n,
        1,
        CONCURRENCY_MAX,
        "with 0 no task would ever start; disable the job instead"));
    key.ifPresent(text -> Check.atMost("limit.key", text, KeyTemplate.KEY_CHARS_MAX));
    Check.that(
        key.isEmpty() || concurrency.isPresent() || rate.isPresent(),
        "limit.key",
        key.orElse(""),
        "must be used with limit.concurrency or limit.rate, because a key alone limits nothing",
        "Add one of them, or remove the key.");
  }

  public static Limit concurrency(int tasks) {
    return new Limit(Optional.of(tasks), Optional.empty(), Optional.empty());
  }

  public static Limit rate(Rate rate) {
    return new Limit(Optional.empty(), Optional.of(rate), Optional.empty());
  }

  public Limit by(String newKey) {
    return new Limit(concurrency, rate, Optional.of(newKey));
  }
}
