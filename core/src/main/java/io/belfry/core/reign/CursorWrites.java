package io.belfry.core.reign;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which jobs have a commit of their cursor away: one each. And what to do when it comes back.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class CursorWrites {
  static final Duration PAUSE = Duration.ofMillis(100);

  private final Loop loop;
  private final Store store;
  private final JobTable jobs;
  private final Runnable changed;
  private final Set<JobId> away = new HashSet<>();

  /**
   * None is away.
   *
   * @param changed called when a cursor was read again
   */
  CursorWrites(Loop loop, Store store, JobTable jobs, Runnable changed) {
    this.loop = loop;
    this.store = store;
    this.jobs = jobs;
    this.changed = changed;
  }

  int away() {
    return away.size();
  }

  /** Whether the caller may decide about the job; it says when it has. */
  boolean begin(JobId job) {
    return away.add(job);
  }

  /**
   * It is decided. The table may have heard the new cursor before we heard the answer, and the job may have been due by it while it was
   * away, and have been passed over: so it is woken whatever the table knows.
   */
  void isBack(JobId job) {
    away.remove(job);
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, at));
  }

  /** The cursor is not as believed: takes in what stands there, and tries again if that is still due. */
  void refresh(JobId job) {
    loop.hear(
        store.get(List.of(Keys.cursor(job))),
        found -> {
          away.remove(job);
          found.forEach(entry -> Legible.read(entry, each -> Records.cursor(each.value()))
              .ifPresent(cursor -> takeIn(job, cursor, entry.revision())));
          changed.run();
        },
        failure -> again(job));
  }

  private void takeIn(JobId job, Cursor cursor, long revision) {
    if (!jobs.put(job, cursor, revision)) {
      cursor.next().ifPresent(at -> jobs.wake(job, inAWhile(at)));
    }
  }

  /** Not at once, however long it has been due: what stands in the way may stand there for long. */
  private Instant inAWhile(Instant due) {
    Instant now = loop.time().wall();
    return (due.isAfter(now) ? due : now).plus(PAUSE);
  }

  void again(JobId job) {
    var unused = loop.in(PAUSE, () -> refresh(job));
  }
}
