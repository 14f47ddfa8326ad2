package io.belfry.model.cron;

import java.util.BitSet;

/** The values of one field, collected while it is parsed. Threading: confined to the parser. */
final class FieldSet {

  private final BitSet values = new BitSet();
  private boolean open;
  private boolean elapsed = true;
  private int last;
  private int nearest;
  private int lastNearest;
  private int lastWeekdays;
  private long nthWeekdays;

  void add(int value) {
    values.set(value);
  }

  void addLast(int back) {
    last |= 1 << back;
  }

  void addNearest(int day) {
    nearest |= 1 << (day - 1);
  }

  void addLastNearest(int back) {
    lastNearest |= 1 << back;
  }

  void addLastWeekday(int weekday) {
    lastWeekdays |= 1 << weekday;
  }

  void addNthWeekday(int weekday, int nth) {
    nthWeekdays |= 1L << (7 * (nth - 1) + weekday);
  }

  /** The field restricts nothing: {@code *} or {@code ?}. */
  void leaveOpen() {
    open = true;
  }

  /** An entry that is neither {@code *} nor a step: the field then names fixed values. */
  void addFixed() {
    elapsed = false;
  }

  boolean isOpen() {
    return open;
  }

  /** Every entry is {@code *} or a step, or the field names all values. */
  boolean followsElapsedTime(int size) {
    return elapsed || values.cardinality() == size;
  }

  /** As bits; bit n for value n. For fields below 64. */
  long bits() {
    return values.isEmpty() ? 0 : values.toLongArray()[0];
  }

  /** As bits; bit n for 1970 + n; empty if open. */
  long[] years() {
    if (open) {
      return new long[0];
    }
    BitSet shifted = values.get(Civil.FIRST_YEAR, Civil.LAST_YEAR + 1);
    long[] years = new long[(Civil.LAST_YEAR - Civil.FIRST_YEAR) / 64 + 1];
    long[] set = shifted.toLongArray();
    System.arraycopy(set, 0, years, 0, set.length);
    return years;
  }

  /** The days that two fields and the year name together. */
  static Days days(FieldSet dayOfMonth, FieldSet dayOfWeek, FieldSet year) {
    long[] years = year.years();
    Days.Rare rare = new Days.Rare(
        dayOfMonth.last,
        dayOfMonth.nearest,
        dayOfMonth.lastNearest,
        dayOfWeek.lastWeekdays,
        dayOfWeek.nthWeekdays,
        years);
    return new Days(
        (int) (dayOfMonth.bits() >>> 1),
        (int) dayOfWeek.bits(),
        dayOfMonth.open,
        dayOfWeek.open,
        rare.equals(Days.Rare.NONE) ? Days.Rare.NONE : rare);
  }
}
