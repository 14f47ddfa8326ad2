package io.belfry.core.reign;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.fire.FirePlan;
import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Definitions of jobs, read when a job fires. The latest are kept, each for its generation.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Definitions {
  private static final int KEPT_MAX = 10_000;

  /**
   * A job, ready to be planned.
   *
   * @param plan empty while its calendar is not known
   * @param edition of the calendars, if it goes by one
   */
  record Known(Job job, Optional<FirePlan> plan, OptionalLong edition) {
    boolean canPlan(long generation) {
      return plan.isPresent() && job.generation() == generation;
    }

    FirePlan rule() {
      return plan.orElseThrow();
    }

    /** What is decided by a calendar holds only as long as that stands. */
    void addTo(Commit.Builder commit) {
      if (edition.isPresent()) {
        commit.unchanged(Keys.CALENDAR_EDITION, edition.getAsLong());
      }
    }
  }

  private final Loop loop;
  private final Store store;
  private final CalendarBook calendars;
  private final Map<JobId, Known> kept = new LinkedHashMap<>(64, 0.75f, true) {
    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<JobId, Known> eldest) {
      return size() > KEPT_MAX;
    }
  };

  Definitions(Loop loop, Store store, CalendarBook calendars) {
    this.loop = loop;
    this.store = store;
    this.calendars = calendars;
  }

  /** The definition of this generation, if it is at hand and can be planned by. */
  Optional<Known> find(JobId job, long generation) {
    Known known = kept.get(job);
    if (known == null || known.job.generation() != generation) {
      return Optional.empty();
    }
    if (known.edition.isPresent() && !known.edition.equals(calendars.edition())) {
      known = known(known.job);
      kept.put(job, known);
    }
    return Optional.of(known).filter(each -> each.plan.isPresent());
  }

  private Known known(Job job) {
    Optional<String> name = Timetables.calendar(job);
    if (name.isEmpty()) {
      return new Known(job, Optional.of(FirePlan.of(job, Optional.empty())), OptionalLong.empty());
    }
    Optional<Calendar> calendar = calendars.find(name.get());
    OptionalLong edition = calendars.edition();
    return new Known(
        job,
        calendar
            .filter(unused -> edition.isPresent())
            .map(found -> FirePlan.of(job, Optional.of(found))),
        edition);
  }

  /** Reads definitions as they stand now; those that do not exist are left out. */
  void read(List<JobId> jobs, Consumer<Map<JobId, Known>> then, Runnable failed) {
    loop.hear(
        store.get(jobs.stream().map(Keys::job).toList()),
        entries -> {
          Map<JobId, Known> found = new LinkedHashMap<>();
          for (Entry entry : entries) {
            Legible.read(entry, each -> known(Records.job(each.value()))).ifPresent(known -> {
              kept.put(known.job.id(), known);
              found.put(known.job.id(), known);
            });
          }
          then.accept(found);
        },
        failure -> failed.run());
  }
}
