package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.Backoff;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.JobId;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which jobs have a commit of their cursor in flight, at most one each; and what to do when it is answered.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class CursorWrites {
  private final TermLoop loop;
  private final Store store;
  private final JobTable jobs;
  private final Runnable changed;
  private final Set<JobId> inFlight = new HashSet<>();
  private final Consumer<JobId> written;
  private long decided;

  /**
   * None is in flight.
   *
   * @param written called for each job whose cursor is no longer being written
   */
  public CursorWrites(TermContext term, JobTable jobs, Consumer<JobId> written) {
    this.loop = term.loop();
    this.store = term.store();
    this.jobs = jobs;
    this.changed = term.wakeUp();
    this.written = written;
  }

  int inFlight() {
    return inFlight.size();
  }

  /** How many decisions have been made. */
  long decided() {
    return decided;
  }

  /** Whether the caller may decide about the job; it says when it has. */
  public boolean begin(JobId job) {
    return inFlight.add(job);
  }

  /**
   * It is decided. The table may have received the new cursor before the answer, and the job may have become due by it while its commit was
   * in flight, and have been skipped: so it is woken whatever the table knows.
   */
  void writeFinished(JobId job) {
    inFlight.remove(job);
    decided++;
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, at));
    written.accept(job);
  }

  /** The cursor differs from what is known: reads it, and tries again if it is still due. */
  public void refresh(JobId job) {
    refresh(job, Backoff.SOON);
  }

  /** The same for a job whose definition cannot be read: it may have been deleted, or an operator has to repair it. */
  void refreshSlowly(JobId job) {
    refresh(job, Backoff.RARELY);
  }

  private void refresh(JobId job, Duration pause) {
    loop.read(() -> store.get(List.of(Keys.cursor(job))), found -> {
      inFlight.remove(job);
      Optional<Entry> entry = found.stream().findFirst();
      entry
          .flatMap(read -> SafeDecoder.read(read, each -> Records.cursor(each.value())))
          .ifPresentOrElse(
              cursor -> recordCursor(job, cursor, entry.orElseThrow().revision(), pause),
              () -> wakeKnown(job, entry.isPresent() ? Backoff.RARELY : pause));
      written.accept(job);
      changed.run();
    });
  }

  private void recordCursor(JobId job, Cursor cursor, long revision, Duration pause) {
    if (!jobs.put(job, cursor, revision)) {
      cursor.next().ifPresent(at -> jobs.wake(job, inAWhile(at, pause)));
    }
  }

  /**
   * There was none when it was read, or none that can be read. The table may know better: a job that was created again meanwhile may have been
   * due while its commit was in flight, and have been skipped.
   */
  private void wakeKnown(JobId job, Duration pause) {
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, inAWhile(at, pause)));
  }

  /** Not at once, however long it has been due: what is in the way may be there for long. */
  private Instant inAWhile(Instant due, Duration pause) {
    Instant now = loop.time().wall();
    return (due.isAfter(now) ? due : now).plus(pause);
  }

  void again(JobId job) {
    loop.retry(() -> refresh(job));
  }
}
