package io.belfry.library;

import io.belfry.core.calendar.Calendar;
import io.belfry.core.jobs.Calendars;
import io.belfry.model.Check;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Manages calendars, which define the days on which jobs fire. A change applies when its method returns: no job fires on an excluded day any
 * more. The jobs that use the calendar are rescheduled within a moment.
 *
 * <p>Threading: safe.
 */
public final class CalendarOperations {
  /** Maximum length of a preview, in days: ten years. */
  public static final int DAYS_MAX = 3660;

  private final Calls calls;
  private final Supplier<Calendars> calendars;

  CalendarOperations(Calls calls, Supplier<Calendars> calendars) {
    this.calls = calls;
    this.calendars = calendars;
  }

  /** A day, and whether the calendar includes it. */
  public record Day(LocalDate date, boolean included) {}

  /**
   * Creates or replaces the calendar.
   *
   * @throws io.belfry.model.InvalidException if its base calendar does not exist or refers back to it, or if it is too large
   */
  public Calendar save(Calendar calendar) {
    return calls.write(() -> calendars.get().put(calendar));
  }

  /** Gets a calendar. */
  public Optional<Calendar> get(String name) {
    return calls.read(() -> calendars.get().get(name));
  }

  /** Lists all calendars by name, at most {@link Calendars#CALENDARS_MAX}. */
  public List<Calendar> list() {
    return calls.read(() -> calendars.get().list());
  }

  /**
   * Deletes the calendar. Returns false if it did not exist.
   *
   * @throws io.belfry.model.InvalidException if jobs or other calendars use it; the message names some of them
   */
  public boolean delete(String name) {
    return calls.write(() -> calendars.get().delete(name));
  }

  /**
   * Shows which days this calendar includes, without saving it.
   *
   * @param from first day
   * @param days number of days, from 1 to {@link #DAYS_MAX}
   */
  public List<Day> preview(Calendar calendar, LocalDate from, int days) {
    return preview(calls.begin(), calendar, from, days);
  }

  private List<Day> preview(Calls.Span span, Calendar calendar, LocalDate from, int days) {
    Check.between("days", days, 1, DAYS_MAX, "a preview is kept in memory");
    Calendar whole = span.read(() -> calendars.get().resolved(calendar));
    var preview = new ArrayList<Day>(days);
    for (LocalDate date = from; preview.size() < days; date = date.plusDays(1)) {
      preview.add(new Day(date, whole.includes(date)));
    }
    return List.copyOf(preview);
  }

  /** Shows which days a stored calendar includes. */
  public List<Day> preview(String name, LocalDate from, int days) {
    Calls.Span span = calls.begin();
    Calendar saved = span.read(() -> calendars.get().get(name))
        .orElseThrow(() -> Check.refusal(
            "calendar",
            name,
            "must be a calendar that exists",
            "Correct the name, or save the calendar first."));
    return preview(span, saved, from, days);
  }
}
