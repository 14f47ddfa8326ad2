package io.belfry.model.cron;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Expressions that nobody would think of. */
final class RandomExpressions {

  /** What the party that is compared with understands as well. */
  enum Taste {
    /** Everything but H. */
    BELFRY,
    /** One of the two day fields is "?"; weekdays 1-7 from Sunday; no lists around L, W, #. */
    QUARTZ,
    /** One of the two day fields is open; ranges forwards; no seventh field. */
    SPRING
  }

  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");

  private final RandomGenerator random;
  private final Taste taste;

  RandomExpressions(RandomGenerator random, Taste taste) {
    this.random = random;
    this.taste = taste;
  }

  String next() {
    List<String> fields = new ArrayList<>();
    boolean seconds = taste != Taste.BELFRY || chance(70);
    if (seconds) {
      fields.add(field(0, 59, List.of()));
    }
    fields.add(field(0, 59, List.of()));
    fields.add(field(0, 23, List.of()));
    boolean both = taste == Taste.BELFRY && chance(30);
    boolean byDate = chance(50);
    String unused = taste == Taste.QUARTZ ? "?" : chance(50) ? "*" : "?";
    fields.add(both || byDate ? dayOfMonth() : unused);
    fields.add(field(1, 12, MONTHS));
    fields.add(both || !byDate ? dayOfWeek() : unused);
    if (seconds && taste != Taste.SPRING && chance(15)) {
      fields.add(year());
    }
    String text = String.join(chance(5) ? " \t " : " ", fields);
    return taste == Taste.BELFRY && chance(20) ? text.toLowerCase(Locale.ROOT) : text;
  }

  private String dayOfMonth() {
    int kind = random.nextInt(10);
    String special = switch (kind) {
      case 0 -> "L";
      case 1 -> "L-" + between(1, 27);
      case 2 -> "LW";
      // Spring drops the month when its last day is a Sunday and W names it.
      case 3 -> between(1, taste == Taste.SPRING ? 27 : 28) + "W";
      default -> field(1, 31, List.of());
    };
    boolean listable = taste == Taste.BELFRY && kind < 2 && chance(30);
    return listable ? special + "," + between(1, 31) : special;
  }

  private String dayOfWeek() {
    String day =
        chance(50) ? DAYS.get(random.nextInt(7)) : Integer.toString(firstDay() + random.nextInt(7));
    int kind = random.nextInt(8);
    String special = switch (kind) {
      case 0 -> day + "L";
      case 1 -> day + "#" + between(1, 5);
      default -> field(firstDay(), firstDay() + 6, DAYS);
    };
    boolean listable = taste == Taste.BELFRY && kind < 2 && chance(30);
    return listable ? special + "," + DAYS.get(random.nextInt(7)) : special;
  }

  private int firstDay() {
    return taste == Taste.QUARTZ ? 1 : 0;
  }

  private String year() {
    int first = between(2020, 2040);
    return switch (random.nextInt(4)) {
      case 0 -> first + "-" + (first + between(0, 30));
      case 1 -> first + "/" + between(1, 5);
      case 2 -> first + "," + (first + 3);
      default -> "*";
    };
  }

  private String field(int min, int max, List<String> names) {
    if (chance(30)) {
      return "*";
    }
    int items = chance(70) ? 1 : between(2, 4);
    List<String> list = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      list.add(item(min, max, names));
    }
    return String.join(",", list);
  }

  private String item(int min, int max, List<String> names) {
    int a = between(min, max);
    int b = between(min, max);
    if (taste == Taste.SPRING && a > b) {
      int swap = a;
      a = b;
      b = swap;
    }
    int step = between(1, Math.max(1, (max - min) / 2));
    boolean weekday = max - min == 6;
    // Where a step over weekdays starts and ends, and whether Sunday to Sunday is a day or a week,
    // are matters of opinion, see docs/cron.md.
    int kind = random.nextInt(taste == Taste.SPRING && weekday ? a == b ? 1 : 3 : 6);
    // Quartz drops a step behind a name without a word.
    List<String> steppable = taste == Taste.QUARTZ ? List.of() : names;
    return switch (kind) {
      case 0 -> word(a, min, names);
      case 1 -> range(a, b, min, names);
      case 2 -> word(a, min, steppable) + "-" + word(b, min, steppable) + "/" + step;
      case 3 -> "*/" + step;
      case 4 -> word(a, min, steppable) + "/" + step;
      default -> word(a, min, names);
    };
  }

  private String range(int a, int b, int min, List<String> names) {
    if (taste == Taste.QUARTZ && !names.isEmpty()) {
      // Quartz fails at a range from a name to a number.
      return chance(50) ? a + "-" + b : names.get(a - min) + "-" + names.get(b - min);
    }
    return word(a, min, names) + "-" + word(b, min, names);
  }

  private String word(int value, int min, List<String> names) {
    return names.isEmpty() || chance(50) ? Integer.toString(value) : names.get(value - min);
  }

  private int between(int first, int last) {
    return first + random.nextInt(last - first + 1);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
