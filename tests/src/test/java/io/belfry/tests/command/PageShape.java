package io.belfry.tests.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What an output looks like apart from what differs from run to run: times, durations, generated ids, widths of columns. Threading:
 * confined to its test.
 */
final class PageShape {
  private static final String INSTANT =
      "\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?Z?)?";
  private static final String LENGTH = "(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+";
  /** Ids that a server makes: of tasks that were triggered or done again, and of tokens. */
  private static final Pattern IDS = Pattern.compile("\\b01[0-9a-z]{24}\\b|\\b[0-9a-f]{16}\\b");

  private static final List<Map.Entry<Pattern, String>> RULES = List.of(
      rule("bft_[\\w-]+", "TOKEN"),
      rule("code=[\\w.-]+", "code=CODE"),
      rule("127\\.0\\.0\\.1:\\d+", "ADDRESS"),
      rule("~[0-9a-f]{12}", "~INCARNATION"),
      rule("\\b[0-9a-f]{16}(?:[0-9a-f]{8})?\\b|\\b01[0-9a-z]{24}\\b", "ID"),
      rule("(?m)^(term|elections) +\\d+$", "$1 N"),
      rule(INSTANT, "TIME"),
      rule(
          "just now|(?<=\\s)now(?=\\s|$)|\\bin (?:" + LENGTH + "|\\d+ \\w+)|" + LENGTH + " ago",
          "WHEN"),
      rule("(?<![\\w.=-])" + LENGTH + "(?![\\w.])", "LENGTH"),
      rule("\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?", "VERSION"),
      rule("WHEN|TIME", "T"),
      rule("[ \\t]+", " "),
      rule(" (?=\\n|$)", ""));

  private final Map<String, String> known = new HashMap<>();

  private static Map.Entry<Pattern, String> rule(String what, String becomes) {
    return Map.entry(Pattern.compile(what), becomes);
  }

  static String of(String text) {
    String shape = text;
    for (Map.Entry<Pattern, String> rule : RULES) {
      shape = rule.getKey().matcher(shape).replaceAll(rule.getValue());
    }
    return shape;
  }

  /** Learns which id of the page stands for which id of this server: they come in the same order. */
  void learn(String shown, String real) {
    List<String> there = ids(shown);
    List<String> here = ids(real);
    for (int i = 0; i < Math.min(there.size(), here.size()); i++) {
      known.putIfAbsent(there.get(i), here.get(i));
    }
  }

  private static List<String> ids(String text) {
    return new ArrayList<>(IDS.matcher(text).results().map(MatchResult::group).toList());
  }

  /** A command of the page with the ids of this server. */
  String typed(String command) {
    String typed = command;
    for (Map.Entry<String, String> each : known.entrySet()) {
      typed = typed.replace(each.getKey(), each.getValue());
    }
    return typed;
  }
}
