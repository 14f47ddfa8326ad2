package io.belfry.executors.http;

import io.belfry.model.Check;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of HTTP statuses, written as {@code 404}, {@code "2xx"} or {@code "200-299"}. Threading: immutable. */
final class StatusSet {
  private static final Pattern CLASS = Pattern.compile("([1-5])xx");
  private static final Pattern RANGE = Pattern.compile("([1-5]\\d\\d)(?:\\s*-\\s*([1-5]\\d\\d))?");
  private static final int CLASS_SIZE = 100;

  private final BitSet statuses;

  private StatusSet(BitSet statuses) {
    this.statuses = statuses;
  }

  static StatusSet of(String field, List<?> written) {
    var all = new BitSet();
    for (int i = 0; i < written.size(); i++) {
      String text = String.valueOf(written.get(i));
      BitSet one = read(text).orElseThrow(() -> refusal(field, text, ""));
      all.or(one);
    }
    return new StatusSet(all);
  }

  static RuntimeException refusal(String field, String text, String others) {
    return Check.refusal(
        field,
        text,
        "must list " + others + "statuses from 100 to 599, because HTTP has no others",
        "Write them like 404, \"2xx\" or \"200-299\".");
  }

  /** The statuses in the text; empty if it is not valid. */
  static Optional<BitSet> read(String text) {
    Matcher whole = CLASS.matcher(text.strip());
    Matcher range = RANGE.matcher(text.strip());
    var statuses = new BitSet();
    if (whole.matches()) {
      int first = Integer.parseInt(whole.group(1)) * CLASS_SIZE;
      statuses.set(first, first + CLASS_SIZE);
    } else if (range.matches()) {
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      statuses.set(first, Math.max(first, last + 1));
    }
    return statuses.isEmpty() ? Optional.empty() : Optional.of(statuses);
  }

  boolean contains(int status) {
    return statuses.get(status);
  }
}
