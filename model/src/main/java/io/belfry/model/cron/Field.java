package io.belfry.model.cron;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** The seven fields of an expression, with the values that each may contain. */
enum Field {
  SECOND("second", 0, 59),
  MINUTE("minute", 0, 59),
  HOUR("hour", 0, 23),
  DAY_OF_MONTH("day of month", 1, 31),
  MONTH("month", 1, 12),
  DAY_OF_WEEK("weekday", 0, 6),
  YEAR("year", Civil.FIRST_YEAR, Civil.LAST_YEAR);

  private static final List<String> MONTHS = List.of(
      "JANUARY",
      "FEBRUARY",
      "MARCH",
      "APRIL",
      "MAY",
      "JUNE",
      "JULY",
      "AUGUST",
      "SEPTEMBER",
      "OCTOBER",
      "NOVEMBER",
      "DECEMBER");
  private static final List<String> WEEKDAYS =
      List.of("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY");
  private static final int SHORT = 3;

  private final String label;
  private final int min;
  private final int max;

  Field(String label, int min, int max) {
    this.label = label;
    this.min = min;
    this.max = max;
  }

  String label() {
    return label;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  /** How many different values there are. */
  int size() {
    return max - min + 1;
  }

  boolean hasNames() {
    return !names().isEmpty();
  }

  private List<String> names() {
    return switch (this) {
      case MONTH -> MONTHS;
      case DAY_OF_WEEK -> WEEKDAYS;
      default -> List.of();
    };
  }

  /** The value of a name, short or in full, in any case. */
  OptionalInt named(String word) {
    String wanted = word.toUpperCase(Locale.ROOT);
    for (int i = 0; i < names().size(); i++) {
      String name = names().get(i);
      if (name.equals(wanted) || name.substring(0, SHORT).equals(wanted)) {
        return OptionalInt.of(min + i);
      }
    }
    return OptionalInt.empty();
  }

  /** A suggestion for an unknown name: the first name with the same beginning. */
  String resembling(String word) {
    String wanted = word.toUpperCase(Locale.ROOT);
    for (int length = Math.min(SHORT, wanted.length()); length > 0; length--) {
      for (String name : names()) {
        if (name.startsWith(wanted.substring(0, length))) {
          return "Did you mean " + name.substring(0, SHORT) + "? ";
        }
      }
    }
    return "";
  }

  /** The values that are allowed in this field, for an error message. */
  String allowed(Dialect dialect) {
    return switch (this) {
      case SECOND, MINUTE, HOUR -> "Allowed are " + min + "-" + max + ", * , - / and H.";
      case DAY_OF_MONTH -> "Allowed are 1-31, * ? , - / H, L (last day), L-3, 15W and LW.";
      case MONTH -> "Allowed are 1-12, JAN-DEC or full names, * , - / and H.";
      case DAY_OF_WEEK ->
        "Allowed are "
            + numbers(dialect)
            + ", SUN-SAT or full names, * ? , - / H, FRIL (last Friday) and FRI#2.";
      case YEAR -> "Allowed are " + min + "-" + max + ", * , - and /.";
    };
  }

  /** The numbers that are allowed in this field. */
  String numbers(Dialect dialect) {
    if (this != DAY_OF_WEEK) {
      return min + "-" + max;
    }
    return dialect == Dialect.QUARTZ ? "1-7 (1 is Sunday)" : "0-7 (0 and 7 are Sunday)";
  }
}
