package io.belfry.core.leader.fire;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.CalendarKeys;
import io.belfry.core.keys.Keys;
import io.belfry.core.record.CalendarChange;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.InvalidException;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The calendars, as far as the watch has delivered. What is decided by one is guarded by the edition, which every change rewrites: so a
 * cache that is behind decides nothing.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class CalendarCache implements Follower.Sink {
  /** That a calendar was changed, by the step of this revision. */
  record Changed(String calendar, CalendarChange change, long revision) {}

  /** A value, and the step that wrote it. */
  private record Known<T>(T value, long revision) {}

  private final Runnable loaded;
  private final Runnable listener;
  private final Map<String, Known<Calendar>> calendars = new TreeMap<>();
  private final Map<String, Known<CalendarChange>> changes = new TreeMap<>();
  private final Map<String, Optional<Calendar>> resolved = new HashMap<>();
  private OptionalLong edition = OptionalLong.empty();
  private boolean reading;

  /**
   * An empty cache.
   *
   * @param loaded called when all calendars have been read
   * @param listener called then, and whenever a calendar has changed
   */
  public CalendarCache(Runnable loaded, Runnable listener) {
    this.loaded = loaded;
    this.listener = listener;
  }

  /** The edition of what is cached; empty while nothing is, or not all of it. */
  OptionalLong edition() {
    return reading ? OptionalLong.empty() : edition;
  }

  /** The calendar with the rules of those that it rests on; empty if not all of them are known. */
  Optional<Calendar> find(String name) {
    return resolved.computeIfAbsent(name, this::resolve);
  }

  private Optional<Calendar> resolve(String name) {
    try {
      return plain(name).map(calendar -> calendar.resolve(this::plain));
    } catch (InvalidException e) {
      return Optional.empty(); // a base has not arrived yet, or cannot be read
    }
  }

  private Optional<Calendar> plain(String name) {
    return Optional.ofNullable(calendars.get(name)).map(Known::value);
  }

  /** What is still to be done. */
  Optional<Changed> nextChange() {
    return reading
        ? Optional.empty()
        : changes.entrySet().stream()
            .findFirst()
            .map(each -> new Changed(
                each.getKey(), each.getValue().value(), each.getValue().revision()));
  }

  boolean isCurrent(Changed changed) {
    Known<CalendarChange> now = changes.get(changed.calendar);
    return now != null && now.revision == changed.revision;
  }

  void done(Changed changed) {
    if (isCurrent(changed)) {
      changes.remove(changed.calendar);
    }
  }

  /**
   * Since when the days of a calendar may be others than its jobs were planned by: the oldest change of it, or of one that it rests on,
   * that is not done with.
   */
  Optional<Instant> changedSince(String name) {
    return chain(name).stream()
        .flatMap(each -> Optional.ofNullable(changes.get(each)).stream())
        .map(listener -> listener.value().since())
        .min(Instant::compareTo);
  }

  /** The calendar and all that rest on it, in the order of their names. */
  List<String> restingOn(String name) {
    return calendars.keySet().stream()
        .filter(each -> chain(each).contains(name))
        .toList();
  }

  /** The calendar and those that it rests on. */
  private List<String> chain(String name) {
    var chain = new ArrayList<String>();
    Optional<String> at = Optional.of(name);
    while (at.isPresent() && chain.size() <= Calendar.BASES_MAX) {
      chain.add(at.get());
      at = plain(at.get()).flatMap(Calendar::base);
    }
    return chain;
  }

  @Override
  public void loading() {
    reading = true;
    calendars.clear();
    changes.clear();
    resolved.clear();
    edition = OptionalLong.empty();
  }

  @Override
  public void put(Entry entry) {
    if (entry.key().equals(Keys.CALENDAR_EDITION)) {
      if (entry.revision() > edition.orElse(0)) {
        edition = OptionalLong.of(entry.revision());
      }
    } else if (CalendarKeys.isChange(entry.key())) {
      SafeDecoder.read(entry, each -> Records.calendarChange(each.value()))
          .ifPresent(change -> put(changes, entry, change));
    } else {
      SafeDecoder.read(entry, each -> Records.calendar(each.value()))
          .ifPresent(calendar -> put(calendars, entry, calendar));
    }
    notifyChanged();
  }

  private static <T> void put(Map<String, Known<T>> map, Entry entry, T value) {
    String name = CalendarKeys.name(entry.key());
    Known<T> known = map.get(name);
    if (known == null || known.revision < entry.revision()) {
      map.put(name, new Known<>(value, entry.revision()));
    }
  }

  @Override
  public void deleted(Key key, long revision) {
    if (CalendarKeys.isChange(key)) {
      delete(changes, key, revision);
    } else if (CalendarKeys.isCalendar(key)) {
      delete(calendars, key, revision);
    }
    notifyChanged();
  }

  private static <T> void delete(Map<String, Known<T>> map, Key key, long revision) {
    Known<T> known = map.get(CalendarKeys.name(key));
    if (known != null && known.revision < revision) {
      map.remove(CalendarKeys.name(key));
    }
  }

  @Override
  public void loaded() {
    reading = false;
    loaded.run();
    notifyChanged();
  }

  private void notifyChanged() {
    resolved.clear();
    if (!reading) {
      listener.run();
    }
  }
}
