package io.belfry.model.job;

import io.belfry.model.Check;
import java.util.Optional;

/**
 * How much of a job may run at once, cluster-wide.
 *
 * @param concurrency tasks at the same time
 * @param rate starts per time
 * @param key what is counted together: in a job or a submission a {@link KeyTemplate}, such as {@code ${payload.customer}}; in a task
 *     that text with everything filled in, perhaps with nothing. Without it, the job
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
        "0 would never start anything; disable the job instead"));
    key.ifPresent(text -> Check.atMost("limit.key", text, KeyTemplate.KEY_CHARS_MAX));
    Check.that(
        key.isEmpty() || concurrency.isPresent() || rate.isPresent(),
        "limit.key",
        key.orElse(""),
        "must stand beside limit.concurrency or limit.rate, because alone it limits nothing",
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
