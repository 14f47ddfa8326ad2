package io.belfry.model.cron;

import io.belfry.model.cron.Source.Span;
import java.util.OptionalInt;

/** A position in one field of the expression, and the reading of values there. Threading: confined to one call. */
final class Cursor {

  private final Source source;
  private final String text;
  private final Span word;
  private final Field field;
  private final Dialect dialect;
  private int at;

  Cursor(Source source, Span word, Field field, Dialect dialect) {
    this.source = source;
    this.text = source.text();
    this.word = word;
    this.field = field;
    this.dialect = dialect;
    this.at = word.start();
  }

  int at() {
    return at;
  }

  void advance() {
    at++;
  }

  /** Whether this character comes next, ignoring case. */
  boolean sees(char upperCase) {
    return at < word.end() && upper(at) == upperCase;
  }

  /** Consumes this character if it comes next. */
  boolean takes(char upperCase) {
    boolean seen = sees(upperCase);
    at += seen ? 1 : 0;
    return seen;
  }

  /** Whether this letter comes next and no other letter follows it. */
  boolean seesWord(char letter) {
    return sees(letter) && wordEnd() == at + 1;
  }

  boolean atEnd() {
    return at >= word.end();
  }

  boolean atEntryEnd() {
    return atEnd() || text.charAt(at) == ',';
  }

  /** Whether the text from {@code from} to the cursor is the whole field. */
  boolean isWholeField(int from) {
    return from == word.start() && atEnd();
  }

  String since(int from) {
    return text.substring(from, at);
  }

  String quoteSince(int from) {
    return source.quote(from, at);
  }

  /** An error in the text from {@code from} to the cursor. */
  CronSyntaxException mistakeSince(int from, String problem, String remedy) {
    return source.mistake(from, at, problem, remedy);
  }

  /** An error: something is missing at the cursor. */
  CronSyntaxException missing(String problem, String remedy) {
    return source.mistake(at, at, problem, remedy);
  }

  /** An error: the character at the cursor is not allowed here. */
  CronSyntaxException unexpected() {
    if (atEnd()) {
      return missing(field.label() + " ends too early", field.allowed(dialect));
    }
    int from = at;
    at = Math.min(word.end(), at + Character.charCount(text.codePointAt(at)));
    return mistakeSince(
        from, field.label() + " has an unexpected " + quoteSince(from), field.allowed(dialect));
  }

  /**
   * Reads a number or a name within the range of the field. Weekdays count from Sunday as 0; 7 stays 7, so that a
   * range may end with it.
   */
  int value() {
    if (!atEnd() && isLetter(upper(at))) {
      return name();
    }
    int from = at;
    int value = number();
    boolean quartzDay = field == Field.DAY_OF_WEEK && dialect == Dialect.QUARTZ;
    int min = quartzDay ? 1 : field.min();
    int max = field == Field.DAY_OF_WEEK ? 7 : field.max();
    if (value < min || value > max) {
      boolean year = field == Field.DAY_OF_WEEK && value >= Civil.FIRST_YEAR;
      throw mistakeSince(
          from,
          field.label() + " must be " + field.numbers(dialect) + ", but was " + since(from),
          (year ? "A year needs all seven fields, with seconds first. " : "")
              + field.allowed(dialect));
    }
    return quartzDay ? value - 1 : value;
  }

  private int name() {
    int from = at;
    at = wordEnd();
    if (field == Field.DAY_OF_WEEK
        && upper(at - 1) == 'L'
        && field.named(text.substring(from, at - 1)).isPresent()) {
      at--; // FRIL is a name followed by a letter
    }
    OptionalInt value = field.named(since(from));
    if (value.isEmpty()) {
      throw mistakeSince(
          from,
          field.hasNames()
              ? quoteSince(from) + " is not a " + field.label()
              : field.label() + " must be a number here, but was " + quoteSince(from),
          field.resembling(since(from)) + field.allowed(dialect));
    }
    return value.getAsInt();
  }

  /** Reads digits; a number with too many digits becomes one that is too large for every field. */
  int number() {
    int from = at;
    while (!atEnd() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == from) {
      throw unexpected();
    }
    return at - from > 9 ? Integer.MAX_VALUE : Integer.parseInt(text, from, at, 10);
  }

  private int wordEnd() {
    int end = at;
    while (end < word.end() && isLetter(upper(end))) {
      end++;
    }
    return end;
  }

  private char upper(int index) {
    char c = text.charAt(index);
    return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
  }

  private static boolean isLetter(char upperCase) {
    return upperCase >= 'A' && upperCase <= 'Z';
  }
}
