package io.belfry.model.cron;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second reading of an expression in Belfry's dialect, as literal as possible: sets of numbers,
 * predicates on {@link LocalDate}, regular expressions. It shares no code with the real one, knows
 * no {@code H} and no {@code @every}, and does not care how slow it is.
 */
final class Reference {

  private static final Pattern NTH = Pattern.compile("(\\w+)#(\\d)");
  private static final Pattern LAST_WEEKDAY = Pattern.compile("(\\w+)L");
  private static final Pattern NEAREST = Pattern.compile("(\\d+)W");
  private static final Pattern FROM_LAST = Pattern.compile("L(?:-(\\d+))?(W?)");

  private final boolean[] seconds = new boolean[60];
  private final boolean[] minutes = new boolean[60];
  private final boolean[] hours = new boolean[24];
  private final Set<Integer> months;
  private final Set<Integer> years;
  private final List<Predicate<LocalDate>> dayOfMonth = new ArrayList<>();
  private final List<Predicate<LocalDate>> dayOfWeek = new ArrayList<>();
  private final boolean elapsed;
  private final String text;

  private Reference(String text) {
    this.text = text;
    List<String> fields =
        new ArrayList<>(List.of(text.trim().toUpperCase(Locale.ROOT).split("\\s+", -1)));
    if (fields.size() == 5) {
      fields.addFirst("0");
    }
    if (fields.size() == 6) {
      fields.add("*");
    }
    fill(seconds, fields.get(0));
    fill(minutes, fields.get(1));
    fill(hours, fields.get(2));
    months = numbers(fields.get(4), 1, 12, Reference::month);
    years = numbers(fields.get(6), 1970, 2199, Integer::parseInt);
    if (isRestricted(fields.get(3))) {
      for (String item : fields.get(3).split(",", -1)) {
        dayOfMonth.add(dayOfMonth(item));
      }
    }
    if (isRestricted(fields.get(5))) {
      for (String item : fields.get(5).split(",", -1)) {
        dayOfWeek.add(dayOfWeek(item));
      }
    }
    boolean everyHour = true;
    for (boolean named : hours) {
      everyHour &= named;
    }
    elapsed = everyHour
        || Arrays.stream(fields.get(2).split(",", -1))
            .allMatch(item -> item.equals("*") || item.contains("/"));
  }

  static Reference of(String text) {
    return new Reference(text);
  }

  String text() {
    return text;
  }

  /** The hour field is * or a step. */
  boolean elapsed() {
    return elapsed;
  }

  boolean matches(LocalDateTime time) {
    return seconds[time.getSecond()]
        && minutes[time.getMinute()]
        && hours[time.getHour()]
        && matches(time.toLocalDate());
  }

  boolean matches(LocalDate date) {
    if (!months.contains(date.getMonthValue()) || !years.contains(date.getYear())) {
      return false;
    }
    if (dayOfMonth.isEmpty() && dayOfWeek.isEmpty()) {
      return true;
    }
    return dayOfMonth.stream().anyMatch(p -> p.test(date))
        || dayOfWeek.stream().anyMatch(p -> p.test(date));
  }

  private static boolean isRestricted(String field) {
    return Arrays.stream(field.split(",", -1))
        .noneMatch(i -> Set.of("*", "?", "*/1").contains(i));
  }

  private static void fill(boolean[] set, String field) {
    numbers(field, 0, set.length - 1, Integer::parseInt).forEach(n -> set[n] = true);
  }

  private interface Read {
    int value(String word);
  }

  private static Set<Integer> numbers(String field, int min, int max, Read read) {
    Set<Integer> numbers = new HashSet<>();
    for (String item : field.split(",", -1)) {
      numbers.addAll(item(item, min, max, read));
    }
    return numbers;
  }

