package io.belfry.core.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.job.JobId;
import io.belfry.store.Key;
import io.belfry.store.Scan;

/** Keys of calendars, of the pending work after their changes, and of the jobs that use them. Threading: stateless. */
public final class CalendarKeys {
  private static final String CALENDAR = "c/";
  private static final String CHANGE = "./";

  private CalendarKeys() {}

  public static Key calendar(String name) {
    return Key.of(Keys.CALENDARS, CALENDAR + name);
  }

  /** Marks that cursors of jobs must still be planned anew after a change of this calendar. */
  public static Key change(String name) {
    return Key.of(Keys.CALENDARS, CHANGE + name);
  }

  public static boolean isCalendar(Key key) {
    return key.space().equals(Keys.CALENDARS) && key.text().startsWith(CALENDAR);
  }

  public static boolean isChange(Key key) {
    return key.space().equals(Keys.CALENDARS) && key.text().startsWith(CHANGE);
  }

  /** The name of the calendar in such a key. */
  public static String name(Key key) {
    return key.text().substring(CALENDAR.length());
  }

  public static Key user(String calendar, JobId job) {
    return Key.of(Keys.CALENDAR_USERS, calendar + "/" + job);
  }

  /** Rewritten by every job that starts using the calendar. */
  public static Key use(String calendar) {
    return Key.of(Keys.CALENDAR_USERS, calendar);
  }

  /** The jobs that use the calendar, ordered by id. */
  public static Scan users(String calendar) {
    return Scan.prefix(Keys.CALENDAR_USERS, (calendar + "/").getBytes(UTF_8));
  }

  /** The job in such a key. Neither names nor ids contain a slash. */
  public static JobId user(Key key) {
    return new JobId(key.text().substring(key.text().indexOf('/') + 1));
  }
}
