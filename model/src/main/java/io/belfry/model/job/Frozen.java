package io.belfry.model.job;

import io.belfry.model.Check;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes an immutable, bounded copy of a tree of plain values. Whole numbers become {@code Long} and others {@code Double}, so that
 * settings from YAML, JSON or a record are equal. One instance counts the size of one tree. Threading: confined to the call.
 */
final class Frozen {
  private static final int DEPTH_MAX = 16;
  private static final int VALUES_MAX = 1000;
  private static final int CHARS_MAX = 128 * 1024;

  private int values;
  private long chars;

  private Frozen() {}

  static Map<String, Object> map(String field, Map<String, ?> map) {
    return new Frozen().copyMap(field, map, 1);
  }

  static Map<String, Object> ordered(String key1, String value1, String key2, String value2) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(key1, value1);
    map.put(key2, value2);
    return map;
  }

  private Object copy(String field, @Nullable Object value, int depth) {
    values++;
    Check.that(
        values <= VALUES_MAX,
        field,
        new Check.Amount(values, "values"),
        "must keep the settings within " + VALUES_MAX
            + " values, because they are sent with every attempt",
        "Move data to the payload.");
    return switch (value) {
      case String text -> counted(field, text);
      case Boolean flag -> flag;
      case Number number -> number(field, number);
      case List<?> list -> copyList(field, list, depth + 1);
      case Map<?, ?> map -> copyMap(field, map, depth + 1);
      case null -> throw notPlain(field, "nothing");
      default -> throw notPlain(field, value.getClass().getSimpleName());
    };
  }

  private Map<String, Object> copyMap(String field, Map<?, ?> map, int depth) {
    checkDepth(field, depth);
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((key, value) -> {
      if (!(key instanceof String name)) {
        throw notPlain(field + " key", String.valueOf(key));
      }
      copy.put(counted(field, name), copy(field + "." + name, value, depth));
    });
    return Collections.unmodifiableMap(copy);
  }

  private List<Object> copyList(String field, List<?> list, int depth) {
    checkDepth(field, depth);
    List<Object> copy = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      copy.add(copy(field + "[" + i + "]", list.get(i), depth));
    }
    return Collections.unmodifiableList(copy);
  }

  private static Object number(String field, Number number) {
    return switch (number) {
      case Byte n -> n.longValue();
      case Short n -> n.longValue();
      case Integer n -> n.longValue();
      case Long n -> n;
      case BigInteger n when n.bitLength() < Long.SIZE -> n.longValue();
      case BigInteger n -> n;
      case BigDecimal n -> finite(field, n.doubleValue());
      default -> finite(field, number.doubleValue());
    };
  }

  private static Double finite(String field, double number) {
    Check.that(
        Double.isFinite(number),
        field,
        number,
        "must be a finite number, because JSON has no other",
        "Leave it out, or write it as a string.");
    return number;
  }

  private String counted(String field, String text) {
    chars += text.length();
    Check.that(
        chars <= CHARS_MAX,
        field,
        new Check.Amount(chars, "characters"),
        "must keep the settings within " + CHARS_MAX
            + " characters, because they are sent with every attempt",
        "Move data to the payload.");
    return text;
  }

  private static void checkDepth(String field, int depth) {
    Check.that(
        depth <= DEPTH_MAX,
        field,
        new Check.Amount(depth, "levels"),
        "must not be nested deeper than " + DEPTH_MAX + " levels, because it is read recursively",
        "Flatten the value.");
  }

  private static RuntimeException notPlain(String field, String got) {
    return Check.refusal(
        field,
        got,
        "must be a string, a number, true or false, a list or a map, because JSON has no other values",
        "Write it as a string, or leave it out.");
  }
}
