package io.belfry.core.leader.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Definitions of jobs, read when a job fires. The latest are kept, each for its generation, as far as they weigh little: those of very
 * large jobs are read again.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class JobDefinitions {
  private static final int KEPT_MAX = 10_000;
  private static final long KEPT_BYTES_MAX = 64L << 20;

  /** What a task has beside its job's work, and a definition beside its record. */
  private static final int FRAME = 1024;

  /**
   * A job, ready to be planned.
   *
   * @param plan empty while its calendar is not known
   * @param edition of the calendars, if it goes by one
   * @param bytes of its record, which holds all that a task of it does
   * @param revision of its record
   */
  public record Known(
      Job job, Optional<FirePlan> plan, OptionalLong edition, int bytes, long revision) {
    /** How many tasks of it one commit may make. */
    int firesMax() {
      return Math.clamp(CommitLimits.FIRE.bytes() / (bytes + FRAME), 1, FirePlan.OUTCOMES_MAX);
    }

    /** About what it takes in memory, where its payload is not compressed. */
    private int weight() {
      return FRAME + Math.max(bytes, job.work().payload().size());
    }

    boolean canPlan(long generation) {
      return plan.isPresent() && job.generation() == generation;
    }

    FirePlan rule() {
      return plan.orElseThrow();
    }

    /** What is decided by a calendar is guarded by its edition. */
    void addTo(Commit.Builder commit) {
      if (edition.isPresent()) {
        commit.unchanged(Keys.CALENDAR_EDITION, edition.getAsLong());
      }
    }
  }

  private final TermLoop loop;
  private final Store store;
  private final CalendarCache calendars;
  private final Map<JobId, Known> kept = new LinkedHashMap<>(64, 0.75f, true);
  private long weight;

  public JobDefinitions(TermContext term, CalendarCache calendars) {
    this.loop = term.loop();
    this.store = term.store();
    this.calendars = calendars;
  }

  /** The definition of this generation, if it is at hand and can be planned by. */
  Optional<Known> find(JobId job, long generation) {
    Known known = kept.get(job);
    if (known == null || known.job.generation() != generation) {
      return Optional.empty();
    }
    if (known.edition.isPresent() && !known.edition.equals(calendars.edition())) {
      known = known(known.job, known.bytes, known.revision);
      keep(known);
    }
    return Optional.of(known).filter(each -> each.plan.isPresent());
  }

  private void keep(Known known) {
    Known before = kept.put(known.job.id(), known);
    weight += known.weight() - (before == null ? 0 : before.weight());
    Iterator<Known> eldest = kept.values().iterator();
    while (kept.size() > KEPT_MAX || weight > KEPT_BYTES_MAX) {
      weight -= eldest.next().weight();
      eldest.remove();
    }
  }

  /** What the definitions that are at hand weigh. */
  long weight() {
    return weight;
  }

  private Known known(Entry entry) {
    return known(Records.job(entry.value()), entry.value().length, entry.revision());
  }

  private Known known(Job job, int bytes, long revision) {
    Optional<String> name = Timetables.calendar(job);
    if (name.isEmpty()) {
      Optional<FirePlan> plan = Optional.of(FirePlan.of(job, Optional.empty()));
      return new Known(job, plan, OptionalLong.empty(), bytes, revision);
    }
    Optional<Calendar> calendar = calendars.find(name.get());
    OptionalLong edition = calendars.edition();
    return new Known(
        job,
        calendar
            .filter(unused -> edition.isPresent())
            .map(found -> FirePlan.of(job, Optional.of(found))),
        edition,
        bytes,
        revision);
  }

  /** Reads the stored definitions; those that do not exist are left out. */
  public void read(List<JobId> jobs, Consumer<Map<JobId, Known>> then, Runnable failed) {
    loop.onResult(
        store.get(jobs.stream().map(Keys::job).toList()),
        entries -> {
          Map<JobId, Known> found = new LinkedHashMap<>();
          for (Entry entry : entries) {
            SafeDecoder.read(entry, this::known).ifPresent(known -> {
              keep(known);
              found.put(known.job.id(), known);
            });
          }
          then.accept(found);
        },
        failure -> failed.run());
  }
}
