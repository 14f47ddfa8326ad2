package io.belfry.model.cron;

import java.util.ArrayList;
import java.util.List;

/** The values of one field, grouped for a description. Threading: immutable. */
sealed interface Part {

  /** All values. */
  record All() implements Part {}

  /** A step over the whole field, from its first value: 0, 15, 30, 45. */
  record Even(int step) implements Part {}

  /** A step over part of the field: 9, 11, 13, 15, 17. */
  record Stepped(int step, int first, int last) implements Part {}

  /** Other values, as runs: 1, 5-9. */
  record Some(List<Run> runs) implements Part {

    boolean isSingle() {
      return runs.size() == 1 && runs.getFirst().isSingle();
    }
  }

  /** One value, or several consecutive ones. */
  record Run(int first, int last) {

    boolean isSingle() {
      return first == last;
    }
  }

  /** Covers the whole field, so that the description can omit the next larger unit. */
  default boolean isThroughout() {
    return this instanceof All || this instanceof Even;
  }

  int WORTH_A_STEP = 4;
  int WORTH_A_RUN = 3;

  /** Groups a set of values, in a field that runs from min to max. */
  static Part of(List<Integer> values, int min, int max) {
    int size = max - min + 1;
    if (values.size() == size) {
      return new All();
    }
    int step = commonStep(values);
    if (step > 1 && values.getFirst() == min && size % step == 0 && values.size() == size / step) {
      return new Even(step);
    }
    if (step > 1 && values.size() >= WORTH_A_STEP) {
      return new Stepped(step, values.getFirst(), values.getLast());
    }
    return new Some(runs(values));
  }

  static Part of(long bits, Field field) {
    return of(values(bits), field.min(), field.max());
  }

  /** The numbers of the bits that are set, in order. */
  static List<Integer> values(long bits) {
    List<Integer> values = new ArrayList<>();
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      values.add(Long.numberOfTrailingZeros(rest));
    }
    return values;
  }

  /** The distance between consecutive values if it is constant; otherwise 0. */
  static int commonStep(List<Integer> values) {
    int step = values.size() < 2 ? 0 : values.get(1) - values.get(0);
    for (int i = 2; i < values.size(); i++) {
      if (values.get(i) - values.get(i - 1) != step) {
        return 0;
      }
    }
    return step;
  }

  /** Groups consecutive values into runs of at least three; two remain single values. */
  static List<Run> runs(List<Integer> values) {
    List<Run> runs = new ArrayList<>();
    int i = 0;
    while (i < values.size()) {
      int j = i;
      while (j + 1 < values.size() && values.get(j + 1) == values.get(j) + 1) {
        j++;
      }
      if (j - i + 1 >= WORTH_A_RUN) {
        runs.add(new Run(values.get(i), values.get(j)));
      } else {
        values.subList(i, j + 1).forEach(value -> runs.add(new Run(value, value)));
      }
      i = j + 1;
    }
    return List.copyOf(runs);
  }
}
