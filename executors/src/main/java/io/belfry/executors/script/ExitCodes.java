package io.belfry.executors.script;

import io.belfry.model.Check;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A set of exit codes, written as {@code 64} or {@code "64-78"}. Threading: immutable. */
final class ExitCodes {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,3})(?:\\s*-\\s*(\\d{1,3}))?");
  private static final int CODE_MAX = 255;

  private final BitSet codes;

  private ExitCodes(BitSet codes) {
    this.codes = codes;
  }

  static ExitCodes of(String field, List<?> written) {
    var codes = new BitSet();
    for (Object one : written) {
      Matcher range = RANGE.matcher(String.valueOf(one).strip());
      int from = range.matches() ? Integer.parseInt(range.group(1)) : CODE_MAX + 1;
      int to = range.matches() && range.group(2) != null ? Integer.parseInt(range.group(2)) : from;
      Check.that(
          from <= to && to <= CODE_MAX,
          field,
          String.valueOf(one),
          "must list exit codes from 0 to " + CODE_MAX + ", because a process has no others",
          "Write them like 64 or \"64-78\".");
      codes.set(from, to + 1);
    }
    return new ExitCodes(codes);
  }

  /** All codes except 0. */
  static ExitCodes usual() {
    var codes = new BitSet();
    codes.set(1, CODE_MAX + 1);
    return new ExitCodes(codes);
  }

  boolean contains(int code) {
    return codes.get(code);
  }
}
