package io.belfry.model.cron;

import org.jspecify.annotations.Nullable;

/** The text of an expression, and the errors about it. Threading: immutable. */
record Source(String text) {

  static final int MAX_LENGTH = 512;

  Source {
    if (text.length() > MAX_LENGTH) {
      throw new CronSyntaxException(
          text.substring(0, MAX_LENGTH),
          MAX_LENGTH,
          "",
          "a cron expression has at most " + MAX_LENGTH + " characters, but this has "
              + text.length(),
          "Shorten it with ranges and steps, or use several jobs.");
    }
  }

  CronSyntaxException mistake(int from, int to, String problem, String remedy) {
    return new CronSyntaxException(text, from, text.substring(from, to), problem, remedy);
  }

  /** Part of the text in quotes, for a message. */
  String quote(int from, int to) {
    return '"' + text.substring(from, to) + '"';
  }

  /** The next run of characters without white space, if there is one. */
  @Nullable
  Span wordFrom(int from) {
    int start = from;
    while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    int end = start;
    while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return start == end ? null : new Span(start, end);
  }

  /** From the first character to before {@code end}. */
  record Span(int start, int end) {}
}
