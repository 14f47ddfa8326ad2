package io.belfry.core.jobs;

import io.belfry.model.Check;
import io.belfry.model.job.Expect;
import io.belfry.model.job.Job;
import io.belfry.model.job.Notifications;
import io.belfry.model.job.Shards;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a job that asks for what would not happen: fields that this version keeps and does not act on, and executors that nobody has.
 *
 * <p>Threading: immutable.
 */
public final class Supported {
  /** Executors that every version has, on some node or other. */
  public static final Set<String> BUILT_IN = Set.of("http", "local", "script");

  private static final Check.Plain GIVEN = new Check.Plain("given");

  private final Optional<Set<String>> executorTypes;

  /**
   * @param executorTypes those that workers have beside the built-in ones; empty if that is not known here
   */
  public Supported(Optional<Set<String>> executorTypes) {
    this.executorTypes = executorTypes.map(given -> {
      var all = new TreeSet<>(given);
      all.addAll(BUILT_IN);
      return all;
    });
  }

  /**
   * Refuses what would not happen.
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
        "expectations are not watched yet, and nobody would be told",
        "Remove expect; alert on the metrics of the job instead.");
    require(
        job.notifications().equals(Notifications.NONE),
        "notify",
        "notifications are not sent yet",
        "Remove notify; follow the events or alert on the metrics instead.");
    checkExecutor(job.work().executor().type());
  }

  /**
   * Refuses a type that no worker has.
   *
   * @throws io.belfry.model.InvalidException which names the types there are
   */
  public void checkExecutor(String type) {
    executorTypes.ifPresent(types -> Check.that(
        types.contains(type),
        "executor.type",
        type,
        "must be one of " + String.join(", ", types)
            + ", because no worker would know how to carry it out",
        "Correct the type. If workers of another program have such an executor, name the type"
            + " in executors.types, or with Settings.executorTypes in the library."));
  }

  private static void require(boolean holds, String field, String why, String remedy) {
    Check.that(holds, field, GIVEN, "must be left out, because " + why, remedy);
  }
}
