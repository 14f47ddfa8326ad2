package io.belfry.tests.witness;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the bodies of a job take, as its payload says. Which length a task gets follows from its id, so that each of its attempts takes
 * the same time.
 *
 * @param either one of the two lengths; otherwise any length between them
 */
record WorkLength(boolean either, int shortestMillis, int longestMillis) {
  private static final Pattern TEXT =
      Pattern.compile("\"(either|between) ([0-9]{1,8}) ([0-9]{1,8})\"");

  static WorkLength between(int shortestMillis, int longestMillis) {
    return new WorkLength(false, shortestMillis, longestMillis);
  }

  static WorkLength either(int shortestMillis, int longestMillis) {
    return new WorkLength(true, shortestMillis, longestMillis);
  }

  /** As JSON. */
  String payload() {
    return "\"" + (either ? "either" : "between") + " " + shortestMillis + " " + longestMillis
        + "\"";
  }

  static Optional<WorkLength> parse(String payload) {
    Matcher found = TEXT.matcher(payload);
    return found.matches()
        ? Optional.of(new WorkLength(
            found.group(1).equals("either"),
            Integer.parseInt(found.group(2)),
            Integer.parseInt(found.group(3))))
        : Optional.empty();
  }

  Duration of(String task) {
    int mixed = (task.hashCode() * 0x9E3779B9) >>> 8;
    if (either) {
      return Duration.ofMillis(mixed % 2 == 0 ? shortestMillis : longestMillis);
    }
    return Duration.ofMillis(shortestMillis + mixed % (longestMillis - shortestMillis));
  }
}
