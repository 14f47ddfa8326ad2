package io.belfry.core.jobs;

import io.belfry.model.Check;
import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.Notices;
import io.belfry.model.job.Shards;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses jobs with features that are not available: fields that this version stores but ignores, and unknown executor types.
 *
 * <p>Threading: immutable.
 */
public final class Supported {
  /** Executor types of every version; some worker may have them. */
  public static final Set<String> BUILT_IN = Set.of("http", "local", "script");

  private static final Check.Plain GIVEN = new Check.Plain("given");

  private final Optional<Set<String>> executorTypes;

  /**
   * @param executorTypes types that workers have besides the built-in ones; empty if unknown on this node
   */
  public Supported(Optional<Set<String>> executorTypes) {
    this.executorTypes = executorTypes.map(given -> {
      var all = new TreeSet<>(given);
      all.addAll(BUILT_IN);
      return all;
    });
  }

  /**
   * Refuses a job with unsupported fields or an unknown executor type.
   *
   * @throws io.belfry.model.InvalidException which names the field and what to do
   */
  public void check(Job job) {
    require(
        job.shards().equals(Shards.ONE),
        "shards",
        "a job cannot be split into shards yet, and would run as one task",
        "Remove shards; to work on parts, submit a task for each part.");
    require(
        job.expect().equals(Expect.NOTHING),
        "expect",
        "expectations are not monitored yet, and no alert would be sent",
        "Remove expect; alert on the metrics of the job instead.");
    require(
        job.notices().equals(Notices.NOBODY),
        "notify",
        "notifications are not sent yet",
        "Remove notify; follow the events or alert on the metrics instead.");
    checkExecutor(job.work().executor().type());
  }

  /**
   * Refuses a type that no worker has.
   *
   * @throws io.belfry.model.InvalidException which lists the known types
   */
  public void checkExecutor(String type) {
    executorTypes.ifPresent(types -> Check.that(
        types.contains(type),
        "executor.type",
        type,
        "must be one of " + String.join(", ", types) + ", because no worker could run it",
        "Correct the type. If workers of another program have such an executor, name the type"
            + " in executors.types, or with Settings.executorTypes in the library."));
  }

  private static void require(boolean holds, String field, String why, String remedy) {
    Check.that(holds, field, GIVEN, "must be left out, because " + why, remedy);
  }
}
