package io.belfry.model.cron;

import io.belfry.model.cron.Source.Span;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Parses an expression: a macro, or five to seven fields.
 *
 * <pre>
 *              minute  hour  day  month  weekday          5
 *   second     minute  hour  day  month  weekday          6
 *   second     minute  hour  day  month  weekday  year    7
 * </pre>
 *
 * <p>Threading: confined to one call.
 */
final class Parser {

  private static final Map<String, String> MACROS = Map.of(
      "@hourly", "0 0 * * * *",
      "@daily", "0 0 0 * * *",
      "@midnight", "0 0 0 * * *",
      "@weekly", "0 0 0 * * SUN",
      "@monthly", "0 0 0 1 * *",
      "@yearly", "0 0 0 1 1 *",
      "@annually", "0 0 0 1 1 *");

  private static final String EVERY = "@every";
  private static final String SHAPES =
      "Write minute hour day month weekday. Optional: seconds before them, and with seconds also a year after them.";

  private final Source source;
  private final Dialect dialect;
  private final JobHash spread;

  private Parser(Source source, Dialect dialect, JobHash spread) {
    this.source = source;
    this.dialect = dialect;
    this.spread = spread;
  }

  static Cron parse(String expression, Dialect dialect, JobHash spread) {
    return new Parser(new Source(expression), dialect, spread).parse();
  }

  private Cron parse() {
    List<Span> words = words();
    if (words.isEmpty()) {
      throw source.mistake(0, 0, "a cron expression must not be empty", SHAPES);
    }
    String text = source.text().strip();
    if (!text.startsWith("@")) {
      return calendar(text, pattern(words));
    }
    Span first = words.get(0);
    String macro = source.text().substring(first.start(), first.end()).toLowerCase(Locale.ROOT);
    if (macro.equals(EVERY)) {
      long period = new EveryParser(source, first.end(), words.subList(1, words.size())).seconds();
      return new EveryCron(text, dialect, period, 0, ZoneOffset.UTC, DstRule.DEFAULT);
    }
    String fields = MACROS.get(macro);
    if (fields == null) {
      throw source.mistake(
          first.start(),
          first.end(),
          source.quote(first.start(), first.end()) + " is not a known macro",
          known());
    }
    if (words.size() > 1) {
      Span extra = words.get(1);
      throw source.mistake(
          extra.start(),
          extra.end(),
          macro + " must stand alone, but was followed by "
              + source.quote(extra.start(), extra.end()),
          "Remove the text after it, or write the fields: " + fields + ".");
    }
    Parser inner = new Parser(new Source(fields), Dialect.BELFRY, spread);
    return calendar(text, inner.pattern(inner.words()));
  }

  private static String known() {
    Set<String> names = new TreeMap<>(MACROS).keySet();
    return "The macros are " + String.join(", ", names) + " and " + EVERY
        + " followed by a duration such as 30s.";
  }

  private CalendarCron calendar(String text, Pattern pattern) {
    return new CalendarCron(text, dialect, pattern, ZoneClock.of(ZoneOffset.UTC), DstRule.DEFAULT);
  }

  private List<Span> words() {
    List<Span> words = new ArrayList<>();
    for (Span word = source.wordFrom(0); word != null; word = source.wordFrom(word.end())) {
      words.add(word);
    }
    return words;
  }

  private Pattern pattern(List<Span> words) {
    checkCount(words);
    boolean seconds = words.size() > 5;
    int first = seconds ? 1 : 0;
    FieldSet second = seconds ? read(Field.SECOND, words.get(0)) : only(0);
    FieldSet minute = read(Field.MINUTE, words.get(first));
    FieldSet hour = read(Field.HOUR, words.get(first + 1));
    Span domWord = words.get(first + 2);
    FieldSet dayOfMonth = read(Field.DAY_OF_MONTH, domWord);
    FieldSet month = read(Field.MONTH, words.get(first + 3));
    Span dowWord = words.get(first + 4);
    FieldSet dayOfWeek = read(Field.DAY_OF_WEEK, dowWord);
    FieldSet year = words.size() > 6 ? read(Field.YEAR, words.get(6)) : any();
    if (dialect == Dialect.QUARTZ) {
      checkQuestionMarks(domWord, dayOfMonth, dowWord, dayOfWeek);
    }
    Pattern pattern = new Pattern(
        second.bits(),
        minute.bits(),
        (int) hour.bits(),
        (int) month.bits(),
        FieldSet.days(dayOfMonth, dayOfWeek, year),
        hour.followsElapsedTime(Field.HOUR.size()));
    checkFires(pattern, domWord.start(), words.get(words.size() - 1).end());
    return pattern;
  }

  private FieldSet read(Field field, Span word) {
    return new FieldParser(source, word, field, dialect, spread).parse();
  }

  private static FieldSet only(int value) {
    FieldSet set = new FieldSet();
    set.add(value);
    return set;
  }

  private static FieldSet any() {
    FieldSet set = new FieldSet();
    set.leaveOpen();
    return set;
  }

  private void checkCount(List<Span> words) {
    String rule = "a cron expression has 5, 6 or 7 fields, but this has " + words.size();
    if (words.size() < 5) {
      int end = words.get(words.size() - 1).end();
      throw source.mistake(end, end, rule, SHAPES);
    }
    if (words.size() > 7) {
      throw source.mistake(words.get(7).start(), words.get(words.size() - 1).end(), rule, SHAPES);
    }
  }

  private void checkQuestionMarks(
      Span domWord, FieldSet dayOfMonth, Span dowWord, FieldSet dayOfWeek) {
    boolean domMark = source.text().charAt(domWord.start()) == '?';
    boolean dowMark = source.text().charAt(dowWord.start()) == '?';
    if (domMark && dowMark) {
      throw source.mistake(
          dowWord.start(),
          dowWord.end(),
          "in the Quartz dialect \"?\" may be used for the day of month or for the weekday, but not for both",
          "Write * for one of them.");
    }
    if (!dayOfMonth.isOpen() && !dayOfWeek.isOpen()) {
      throw source.mistake(
          dowWord.start(),
          dowWord.end(),
          "in the Quartz dialect only one of day of month and weekday may be restricted, but both are",
          "Write ? for one of them, or use the Belfry dialect, where either one matches.");
    }
  }

  private void checkFires(Pattern pattern, int from, int to) {
    if (pattern.atOrAfter(0) == Pattern.NONE_AFTER) {
      throw source.mistake(
          from,
          to,
          "the expression can never fire, because no date from 1970 to 2199 matches "
              + source.quote(from, to),
          "Choose a day that exists in the month, for example L for its last day.");
    }
  }
}