  /** Walks from the first value to the last, one by one, and takes each step-th on the way. */
  private static Set<Integer> item(String item, int min, int max, Read read) {
    String[] stepped = item.split("/", -1);
    int step = stepped.length == 2 ? Integer.parseInt(stepped[1]) : 1;
    String[] ends = stepped[0].split("-", -1);
    int first;
    int last;
    if (ends[0].equals("*")) {
      first = min;
      last = max;
    } else {
      first = read.value(ends[0]);
      last = ends.length == 2 ? read.value(ends[1]) : stepped.length == 2 ? max : first;
    }
    Set<Integer> numbers = new HashSet<>();
    int count = 0;
    int value = first;
    while (true) {
      if (count % step == 0) {
        numbers.add(value);
      }
      if (value == last) {
        return numbers;
      }
      count++;
      value = value == max ? min : value + 1;
    }
  }

  private static Predicate<LocalDate> dayOfMonth(String item) {
    Matcher nearest = NEAREST.matcher(item);
    if (nearest.matches()) {
      int day = Integer.parseInt(nearest.group(1));
      return date ->
          day <= date.lengthOfMonth() && date.equals(nearestWeekday(date.withDayOfMonth(day)));
    }
    Matcher last = FROM_LAST.matcher(item);
    if (last.matches()) {
      int back = last.group(1) == null ? 0 : Integer.parseInt(last.group(1));
      boolean weekday = !last.group(2).isEmpty();
      return date -> {
        LocalDate wanted = date.with(TemporalAdjusters.lastDayOfMonth()).minusDays(back);
        return wanted.getMonth() == date.getMonth()
            && date.equals(weekday ? nearestWeekday(wanted) : wanted);
      };
    }
    Set<Integer> days = item(item, 1, 31, Integer::parseInt);
    return date -> days.contains(date.getDayOfMonth());
  }

  /** Looks around the day, the closest first, and stays within the month. */
  private static LocalDate nearestWeekday(LocalDate day) {
    for (int distance : new int[] {0, -1, 1, -2, 2}) {
      LocalDate candidate = day.plusDays(distance);
      boolean weekend = candidate.getDayOfWeek() == DayOfWeek.SATURDAY
          || candidate.getDayOfWeek() == DayOfWeek.SUNDAY;
      if (!weekend && candidate.getMonth() == day.getMonth()) {
        return candidate;
      }
    }
    throw new IllegalStateException("no weekday near " + day);
  }

  private static Predicate<LocalDate> dayOfWeek(String item) {
    Matcher nth = NTH.matcher(item);
    if (nth.matches()) {
      DayOfWeek weekday = toDay(weekday(nth.group(1)));
      int n = Integer.parseInt(nth.group(2));
      return date -> date.getDayOfWeek() == weekday && (date.getDayOfMonth() - 1) / 7 + 1 == n;
    }
    Matcher last = LAST_WEEKDAY.matcher(item);
    if (last.matches()) {
      DayOfWeek weekday = toDay(weekday(last.group(1)));
      return date -> date.equals(date.with(TemporalAdjusters.lastInMonth(weekday)));
    }
    // A range may end with Sunday as 7; as a start, and everywhere else, 7 is 0.
    String[] stepped = item.split("/", 2);
    boolean toSeven = stepped[0].endsWith("-7") && !stepped[0].startsWith("7");
    String plain = toSeven ? stepped[0] : stepped[0].replace('7', '0');
    String step = stepped.length == 2 ? "/" + stepped[1] : "";
    Set<DayOfWeek> days = new HashSet<>();
    item(plain + step, 0, toSeven ? 7 : 6, Reference::weekday).forEach(n -> days.add(toDay(n)));
    return date -> days.contains(date.getDayOfWeek());
  }

  private static DayOfWeek toDay(int sundayIsZero) {
    return sundayIsZero % 7 == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(sundayIsZero);
  }

  private static int weekday(String word) {
    if (Character.isDigit(word.charAt(0))) {
      return Integer.parseInt(word);
    }
    return Arrays.stream(DayOfWeek.values())
            .filter(day -> word.equals(day.name()) || word.equals(day.name().substring(0, 3)))
            .findFirst()
            .orElseThrow()
            .getValue()
        % 7;
  }

  private static int month(String word) {
    if (Character.isDigit(word.charAt(0))) {
      return Integer.parseInt(word);
    }
    return Arrays.stream(Month.values())
        .filter(month -> word.equals(month.name()) || word.equals(month.name().substring(0, 3)))
        .findFirst()
        .orElseThrow()
        .getValue();
  }
}
