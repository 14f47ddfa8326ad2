package io.belfry.model.cron;

import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Joins words to lists and ranges with the separators of one language.
 *
 * @param to between the ends of a range
 * @param comma between the items of a list
 * @param and before its last item
 */
record PhraseJoiner(String to, String comma, String and) {
  private static final DateTimeFormatter TO_THE_MINUTE =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter TO_THE_SECOND =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  String runs(List<Part.Run> runs, IntFunction<String> name) {
    return list(runs.stream()
        .map(run -> run.isSingle()
            ? name.apply(run.first())
            : name.apply(run.first()) + to + name.apply(run.last()))
        .toList());
  }

  String list(List<String> items) {
    if (items.size() < 2) {
      return String.join("", items);
    }
    return String.join(comma, items.subList(0, items.size() - 1)) + and + items.getLast();
  }

  static String clock(TimesOfDay.Within within, LocalTime time) {
    return within.unit() == TimesOfDay.Unit.SECOND ? time.format(TO_THE_SECOND) : clock(time);
  }

  static String clock(LocalTime time) {
    return time.format(time.getSecond() == 0 ? TO_THE_MINUTE : TO_THE_SECOND);
  }
}
