package io.belfry.core.record;

/** The resolution in which the fraction of a second of an instant is written. The places are part of the format. */
enum Fraction {
  NONE(0, 1_000_000_000),
  MILLIS(1, 1_000_000),
  MICROS(2, 1_000),
  NANOS(3, 1);

  /** Bits that the place takes. */
  static final int BITS = 2;

  private static final Fraction[] ALL = values();

  private final int place;
  private final int nanos;

  Fraction(int place, int nanos) {
    this.place = place;
    this.nanos = nanos;
  }

  int place() {
    return place;
  }

  /** Nanoseconds of one unit. */
  int nanos() {
    return nanos;
  }

  /** The coarsest lossless one. */
  static Fraction of(int nanos) {
    if (nanos == 0) {
      return NONE;
    }
    if (nanos % MILLIS.nanos == 0) {
      return MILLIS;
    }
    return nanos % MICROS.nanos == 0 ? MICROS : NANOS;
  }

  static Fraction at(long place) {
    return ALL[(int) (place & ((1 << BITS) - 1))];
  }
}
