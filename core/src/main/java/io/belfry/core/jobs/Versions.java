package io.belfry.core.jobs;

import io.belfry.core.history.RetainSettings;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Weight;
import io.belfry.model.Check;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The earlier definitions of a job. Each is written by the commit that saves it, which also deletes the oldest one beyond the limit.
 *
 * <pre>
 *   save 21: put definition, cursor, version 21; delete version 1        generations have no gaps, so one is deleted for each new one
 *   delete : delete definition, cursor; put the hour in which the versions expire
 * </pre>
 *
 * <p>Threading: stateless.
 */
final class Versions {
  /** One commit writes a definition twice, and is bounded; and its work is copied into its tasks. */
  static final int JOB_BYTES_MAX = Weight.WORK_BYTES_MAX;

  private static final int KEPT = RetainSettings.VERSIONS;
  private static final Duration KEPT_FOR = RetainSettings.VERSIONS_OF_DELETED;

  private final Store store;

  Versions(Store store) {
    this.store = store;
  }

  /** Adds a version for the definition that this commit saves. */
  static void add(Commit.Builder commit, Job saved, byte[] definition) {
    Check.that(
        definition.length <= JOB_BYTES_MAX,
        "job",
        new Check.Amount(definition.length, "bytes"),
        "must take at most " + JOB_BYTES_MAX
            + " bytes in all, because it is stored in several versions",
        "Shorten its payload, its executor's settings or its metadata.");
    commit.put(Keys.version(saved.id(), saved.generation()), definition);
    if (saved.generation() > KEPT) {
      commit.delete(Keys.version(saved.id(), saved.generation() - KEPT));
    }
  }

  /** Adds to the commit that deletes a job when its versions expire. */
  static void bury(Commit.Builder commit, JobId id, long generation, Instant now) {
    long until = now.plus(KEPT_FOR).toEpochMilli();
    commit.put(Keys.versionExpiry(until, id, generation), new byte[0]);
  }

  /** All versions, newest first, without those that cannot be decoded. */
  CompletionStage<List<Job>> read(JobId id) {
    return read(Keys.versions(id), new ArrayList<>()).thenApply(List::reversed);
  }

  private CompletionStage<List<Job>> read(Scan scan, List<Job> found) {
    return store.scan(scan).thenCompose(page -> {
      page.entries()
          .forEach(entry ->
              SafeDecoder.read(entry, each -> Records.job(each.value())).ifPresent(found::add));
      return page.next()
          .map(next -> read(next, found))
          .orElseGet(() -> CompletableFuture.completedStage(found));
    });
  }

  /** The definition of that generation. */
  CompletionStage<Job> find(JobId id, long generation) {
    return store
        .get(List.of(Keys.version(id, Math.max(0, generation))))
        .thenApply(found -> found.stream()
            .findFirst()
            .flatMap(entry -> SafeDecoder.read(entry, each -> Records.job(each.value())))
            .orElseThrow(() -> Check.refusal(
                "generation",
                generation,
                "must be a stored version of job " + id + ": the last " + KEPT + ", for "
                    + KEPT_FOR.toDays() + " days after the job was deleted",
                "List the versions, and choose one of them.")));
  }
}
