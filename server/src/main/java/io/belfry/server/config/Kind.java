package io.belfry.server.config;

import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.Typo;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The type of a setting, and how its values are written in a file, in a variable and in the documentation.
 *
 * @param name display name, such as {@code duration}
 * @param read reads a value from the tree of a file
 * @param parse parses the text of a variable or of {@code --set}
 * @param show formats a value as in a variable
 */
record Kind<T>(
    String name, Reading<JsonNode, T> read, Reading<String, T> parse, Function<T, String> show) {

  /** Converts the input for a key to a value, or refuses it. */
  @FunctionalInterface
  interface Reading<F, T> {
    T of(String key, F from);
  }

  static final Kind<String> TEXT = scalar("text", (key, text) -> text, text -> text);

  static final Kind<Boolean> SWITCH =
      scalar("true or false", Kind::truth, value -> Boolean.toString(value));

  static final Kind<Integer> NUMBER =
      scalar("whole number", Kind::number, value -> Integer.toString(value));

  static final Kind<Double> DECIMAL =
      scalar("number", Kind::decimal, value -> Double.toString(value));

  static final Kind<Duration> DURATION = scalar("duration", Durations::parse, Durations::show);

  static final Kind<Long> SIZE = scalar("size", Sizes::parse, Sizes::show);

  static final Kind<List<String>> LIST =
      new Kind<>("list", Kind::list, (key, text) -> split(text), value -> String.join(",", value));

  static final Kind<Map<String, String>> MAP =
      new Kind<>("map", Kind::map, Kind::pairs, Kind::showPairs);

  /** In a file a map of lists; in a variable {@code name=value value,name=value}, because commas separate the names. */
  static final Kind<Map<String, List<String>>> LISTS =
      new Kind<>("map of lists", Kind::lists, Kind::listPairs, Kind::showLists);

  /** One of several fixed words. */
  static Kind<String> oneOf(String... words) {
    List<String> all = List.of(words);
    return scalar(
        String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.getLast(),
        (key, text) -> {
          String word = text.toLowerCase(Locale.ROOT);
          if (!all.contains(word)) {
            throw Check.refusal(
                key,
                text,
                "must be one of " + String.join(", ", all)
                    + ", because other values are not supported",
                Typo.correction(word, all)
                    .map(near -> "Did you mean " + near + "?")
                    .orElse("Choose one of them."));
          }
          return word;
        },
        word -> word);
  }

  private static <T> Kind<T> scalar(
      String name, Reading<String, T> parse, Function<T, String> show) {
    return new Kind<>(name, (key, node) -> parse.of(key, scalar(key, node, name)), parse, show);
  }

  private static String scalar(String key, JsonNode node, String name) {
    if (!node.isValueNode() || node.isNull()) {
      throw wrong(key, node, name);
    }
    return node.asString();
  }

  private static RuntimeException wrong(String key, JsonNode node, String name) {
    return Check.refusal(
        key,
        node.toString(),
        "must be a " + name + ", because the setting has that type",
        "Correct the value, or leave the key out for its default.");
  }

  private static Boolean truth(String key, String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes" -> true;
      case "false", "off", "no" -> false;
      default ->
        throw Check.refusal(
            key,
            text,
            "must be true or false, because it turns something on or off",
            "Write true or false.");
    };
  }

  private static Integer number(String key, String text) {
    try {
      return Integer.valueOf(text.replace("_", ""));
    } catch (NumberFormatException e) {
      throw Check.refusal(
          key,
          text,
          "must be a whole number, because it is a count",
          "Write for example 10 or 10_000.");
    }
  }

  private static Double decimal(String key, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // refused below, like values that are not finite
    }
    throw Check.refusal(
        key,
        text,
        "must be a number, because it is used in calculations",
        "Write for example 2.0.");
  }

  private static List<String> list(String key, JsonNode node) {
    if (node.isValueNode() && !node.isNull()) {
      return split(node.asString());
    }
    if (!node.isArray()) {
      throw wrong(key, node, "list");
    }
    return node.values().stream()
        .map(each -> scalar(key, each, "list of texts"))
        .toList();
  }

  private static List<String> split(String text) {
    return Arrays.stream(text.split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static Map<String, String> map(String key, JsonNode node) {
    if (!node.isObject()) {
      throw wrong(key, node, "map");
    }
    var all = new LinkedHashMap<String, String>();
    node.properties()
        .forEach(each ->
            all.put(each.getKey(), scalar(key + "." + each.getKey(), each.getValue(), "text")));
    return Map.copyOf(all);
  }

  private static Map<String, List<String>> lists(String key, JsonNode node) {
    if (!node.isObject()) {
      throw wrong(key, node, "map of lists");
    }
    var all = new LinkedHashMap<String, List<String>>();
    node.properties()
        .forEach(each -> all.put(each.getKey(), list(key + "." + each.getKey(), each.getValue())));
    return Map.copyOf(all);
  }

  private static Map<String, List<String>> listPairs(String key, String text) {
    var all = new LinkedHashMap<String, List<String>>();
    pairs(key, text, (name, value) -> {
      List<String> words =
          Arrays.stream(value.split("\\s+")).filter(word -> !word.isEmpty()).toList();
      all.merge(
          name,
          words,
          (first, second) -> Stream.concat(first.stream(), second.stream()).toList());
    });
    return Map.copyOf(all);
  }

  private static Map<String, String> pairs(String key, String text) {
    var all = new LinkedHashMap<String, String>();
    pairs(key, text, all::put);
    return Map.copyOf(all);
  }

  private static void pairs(String key, String text, BiConsumer<String, String> each) {
    for (String pair : split(text)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw Check.refusal(
            key,
            text,
            "must be name=value pairs with commas between them, because it is a map",
            "Write for example region=eu,disk=ssd.");
      }
      each.accept(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
    }
  }

  private static String showLists(Map<String, List<String>> value) {
    return showPairs(value.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> String.join(" ", each.getValue()))));
  }

  private static String showPairs(Map<String, String> value) {
    Collection<Map.Entry<String, String>> sorted =
        value.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
    return sorted.stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(","));
  }
}
