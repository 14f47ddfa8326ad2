package io.belfry.model.cron;

import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/** When an expression fires within a day, grouped for a description. Threading: immutable. */
sealed interface TimesOfDay {

  /** Unit of a period. */
  enum Unit {
    SECOND,
    MINUTE,
    HOUR
  }

  /** A few fixed times. */
  record At(List<LocalTime> times) implements TimesOfDay {}

  /** All day, at every multiple of the unit. */
  record Every(int count, Unit unit) implements TimesOfDay {}

  /** All day, every {@code count} hours, at a minute and second past the hour that are not both 0. */
  record Hourly(int count, int minute, int second) implements TimesOfDay {}

  /** Periodically between two times, both of which fire. */
  record Within(int count, Unit unit, LocalTime first, LocalTime last) implements TimesOfDay {}

  /** Any other combination. */
  record Mixed(Part seconds, Part minutes, Part hours) implements TimesOfDay {}

  int FEW = 8;

  static TimesOfDay of(Pattern pattern) {
    List<Integer> seconds = Part.values(pattern.seconds());
    List<Integer> minutes = Part.values(pattern.minutes());
    List<Integer> hours = Part.values(pattern.hours());
    Part second = Part.of(pattern.seconds(), Field.SECOND);
    Part minute = Part.of(pattern.minutes(), Field.MINUTE);
    Part hour = Part.of(pattern.hours(), Field.HOUR);
    boolean oneMinute = minutes.size() == 1;
    boolean oneSecond = seconds.size() == 1;
    if (oneSecond && oneMinute) {
      return byHour(hour, hours, minutes.getFirst(), seconds.getFirst());
    }
    if (oneSecond && seconds.getFirst() == 0 && period(minute) > 0 && hour instanceof Part.All) {
      return new Every(period(minute), Unit.MINUTE);
    }
    if (period(second) > 0 && minute instanceof Part.All && hour instanceof Part.All) {
      return new Every(period(second), Unit.SECOND);
    }
    if (oneSecond && minutes.size() * hours.size() <= FEW && Part.commonStep(minutes) != 1) {
      return at(hours, minutes, seconds.getFirst());
    }
    if (seconds.equals(List.of(0)) && withoutHoles(hours)) {
      int step = hours.size() == 1 ? Part.commonStep(minutes) : period(minute);
      if (step > 0) {
        return within(step, Unit.MINUTE, hours, minutes, seconds);
      }
    }
    boolean oneStretch = minute instanceof Part.All
        ? withoutHoles(hours)
        : hours.size() == 1 && withoutHoles(minutes);
    int step = oneMinute && hours.size() == 1 ? Part.commonStep(seconds) : period(second);
    if (oneStretch && step > 0) {
      return within(step, Unit.SECOND, hours, minutes, seconds);
    }
    return new Mixed(second, minute, hour);
  }

  private static TimesOfDay byHour(Part hour, List<Integer> hours, int minute, int second) {
    if (hours.size() <= 3) {
      return at(hours, List.of(minute), second);
    }
    if (period(hour) > 0) {
      return minute == 0 && second == 0
          ? new Every(period(hour), Unit.HOUR)
          : new Hourly(period(hour), minute, second);
    }
    int step = Part.commonStep(hours);
    if (step > 0) {
      return within(step, Unit.HOUR, hours, List.of(minute), List.of(second));
    }
    return hours.size() <= FEW
        ? at(hours, List.of(minute), second)
        : new Mixed(Part.of(1L << second, Field.SECOND), Part.of(1L << minute, Field.MINUTE), hour);
  }

  private static At at(List<Integer> hours, List<Integer> minutes, int second) {
    List<LocalTime> times = new ArrayList<>();
    hours.forEach(hour -> minutes.forEach(minute -> times.add(LocalTime.of(hour, minute, second))));
    return new At(List.copyOf(times));
  }

  private static Within within(
      int step, Unit unit, List<Integer> hours, List<Integer> minutes, List<Integer> seconds) {
    return new Within(
        step,
        unit,
        LocalTime.of(hours.getFirst(), minutes.getFirst(), seconds.getFirst()),
        LocalTime.of(hours.getLast(), minutes.getLast(), seconds.getLast()));
  }

  /** The period of the values if they are evenly spaced over the whole field; otherwise 0. */
  private static int period(Part part) {
    return switch (part) {
      case Part.All all -> 1;
      case Part.Even even -> even.step();
      case Part.Stepped stepped -> 0;
      case Part.Some some -> 0;
    };
  }

  private static boolean withoutHoles(List<Integer> values) {
    return values.size() == 1 || Part.commonStep(values) == 1;
  }
}
