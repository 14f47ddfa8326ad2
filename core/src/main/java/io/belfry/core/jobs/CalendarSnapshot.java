package io.belfry.core.jobs;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.CalendarChange;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A snapshot of all calendars at one edition. Threading: immutable. */
final class CalendarSnapshot {
  /** A page was older than the edition that was read before it. */
  static final class Lagging extends RuntimeException {
    private static final long serialVersionUID = 1;

    Lagging() {
      super("The store returned a stale read. Try again.", null, false, false);
    }
  }

  private final Optional<Entry> edition;
  private final Map<String, Calendar> calendars;
  private final Map<String, Instant> changes;

  private CalendarSnapshot(
      Optional<Entry> edition, Map<String, Calendar> calendars, Map<String, Instant> changes) {
    this.edition = edition;
    this.calendars = calendars;
    this.changes = changes;
  }

  static CompletionStage<CalendarSnapshot> read(Store store) {
    return read(store, Scan.all(Keys.CALENDARS), new ArrayList<>()).thenApply(CalendarSnapshot::of);
  }

  private static CompletionStage<List<Entry>> read(Store store, Scan scan, List<Entry> entries) {
    return store.scan(scan).thenCompose(page -> {
      entries.addAll(page.entries());
      requireNotOlder(page, entries);
      return page.next()
          .map(rest -> read(store, rest, entries))
          .orElseGet(() -> CompletableFuture.completedStage(entries));
    });
  }

  /** The edition is read first: every later page must be at least as new. */
  private static void requireNotOlder(Page page, List<Entry> entries) {
    if (!entries.isEmpty() && entries.getFirst().revision() > page.revision()) {
      throw new Lagging();
    }
  }

  private static CalendarSnapshot of(List<Entry> entries) {
    Optional<Entry> edition = Optional.empty();
    var calendars = new TreeMap<String, Calendar>();
    var changes = new TreeMap<String, Instant>();
    for (Entry entry : entries) {
      if (entry.key().equals(Keys.CALENDAR_EDITION)) {
        edition = Optional.of(entry);
      } else if (CalendarKeys.isChange(entry.key())) {
        CalendarChange change = Records.calendarChange(entry.value());
        changes.put(CalendarKeys.name(entry.key()), change.since());
      } else {
        calendars.put(CalendarKeys.name(entry.key()), Records.calendar(entry.value()));
      }
    }
    return new CalendarSnapshot(edition, calendars, changes);
  }

  List<Calendar> all() {
    return List.copyOf(calendars.values());
  }

  Optional<Calendar> find(String name) {
    return Optional.ofNullable(calendars.get(name));
  }

  /** When the calendar was changed, if the leader has not yet planned the jobs that use it anew. */
  Optional<Instant> changed(String name) {
    return Optional.ofNullable(changes.get(name));
  }

  /** The names of the calendars that extend it directly. */
  List<String> restingOn(String name) {
    return calendars.values().stream()
        .filter(each -> each.base().equals(Optional.of(name)))
        .map(Calendar::name)
        .toList();
  }

  CalendarSnapshot with(Calendar calendar) {
    var more = new TreeMap<>(calendars);
    more.put(calendar.name(), calendar);
    return new CalendarSnapshot(edition, more, changes);
  }

  /**
   * Refuses calendars of which any lacks its base, is part of a cycle, or is too large.
   *
   * @throws io.belfry.model.InvalidException which says what is wrong
   */
  void requireResolvable() {
    for (Calendar each : calendars.values()) {
      var unused = each.resolve(this::find);
    }
  }

  /** Begins a change of this snapshot: a new edition, guarded by the one that was read. */
  Commit.Builder change() {
    Commit.Builder commit = Commit.when();
    edition.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.CALENDAR_EDITION));
    return commit.put(Keys.CALENDAR_EDITION, new byte[0]);
  }
}
