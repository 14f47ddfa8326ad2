package io.belfry.core.history;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes the versions of jobs that were deleted long ago, and the records that keep their generations and instants from
 * being reused. The highest generation of all of them is kept, in one record for all jobs, and new jobs continue after it: so a
 * remembered generation, in a leader's cached definitions or a caller's ETag, never names another definition. Nothing
 * is deleted if the job has been created again since: then the versions are its own, and a later deletion decides about them. The commit is
 * guarded by the job's absence and by the record of this very deletion.
 *
 * <p>Threading: stateless.
 */
final class VersionDrop implements Drop {
  /** Each takes a write for every version and two more, and all together one. */
  static final int JOBS_AT_ONCE = 4;

  @Override
  public Set<Key> questions(List<Entry> due) {
    Set<Key> questions = new LinkedHashSet<>();
    questions.add(Keys.FORGOTTEN_JOBS);
    for (Entry entry : due) {
      JobId job = Keys.versionJob(Keys.expiring(entry.key()));
      questions.add(Keys.job(job));
      questions.add(Keys.buried(job));
    }
    return questions;
  }

  @Override
  public void addTo(Commit.Builder commit, List<Entry> due, Map<Key, Entry> answers) {
    long highest = 0;
    for (String name :
        due.stream().map(entry -> Keys.expiring(entry.key())).distinct().toList()) {
      highest = Math.max(highest, add(name, answers, commit));
    }
    raise(Optional.ofNullable(answers.get(Keys.FORGOTTEN_JOBS)), highest, commit);
  }

  private static void raise(Optional<Entry> stored, long highest, Commit.Builder commit) {
    long before = stored.map(VersionDrop::generation).orElse(0L);
    if (highest > before) {
      stored.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.FORGOTTEN_JOBS));
      var forgotten =
          new Cursor(highest, false, Optional.empty(), Optional.empty(), Optional.empty());
      commit.put(Keys.FORGOTTEN_JOBS, Records.encode(forgotten));
    }
  }

  /**
   * Adds one deletion. Of several deletions of one job at most one is the last.
   *
   * @return the generation that is now forgotten, or 0
   */
  private static long add(String name, Map<Key, Entry> answers, Commit.Builder commit) {
    JobId job = Keys.versionJob(name);
    long generation = Keys.versionGeneration(name);
    Entry deleted = answers.get(Keys.buried(job));
    if (answers.containsKey(Keys.job(job))
        || deleted == null
        || generation(deleted) != generation) {
      return 0;
    }
    commit.absent(Keys.job(job)).unchanged(deleted).delete(deleted.key());
    for (long each = Math.max(1, generation - RetainSettings.VERSIONS + 1);
        each <= generation;
        each++) {
      commit.delete(Keys.version(job, each));
    }
    return generation;
  }

  /** 0, which is no generation, if it cannot be decoded. */
  private static long generation(Entry deleted) {
    try {
      return Records.cursor(deleted.value()).generation();
    } catch (DamagedRecordException e) {
      return 0;
    }
  }
}
