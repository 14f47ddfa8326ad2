package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.model.job.JobId;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Which jobs have a commit of their cursor away: one each. And what to do when it comes back.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class CursorWrites {
  static final Duration PAUSE = Duration.ofMillis(100);

  /** What somebody has to mend is not looked at all the time. */
  static final Duration LONG_PAUSE = Duration.ofSeconds(10);

  private final Loop loop;
  private final Store store;
  private final JobTable jobs;
  private final BooleanSupplier leads;
  private final Runnable changed;
  private final Set<JobId> away = new HashSet<>();
  private Consumer<JobId> back = job -> {};
  private long decided;

  /**
   * None is away.
   *
   * @param changed called when a cursor was read again
   */
  public CursorWrites(
      Loop loop, Store store, JobTable jobs, BooleanSupplier leads, Runnable changed) {
    this.loop = loop;
    this.store = store;
    this.jobs = jobs;
    this.leads = leads;
    this.changed = changed;
  }

  /** Hears of every job whose cursor is not away any more. */
  void onBack(Consumer<JobId> listener) {
    back = listener;
  }

  int away() {
    return away.size();
  }

  /** How many decisions have been made. */
  long decided() {
    return decided;
  }

  /** Whether the caller may decide about the job; it says when it has. */
  public boolean begin(JobId job) {
    return away.add(job);
  }

  /**
   * It is decided. The table may have heard the new cursor before we heard the answer, and the job may have been due by it while it was
   * away, and have been passed over: so it is woken whatever the table knows.
   */
  void isBack(JobId job) {
    away.remove(job);
    decided++;
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, at));
    back.accept(job);
  }

  /** The cursor is not as believed: takes in what stands there, and tries again if that is still due. */
  public void refresh(JobId job) {
    refresh(job, PAUSE);
  }

  /** The same for a job whose definition cannot be read: it may have been deleted, or somebody must mend it. */
  void refreshSlowly(JobId job) {
    refresh(job, LONG_PAUSE);
  }

  private void refresh(JobId job, Duration pause) {
    loop.onResult(
        store.get(List.of(Keys.cursor(job))),
        found -> {
          away.remove(job);
          Optional<Entry> entry = found.stream().findFirst();
          entry
              .flatMap(read -> Legible.read(read, each -> Records.cursor(each.value())))
              .ifPresentOrElse(
                  cursor -> takeIn(job, cursor, entry.orElseThrow().revision(), pause),
                  () -> wakeKnown(job, entry.isPresent() ? LONG_PAUSE : pause));
          back.accept(job);
          changed.run();
        },
        failure -> again(job));
  }

  private void takeIn(JobId job, Cursor cursor, long revision, Duration pause) {
    if (!jobs.put(job, cursor, revision)) {
      cursor.next().ifPresent(at -> jobs.wake(job, inAWhile(at, pause)));
    }
  }

  /**
   * There was none when it was read, or none that can be read. The table may know better: a job that was created again meanwhile may have been
   * due while it was away, and have been passed over.
   */
  private void wakeKnown(JobId job, Duration pause) {
    jobs.cursor(job)
        .filter(Cursor::active)
        .flatMap(Cursor::next)
        .ifPresent(at -> jobs.wake(job, inAWhile(at, pause)));
  }

  /** Not at once, however long it has been due: what stands in the way may stand there for long. */
  private Instant inAWhile(Instant due, Duration pause) {
    Instant now = loop.time().wall();
    return (due.isAfter(now) ? due : now).plus(pause);
  }

  void again(JobId job) {
    var unused = loop.in(PAUSE, () -> {
      if (leads.getAsBoolean()) {
        refresh(job);
      }
    });
  }
}
