package io.belfry.core.retain;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Drops the versions of jobs that were deleted long ago, and what was kept of them so that neither a generation nor an instant comes back: by
 * then nobody has heard of either. Not if the job has been made again since: then they are its own, and a later deletion says when they
 * may go. That it is still gone, and was not deleted anew, guards the commit.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class VersionDrop {
  /** Each takes a write for every version and two more. */
  static final int JOBS_AT_ONCE = 5;

  private final Loop loop;
  private final Store store;

  VersionDrop(Loop loop, Store store) {
    this.loop = loop;
    this.store = store;
  }

  /**
   * Adds to a commit what drops these versions.
   *
   * @param due of each deletion
   * @param then goes on with the commit
   * @param failed called instead when the store could not be asked
   */
  void add(List<Entry> due, Commit.Builder commit, Consumer<Commit.Builder> then, Runnable failed) {
    List<String> names = due.stream().map(entry -> Keys.expiring(entry.key())).toList();
    Set<Key> questions = new LinkedHashSet<>();
    for (String name : names) {
      questions.add(Keys.job(Keys.versionJob(name)));
      questions.add(Keys.buried(Keys.versionJob(name)));
    }
    loop.hear(
        store.get(questions),
        found -> {
          Map<Key, Entry> answers = new HashMap<>();
          found.forEach(entry -> answers.put(entry.key(), entry));
          names.forEach(name -> add(name, answers, commit));
          then.accept(commit);
        },
        failure -> failed.run());
  }

  /** Of several deletions of one job at most one is the last. */
  private static void add(String name, Map<Key, Entry> answers, Commit.Builder commit) {
    JobId job = Keys.versionJob(name);
    long generation = Keys.versionGeneration(name);
    Entry grave = answers.get(Keys.buried(job));
    if (answers.containsKey(Keys.job(job)) || grave == null || !isOf(grave, generation)) {
      return;
    }
    commit.absent(Keys.job(job)).unchanged(grave).delete(grave.key());
    for (long each = Math.max(1, generation - RetainSettings.VERSIONS + 1);
        each <= generation;
        each++) {
      commit.delete(Keys.version(job, each));
    }
  }

  private static boolean isOf(Entry grave, long generation) {
    try {
      return Records.cursor(grave.value()).generation() == generation;
    } catch (DamagedRecordException e) {
      return false;
    }
  }
}
