package io.belfry.model.cron;

import io.belfry.model.cron.Source.Span;

/**
 * Parses one field: entries separated by commas.
 *
 * <pre>
 *   entry  =  *[/step] | ? | H[(a-b)][/step] | value[-value][/step]
 *          |  L | L-n | LW | L-nW | nW           day of month
 *          |  valueL | value#n | L (Quartz)      weekday
 * </pre>
 *
 * <p>Threading: confined to one call.
 */
final class FieldParser {

  private static final int LAST_OF_H_DAYS = 28; // a day that every month has

  private final Cursor cursor;
  private final Field field;
  private final Dialect dialect;
  private final JobHash spread;
  private final FieldSet set = new FieldSet();

  FieldParser(Source source, Span word, Field field, Dialect dialect, JobHash spread) {
    this.cursor = new Cursor(source, word, field, dialect);
    this.field = field;
    this.dialect = dialect;
    this.spread = spread;
  }

  FieldSet parse() {
    entry();
    while (!cursor.atEnd()) {
      if (!cursor.takes(',')) {
        throw cursor.unexpected();
      }
      entry();
    }
    return set;
  }

  private void entry() {
    int from = cursor.at();
    if (cursor.atEntryEnd()) {
      throw cursor.missing(
          field.label() + " has an empty entry", "Write a value on both sides of each comma.");
    } else if (cursor.takes('*')) {
      star();
    } else if (cursor.takes('?')) {
      questionMark(from);
    } else if (cursor.seesWord('H')) {
      cursor.advance();
      spread(from);
    } else if (cursor.sees('L') && (field == Field.DAY_OF_MONTH || cursor.seesWord('L'))) {
      cursor.advance();
      last(from);
    } else {
      values(from);
    }
  }

  private void star() {
    int step = cursor.takes('/') ? step() : 1;
    addEvery(field.min(), field.max(), step);
    if (step == 1) {
      set.leaveOpen();
    }
  }

  private void questionMark(int from) {
    if (field != Field.DAY_OF_MONTH && field != Field.DAY_OF_WEEK) {
      throw cursor.mistakeSince(
          from,
          "\"?\" is only allowed for the day of month and the weekday, but was used for the "
              + field.label(),
          "Write * for any " + field.label() + ".");
    }
    if (!cursor.isWholeField(from)) {
      throw cursor.mistakeSince(
          from, "\"?\" must stand alone in its field", "Write ? or * alone, or leave it out.");
    }
    addEvery(field.min(), field.max(), 1);
    set.leaveOpen();
  }

  /** After H: nothing, /15, (0-29), (0-29)/10. */
  private void spread(int from) {
    if (field == Field.YEAR) {
      throw cursor.mistakeSince(from, "H is not allowed for the year", field.allowed(dialect));
    }
    if (!spread.isKnown()) {
      throw cursor.mistakeSince(
          from,
          "H takes its value from the job id, but no job id was given",
          "Write a number instead, or give the job id.");
    }
    int min = field.min();
    int max = field == Field.DAY_OF_MONTH ? LAST_OF_H_DAYS : field.max();
    if (cursor.takes('(')) {
      int open = cursor.at();
      min = cursor.value();
      expect('-');
      max = cursor.value();
      if (max < min || max > field.max()) {
        throw cursor.mistakeSince(
            open,
            "the range of H must run forwards within the field, but was " + cursor.quoteSince(open),
            "Write the smaller " + field.label() + " first; Sunday is the first weekday.");
      }
      expect(')');
    }
    if (cursor.takes('/')) {
      int step = step();
      addEvery(min + spread.pick(field, Math.min(step, max - min + 1)), max, step);
    } else {
      set.addFixed();
      set.add(min + spread.pick(field, max - min + 1));
    }
  }

  private void expect(char wanted) {
    if (!cursor.takes(wanted)) {
      throw cursor.missing(
          "H with a range is written H(a-b), but \"" + wanted + "\" is missing",
          "Write for example H(0-29) or H(0-29)/10.");
    }
  }

