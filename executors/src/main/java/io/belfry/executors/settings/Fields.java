package io.belfry.executors.settings;

import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.InvalidException;
import io.belfry.model.Typo;
import io.belfry.model.WireName;
import io.belfry.model.job.ExecutorSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the settings of an executor, or one map inside them. Refusals name the path of the setting.
 *
 * <p>Threading: immutable.
 */
public final class Fields {
  private final String path;
  private final Map<String, Object> values;

  private Fields(String path, Map<String, Object> values, Set<String> known) {
    this.path = path;
    this.values = values;
    values.keySet().forEach(key -> {
      if (!known.contains(key)) {
        throw unknown(key, known);
      }
    });
  }

  /**
   * All settings of an executor.
   *
   * @param known the allowed keys; other keys are refused
   */
  public static Fields of(ExecutorSpec spec, Set<String> known) {
    return new Fields("executor", spec.settings(), known);
  }

  private InvalidException unknown(String key, Set<String> known) {
    String remedy = Typo.correction(key, known)
        .map(word -> "Did you mean " + word + "?")
        .orElseGet(() -> "The settings are " + String.join(", ", new TreeSet<>(known)) + ".");
    return new InvalidException(at(key), at(key) + " is not a known setting. " + remedy);
  }

  /** The path of a key as the user writes it. */
  public String at(String key) {
    return path + "." + key;
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  public Optional<Object> any(String key) {
    return Optional.ofNullable(values.get(key));
  }

  public Optional<String> text(String key) {
    return any(key).map(value -> {
      if (value instanceof String text) {
        return text;
      }
      throw wrongType(at(key), value, "a string");
    });
  }

  public String needText(String key, String why, String remedy) {
    return text(key)
        .orElseThrow(() -> Check.refusal(at(key), new Check.Plain("missing"), why, remedy));
  }

  public Optional<Duration> duration(String key) {
    return text(key).map(text -> Durations.parse(at(key), text));
  }

  /** A time zone; UTC if none is given. */
  public ZoneId zone(String key) {
    return text(key).map(text -> zone(at(key), text)).orElse(ZoneOffset.UTC);
  }

  private static ZoneId zone(String field, String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw Check.refusal(
          field,
          text,
          "must be a time zone, because scheduled.date is the date in this zone",
          "Write it like Europe/Berlin.");
    }
  }

  public <E extends Enum<E>> E word(String key, Class<E> type, E otherwise) {
    return text(key).map(text -> WireName.parse(type, at(key), text)).orElse(otherwise);
  }

  public int whole(String key, int min, int max, int otherwise, String why) {
    return any(key).map(value -> whole(at(key), value, min, max, why)).orElse(otherwise);
  }

  private static int whole(String field, Object value, int min, int max, String why) {
    if (!(value instanceof Long number)) {
      throw wrongType(field, value, "a whole number");
    }
    return Check.between(
        field, Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE), min, max, why);
  }

  /** A list; a single value is a list of one. */
  public Optional<List<Object>> list(String key) {
    return any(key)
        .map(value -> value instanceof List<?> several ? List.copyOf(several) : List.of(value));
  }

  /** A map of strings; numbers and booleans are converted to text. */
  public Map<String, String> texts(String key) {
    var texts = new LinkedHashMap<String, String>();
    map(key).forEach((name, value) -> texts.put(name, plain(at(key) + "." + name, value)));
    return texts;
  }

  /** A map inside the settings, with these allowed keys; empty if it is not set. */
  public Fields map(String key, Set<String> known) {
    return new Fields(at(key), map(key), known);
  }

  private Map<String, Object> map(String key) {
    Object value = values.get(key);
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrongType(at(key), value, "a map");
    }
    var copy = new LinkedHashMap<String, Object>();
    map.forEach((name, its) -> copy.put(String.valueOf(name), its));
    return copy;
  }

  /** A string, number or boolean as text. */
  public static String plain(String field, Object value) {
    if (value instanceof List<?> || value instanceof Map<?, ?>) {
      throw wrongType(field, value, "a string, a number or a boolean");
    }
    return value.toString();
  }

  private static InvalidException wrongType(String field, Object got, String wanted) {
    return Check.refusal(
        field,
        got,
        "must be " + wanted + ", because other types have no meaning here",
        "Write " + wanted + ".");
  }
}
