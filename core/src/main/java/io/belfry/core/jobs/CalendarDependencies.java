package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.fire.Timetables;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.record.CalendarChange;
import io.belfry.core.record.Records;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The calendars that a change of a job depends on: the one its trigger used before, and the one it will use. Every record of either, with
 * their bases, guards the change, so that no job is planned with a calendar that was changed or deleted meanwhile.
 *
 * <p>Threading: stateless.
 */
final class CalendarDependencies {
  private final Store store;

  CalendarDependencies(Store store) {
    this.store = store;
  }

  /**
   * The calendars that were read.
   *
   * @param changed when {@code before} was changed, if the cursor may not have been planned anew since
   */
  record Found(
      Optional<Calendar> before,
      Optional<Instant> changed,
      Optional<Calendar> after,
      Map<Key, Optional<Entry>> read,
      Uses uses) {

    void addTo(Commit.Builder commit) {
      read.forEach(
          (key, entry) -> entry.ifPresentOrElse(commit::unchanged, () -> commit.absent(key)));
      uses.addTo(commit);
    }
  }

  /** Which calendar the job stops using, and which it starts using. */
  record Uses(JobId job, Optional<String> ends, Optional<String> begins) {
    static Uses of(JobId job, Optional<String> before, Optional<String> after) {
      boolean same = before.equals(after);
      return new Uses(job, same ? Optional.empty() : before, same ? Optional.empty() : after);
    }

    void addTo(Commit.Builder commit) {
      ends.ifPresent(name -> commit.delete(CalendarKeys.user(name, job)));
      // The second key tells a concurrent delete of the calendar about a use that its scan missed.
      begins.ifPresent(name -> commit
          .put(CalendarKeys.user(name, job), new byte[0])
          .put(CalendarKeys.use(name), new byte[0]));
    }
  }

  CompletionStage<Found> of(JobId id, Optional<Job> before, Optional<Job> after) {
    Optional<String> old = before.flatMap(Timetables::calendar);
    Optional<String> now = after.flatMap(Timetables::calendar);
    Uses uses = Uses.of(id, old, now);
    var read = new LinkedHashMap<Key, Optional<Entry>>();
    if (after.isEmpty() || (old.isEmpty() && now.isEmpty())) {
      return CompletableFuture.completedStage(
          new Found(Optional.empty(), Optional.empty(), Optional.empty(), read, uses));
    }
    return chain(old, read)
        .thenCompose(was -> chain(now, read)
            .thenApply(
                will -> new Found(resolved(was), changed(was, read), resolved(will), read, uses)));
  }

  /** The calendar and its bases; empty if the first does not exist. */
  private CompletionStage<List<Calendar>> chain(
      Optional<String> name, Map<Key, Optional<Entry>> read) {
    return name.map(first -> climb(first, new ArrayList<>(), read))
        .orElseGet(() -> CompletableFuture.completedStage(List.of()));
  }

  private CompletionStage<List<Calendar>> climb(
      String name, List<Calendar> chain, Map<Key, Optional<Entry>> read) {
    if (chain.size() > Calendar.BASES_MAX) {
      return CompletableFuture.completedStage(chain);
    }
    return read(name, read).thenCompose(found -> {
      found.ifPresent(chain::add);
      return found
          .flatMap(Calendar::base)
          .map(base -> climb(base, chain, read))
          .orElseGet(() -> CompletableFuture.completedStage(chain));
    });
  }

  private CompletionStage<Optional<Calendar>> read(String name, Map<Key, Optional<Entry>> read) {
    Key key = CalendarKeys.calendar(name);
    Optional<Entry> known = read.getOrDefault(key, Optional.empty());
    if (known.isPresent()) {
      return CompletableFuture.completedStage(known.map(entry -> Records.calendar(entry.value())));
    }
    return store.get(List.of(key, CalendarKeys.change(name))).thenApply(found -> {
      read.put(key, find(found, key));
      read.put(CalendarKeys.change(name), find(found, CalendarKeys.change(name)));
      return find(found, key).map(entry -> Records.calendar(entry.value()));
    });
  }

  private static Optional<Entry> find(List<Entry> found, Key key) {
    return found.stream().filter(entry -> entry.key().equals(key)).findFirst();
  }

  private static Optional<Calendar> resolved(List<Calendar> chain) {
    return chain.stream()
        .findFirst()
        .map(calendar -> calendar.resolve(
            base -> chain.stream().filter(each -> each.name().equals(base)).findFirst()));
  }

  private static Optional<Instant> changed(List<Calendar> chain, Map<Key, Optional<Entry>> read) {
    return chain.stream()
        .flatMap(calendar -> read
            .getOrDefault(CalendarKeys.change(calendar.name()), Optional.empty())
            .map(entry -> Records.calendarChange(entry.value()))
            .map(CalendarChange::since)
            .stream())
        .min(Instant::compareTo);
  }
}