  /** After L: nothing, -3, W, -3W for days of the month; nothing for Quartz's Saturday. */
  private void last(int from) {
    set.addFixed();
    if (field == Field.DAY_OF_WEEK && dialect == Dialect.QUARTZ) {
      set.add(field.max());
    } else if (field == Field.DAY_OF_WEEK) {
      throw cursor.mistakeSince(
          from,
          "L alone is not a weekday",
          "Write SATL for the last Saturday of the month, or SAT for every Saturday.");
    } else if (field != Field.DAY_OF_MONTH) {
      throw cursor.mistakeSince(
          from,
          "L is only allowed for the day of month and the weekday, but was used for the "
              + field.label(),
          field.allowed(dialect));
    } else {
      int back = cursor.takes('-') ? daysBack() : 0;
      if (cursor.takes('W')) {
        checkAlone(from);
        set.addLastNearest(back);
      } else {
        set.addLast(back);
      }
    }
  }

  private int daysBack() {
    int from = cursor.at();
    int back = cursor.number();
    if (back < 1 || back > 30) {
      throw cursor.mistakeSince(
          from,
          "the number of days before the last must be 1-30, but was " + cursor.since(from),
          "Write for example L-3.");
    }
    return back;
  }

  /** A value, a range, or a value with W, L or #. */
  private void values(int from) {
    int first = cursor.value();
    if (cursor.takes('-')) {
      range(from, first);
      return;
    }
    if (cursor.takes('/')) {
      // Sunday as 7 is the first day of the week here, as 0 is.
      addEvery(first > field.max() ? field.min() : first, field.max(), step());
      return;
    }
    set.addFixed();
    if (field == Field.DAY_OF_MONTH && cursor.takes('W')) {
      checkAlone(from);
      set.addNearest(first);
    } else if (field == Field.DAY_OF_WEEK && cursor.takes('L')) {
      set.addLastWeekday(wrapped(first));
    } else if (field == Field.DAY_OF_WEEK && cursor.takes('#')) {
      set.addNthWeekday(wrapped(first), nth());
    } else {
      set.add(wrapped(first));
    }
  }

  private void range(int from, int first) {
    if (cursor.atEntryEnd() || cursor.sees('/')) {
      throw cursor.missing(
          "the range " + cursor.quoteSince(from) + " has no end",
          "Write the last " + field.label() + " after the dash.");
    }
    int last = cursor.value();
    if (last < first && field == Field.YEAR) {
      throw cursor.mistakeSince(
          from,
          "a range of years must not run backwards, but was " + cursor.quoteSince(from),
          "Write the earlier year first.");
    }
    if (cursor.takes('W') || cursor.takes('L') || cursor.takes('#')) {
      throw cursor.mistakeSince(
          from,
          "W, L and # apply to one value, but a range was given: " + cursor.quoteSince(from),
          "Write them after a single value.");
    }
    int step = 1;
    if (cursor.takes('/')) {
      step = step();
    } else {
      set.addFixed();
    }
    addEvery(first, last < first ? last + field.size() : last, step);
  }

  private void addEvery(int first, int last, int step) {
    for (int value = first; value <= last; value += step) {
      set.add(wrapped(value));
    }
  }

  /** Past the end of the field, it begins again. */
  private int wrapped(int value) {
    return (value - field.min()) % field.size() + field.min();
  }

  private int step() {
    int from = cursor.at();
    if (cursor.atEntryEnd()) {
      throw cursor.missing("the step after \"/\" is missing", "Write a number, for example */5.");
    }
    int step = cursor.number();
    if (step < 1 || step > field.size()) {
      throw cursor.mistakeSince(
          from,
          "the step of " + field.label() + " must be 1-" + field.size() + ", but was "
              + cursor.since(from),
          "A step counts within its field only. Write a smaller step, or use @every for other"
              + " periods.");
    }
    return step;
  }

  private int nth() {
    int from = cursor.at();
    if (cursor.atEntryEnd()) {
      throw cursor.missing(
          "the number after \"#\" is missing", "Write for example FRI#2 for the second Friday.");
    }
    int nth = cursor.number();
    if (nth < 1 || nth > 5) {
      throw cursor.mistakeSince(
          from,
          "the number after \"#\" must be 1-5, but was " + cursor.since(from),
          "Write for example FRI#2 for the second Friday, or FRIL for the last.");
    }
    return nth;
  }

  private void checkAlone(int from) {
    if (!cursor.isWholeField(from)) {
      throw cursor.mistakeSince(
          from,
          "W must stand alone in its field, but " + cursor.quoteSince(from)
              + " is used with other days",
          "Use a separate job for each, or remove the W.");
    }
  }
}
