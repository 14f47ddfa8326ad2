package io.belfry.tests.witness;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the payload of a submitted task says to its body.
 *
 * @param key the caller's, so that the ledger tells what became of it
 * @param work how long the body is to take
 */
record Order(String key, Duration work) {
  private static final Pattern TEXT = Pattern.compile("\"(submit-[0-9]+) ([0-9]{1,9})( .*)?\"");

  /** As JSON. */
  String payload() {
    return "\"" + key + " " + work.toMillis() + "\"";
  }

  /** As JSON, with words behind it that nobody reads. */
  String payload(String filling) {
    return "\"" + key + " " + work.toMillis() + " " + filling + "\"";
  }

  /** Empty for payloads that are none, such as those of fires. */
  static Optional<Order> parse(String payload) {
    Matcher found = TEXT.matcher(payload);
    return found.matches()
        ? Optional.of(new Order(found.group(1), Duration.ofMillis(Long.parseLong(found.group(2)))))
        : Optional.empty();
  }
}
