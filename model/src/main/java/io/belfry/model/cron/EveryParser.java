package io.belfry.model.cron;

import io.belfry.model.cron.Source.Span;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Reads the duration of {@code @every}: 30s, 1h30m, or ISO-8601. Threading: confined to one call. */
final class EveryParser {

  private static final String UNITS = "dhms";
  private static final long[] SECONDS = {86_400, 3_600, 60, 1};
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final String EXAMPLES = "Write for example 30s, 5m, 2h, 1d, 1h30m or PT30S.";

  private final Source source;
  private final int end;
  private final List<Span> words;

  EveryParser(Source source, int end, List<Span> words) {
    this.source = source;
    this.end = end;
    this.words = words;
  }

  long seconds() {
    if (words.isEmpty()) {
      throw source.mistake(end, end, "@every needs a duration, but there is none", EXAMPLES);
    }
    if (words.size() > 1) {
      Span extra = words.get(1);
      throw source.mistake(
          extra.start(),
          extra.end(),
          "@every takes one duration, but was followed by "
              + source.quote(extra.start(), extra.end()) + " as well",
          EXAMPLES);
    }
    Span word = words.get(0);
    char first = source.text().charAt(word.start());
    Duration period = first == 'P' || first == 'p' ? iso(word) : units(word);
    if (period.getNano() != 0 || period.getSeconds() < 1 || period.compareTo(LONGEST) > 0) {
      throw wrong(
          word, "the period of @every must be whole seconds, from 1s to " + LONGEST.toDays() + "d");
    }
    return period.getSeconds();
  }

  private Duration iso(Span word) {
    try {
      return Duration.parse(source.text().substring(word.start(), word.end()));
    } catch (DateTimeParseException notIso) {
      throw wrong(word, "@every needs a duration");
    }
  }

  private Duration units(Span word) {
    long total = 0;
    int lastUnit = -1;
    int at = word.start();
    while (at < word.end()) {
      int digits = at;
      while (at < word.end()
          && source.text().charAt(at) >= '0'
          && source.text().charAt(at) <= '9') {
        at++;
      }
      // Nine digits of days still fit into a long; more than that is too long a period anyway.
      int unit = at < word.end() ? UNITS.indexOf(source.text().charAt(at)) : -1;
      if (at == digits || at - digits > 9 || unit <= lastUnit) {
        throw wrong(
            word, "@every needs numbers with the units d, h, m, s, each once and in this order");
      }
      total += Long.parseLong(source.text(), digits, at, 10) * SECONDS[unit];
      lastUnit = unit;
      at++;
    }
    return Duration.ofSeconds(total);
  }

  private CronSyntaxException wrong(Span word, String rule) {
    return source.mistake(
        word.start(),
        word.end(),
        rule + ", but was " + source.quote(word.start(), word.end()),
        EXAMPLES);
  }
}
