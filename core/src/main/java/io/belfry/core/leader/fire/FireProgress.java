package io.belfry.core.leader.fire;

import io.belfry.core.fire.JobTable;
import io.belfry.core.loop.Loop;
import java.time.Duration;
import java.time.Instant;

/**
 * For how long this leader has owed a decision about a due job without deciding any: an engine that accepts nothing, or commits that were
 * lost, show here whatever else succeeds. A job that waits for its share of the catch-up rate, or whose definition cannot be read, is put off,
 * not owed.
 *
 * <p>Threading: {@link #check} is confined to the leader's loop; {@link #stalled} may be called from any thread.
 */
public final class FireProgress {
  /** What is due at this moment is about to be decided. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Loop loop;
  private final JobTable jobs;
  private final CursorWrites cursors;
  private long decided;
  private volatile long sinceNanos;
  private volatile boolean owing;

  public FireProgress(Loop loop, JobTable jobs, CursorWrites cursors) {
    this.loop = loop;
    this.jobs = jobs;
    this.cursors = cursors;
    this.sinceNanos = loop.time().nanos();
  }

  /**
   * Looked at once a second.
   *
   * @param loading whether the leader has not read all it needs before it may decide
   * @param paused whether nothing shall be fired
   */
  public void check(boolean loading, boolean paused) {
    boolean owed = loading || (!paused && (cursors.inFlight() > 0 || isDue()));
    if (!owed || cursors.decided() != decided) {
      decided = cursors.decided();
      sinceNanos = loop.time().nanos();
    }
    owing = owed;
  }

  private boolean isDue() {
    Instant limit = loop.time().wall().minus(GRACE);
    return jobs.next().filter(limit::isAfter).isPresent();
  }

  /** Zero while nothing is owed, or something was decided within the last second. */
  public Duration stalled() {
    return owing ? Duration.ofNanos(Math.max(0, loop.time().nanos() - sinceNanos)) : Duration.ZERO;
  }
}
