package io.belfry.core.leader.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.fire.JobTable;
import io.belfry.core.fire.Timetables;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Plans the cursors of jobs anew after a change of their calendar.
 *
 * <pre>
 *   change ──▶ calendars that rest on it ──▶ their jobs, page by page ──▶ each: commit(cursor, edition unchanged): cursor
 *     ▲                                                                      │ all of them
 *     └──── the next change ◀── commit(change unchanged): change deleted ◀───┘
 * </pre>
 *
 * <p>The change is stored until all is done: the next leader begins with it anew, which leads to the same cursors. A cursor is rewritten
 * even where it does not change, because only a commit proves that the cursor that was read was the newest.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class CalendarReplanner {
  private static final int PAGE = 50;

  private final TermLoop loop;
  private final Store store;
  private final TermCommitter committer;
  private final JobTable jobs;
  private final CalendarCache cache;
  private final Runnable changed;
  private final Follower follower;
  private boolean busy;

  public CalendarReplanner(TermContext term, JobTable jobs, CalendarCache cache) {
    this.loop = term.loop();
    this.store = term.store();
    this.committer = term.committer();
    this.jobs = jobs;
    this.cache = cache;
    this.changed = term.wakeUp();
    this.follower = new Follower(loop, store, Keys.CALENDARS, cache);
  }

  public void start() {
    follower.start();
  }

  public void stop() {
    follower.stop();
  }

  /** Takes up the next change, unless one is under way. */
  public void check() {
    if (!busy) {
      cache.nextChange().ifPresent(change -> {
        busy = true;
        new Walk(change).next();
      });
    }
  }

  /** All jobs that a change concerns. */
  private final class Walk {
    private final CalendarCache.Changed change;
    private final List<String> concerned;
    private final Deque<String> calendars;
    /** Of the page that was read last. */
    private final Set<JobId> left = new LinkedHashSet<>();
    /** Listed on it, but not found; deleted since, or not seen yet. */
    private final Set<JobId> missing = new HashSet<>();

    private Optional<Scan> page = Optional.empty();
    private Optional<Scan> rest = Optional.empty();
    private int inFlight;

    Walk(CalendarCache.Changed change) {
      this.change = change;
      this.concerned = cache.restingOn(change.calendar());
      this.calendars = new ArrayDeque<>(concerned);
    }

    void next() {
      if (!cache.isCurrent(change)) {
        over(); // changed again meanwhile, or deleted
      } else if (!left.isEmpty()) {
        read();
      } else if (!missing.isEmpty()) {
        scan(page.orElseThrow());
      } else if (rest.isPresent()) {
        scan(rest.get());
      } else if (!calendars.isEmpty()) {
        scan(CalendarKeys.users(calendars.remove()).limit(PAGE));
      } else {
        finish();
      }
    }

    private void scan(Scan scan) {
      page = Optional.of(scan);
      loop.read(() -> store.scan(scan), found -> {
        if (found.revision() < change.revision()) {
          loop.retry(() -> scan(scan)); // jobs may be missing that were saved before the change
        } else {
          rest = found.next();
          found.entries().forEach(entry -> left.add(CalendarKeys.user(entry.key())));
          if (!missing.isEmpty()) {
            left.retainAll(missing);
            missing.clear();
          }
          next();
        }
      });
    }

    private void read() {
      var keys = new ArrayList<Key>();
      left.forEach(job -> {
        keys.add(Keys.job(job));
        keys.add(Keys.cursor(job));
      });
      loop.read(() -> store.get(keys), this::plan);
    }

    private void plan(List<Entry> found) {
      Map<Key, Entry> entries = new HashMap<>();
      found.forEach(entry -> entries.put(entry.key(), entry));
      OptionalLong edition = cache.edition();
      if (edition.isPresent()) {
        for (JobId id : List.copyOf(left)) {
          Entry definition = entries.get(Keys.job(id));
          Entry cursor = entries.get(Keys.cursor(id));
          if (definition == null || cursor == null) {
            left.remove(id);
            missing.add(id);
          } else {
            Optional<Job> job = SafeDecoder.read(definition, each -> Records.job(each.value()));
            Optional<Cursor> before =
                SafeDecoder.read(cursor, each -> Records.cursor(each.value()));
            if (job.isPresent() && before.isPresent()) {
              plan(job.get(), cursor, before.get(), edition.getAsLong());
            } else {
              left.remove(id);
            }
          }
        }
      }
      if (inFlight == 0) {
        rest();
      }
    }

    /** What was refused, or not found, is not asked for again at once. */
    private void rest() {
      if (left.isEmpty() && missing.isEmpty()) {
        next();
      } else {
        loop.retry(this::next);
      }
    }

    private void plan(Job job, Entry stored, Cursor before, long edition) {
      Optional<String> name = Timetables.calendar(job).filter(concerned::contains);
      if (name.isEmpty()) {
        left.remove(job.id()); // it has been saved since, and was planned then
        return;
      }
      Optional<Calendar> calendar = cache.find(name.get());
      if (calendar.isEmpty() || job.generation() != before.generation()) {
        return; // something of it was read or received too early
      }
      Instant now = loop.time().wall();
      // Another change, of one that it rests on, may be older and still to be done: nothing is
      // fired over its days.
      Instant since = cache.changedSince(name.get()).orElse(change.change().since());
      Cursor after = FirePlan.of(job, calendar).replanned(before, since.isAfter(now) ? now : since);
      inFlight++;
      committer.send(
          committer
              .commit()
              .unchanged(Keys.CALENDAR_EDITION, edition)
              .unchanged(stored)
              .put(stored.key(), Records.encode(after)),
          revision -> {
            jobs.put(job.id(), after, revision);
            left.remove(job.id());
            changed.run();
            answered();
          },
          guard -> answered());
    }

    private void answered() {
      if (--inFlight == 0) {
        rest();
      }
    }

    private void finish() {
      committer.send(
          committer
              .commit()
              .unchanged(CalendarKeys.change(change.calendar()), change.revision())
              .delete(CalendarKeys.change(change.calendar())),
          revision -> {
            cache.done(change);
            over();
          },
          guard -> loop.retry(this::over));
    }

    private void over() {
      busy = false;
      check();
    }
  }
}
