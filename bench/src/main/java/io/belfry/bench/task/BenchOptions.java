package io.belfry.bench.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command-line options of a benchmark.
 *
 * @param numbers by name, with the defaults of the benchmark
 */
public record BenchOptions(List<String> engines, boolean json, Map<String, Integer> numbers) {

  /** Parses {@code [--engine E ...] [--output json|table] [--NAME NUMBER ...]}; an engine may also be given without {@code --engine}. */
  public static BenchOptions of(
      String[] words, List<String> engines, Map<String, Integer> defaults) {
    var chosen = new ArrayList<String>();
    var numbers = new LinkedHashMap<>(defaults);
    boolean json = false;
    for (int i = 0; i < words.length; i++) {
      String word = words[i];
      if (engines.contains(word)) {
        chosen.add(word);
      } else if (word.equals("--engine")) {
        chosen.add(oneOf(engines, word, next(words, i++)));
      } else if (word.equals("--output")) {
        json = oneOf(List.of("json", "table"), word, next(words, i++)).equals("json");
      } else if (word.startsWith("--") && numbers.containsKey(word.substring(2))) {
        numbers.put(word.substring(2), Integer.parseInt(next(words, i++)));
      } else {
        throw new IllegalArgumentException(
            "'" + word + "' is not a known option. The options are --engine "
                + engines + ", --output json|table, and with a number: --"
                + String.join(", --", numbers.keySet()) + ".");
      }
    }
    return new BenchOptions(chosen.isEmpty() ? engines : List.copyOf(chosen), json, numbers);
  }

  public int number(String name) {
    return numbers.getOrDefault(name, 0);
  }

  private static String next(String[] words, int at) {
    if (at + 1 == words.length) {
      throw new IllegalArgumentException("'" + words[at] + "' needs a value after it.");
    }
    return words[at + 1];
  }

  private static String oneOf(List<String> all, String option, String got) {
    if (!all.contains(got)) {
      throw new IllegalArgumentException(
          option + " must be one of " + all + ", but was '" + got + "'.");
    }
    return got;
  }
}
