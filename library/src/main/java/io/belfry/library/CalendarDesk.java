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
 * Calendars, which say on which days jobs fire. A change holds from when its method has returned: no job fires any more on a day that was
 * taken out, and a moment later every job that goes by the calendar has been planned by the new days.
 *
 * <p>Threading: safe.
 */
public final class CalendarDesk {
  /** Of a preview: ten years. */
  public static final int DAYS_MAX = 3660;

  private final Calls calls;
  private final Supplier<Calendars> calendars;

  CalendarDesk(Calls calls, Supplier<Calendars> calendars) {
    this.calls = calls;
    this.calendars = calendars;
  }

  /** A day, and whether it counts. */
  public record Day(LocalDate date, boolean included) {}

  /**
   * Saves the calendar, whatever stood there before.
   *
   * @throws io.belfry.model.InvalidException if its base is missing or leads back to it, or if it is too large
   */
  public Calendar put(Calendar calendar) {
    return calls.write(() -> calendars.get().put(calendar));
  }

  public Optional<Calendar> get(String name) {
    return calls.read(() -> calendars.get().get(name));
  }

  /** All calendars, in the order of their names: at most {@link Calendars#CALENDARS_MAX}. */
  public List<Calendar> list() {
    return calls.read(() -> calendars.get().list());
  }

  /**
   * Takes the calendar out. False if there was none.
   *
   * @throws io.belfry.model.InvalidException if jobs go by it, or other calendars rest on it; some of them are named
   */
  public boolean delete(String name) {
    return calls.write(() -> calendars.get().delete(name));
  }

  /**
   * Which days count by this calendar, saved or not, from one day on.
   *
   * @param days how many, from 1 to {@link #DAYS_MAX}
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

  /** The same for a calendar that is saved. */
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
