package io.belfry.executors.secret;

import java.util.Arrays;
import java.util.Optional;

/**
 * A text without its JSON escapes, with the original position of each character.
 *
 * <pre>
 *   original   { " k " : " a \/ b " }      redacted here
 *   text       { " k " : " a /  b " }      searched here
 * </pre>
 *
 * A backslash that does not start an escape is an ordinary character, so that any text can be unescaped, not only JSON.
 *
 * <p>Threading: immutable.
 */
final class UnescapedText {
  private static final String LETTERS = "\"\\/bfnrt";
  private static final String MEANINGS = "\"\\/\b\f\n\r\t";
  private static final int UNICODE = 6;
  private static final int RADIX = 16;

  private final String text;
  /** The original position of each character, and of the end. */
  private final int[] places;

  private UnescapedText(String text, int[] places) {
    this.text = text;
    this.places = places;
  }

  /** The text without any unescaping. */
  static UnescapedText none(String written) {
    int[] places = new int[written.length() + 1];
    Arrays.setAll(places, i -> i);
    return new UnescapedText(written, places);
  }

  /** The text with one more level of escapes removed; empty if it has no escapes. */
  Optional<UnescapedText> again() {
    if (text.indexOf('\\') < 0) {
      return Optional.empty();
    }
    var plain = new StringBuilder(text.length());
    int[] from = new int[text.length() + 1];
    int at = 0;
    while (at < text.length()) {
      int length = escape(at);
      from[plain.length()] = places[at];
      plain.append(length == 1 ? text.charAt(at) : meaning(at, length));
      at += length;
    }
    if (plain.length() == text.length()) {
      return Optional.empty();
    }
    from[plain.length()] = places[text.length()];
    return Optional.of(
        new UnescapedText(plain.toString(), Arrays.copyOf(from, plain.length() + 1)));
  }

  /** The length of the escape that starts here; 1 if there is none. */
  private int escape(int at) {
    if (text.charAt(at) != '\\' || at + 1 == text.length()) {
      return 1;
    }
    char kind = text.charAt(at + 1);
    if (kind == 'u') {
      return isHex(at + 2, at + UNICODE) ? UNICODE : 1;
    }
    return LETTERS.indexOf(kind) >= 0 ? 2 : 1;
  }

  private boolean isHex(int from, int to) {
    for (int i = from; i < to; i++) {
      if (i >= text.length() || Character.digit(text.charAt(i), RADIX) < 0) {
        return false;
      }
    }
    return true;
  }

  private char meaning(int at, int length) {
    return length == UNICODE
        ? (char) Integer.parseInt(text, at + 2, at + UNICODE, RADIX)
        : MEANINGS.charAt(LETTERS.indexOf(text.charAt(at + 1)));
  }

  String text() {
    return text;
  }

  /** The original position of this position of the text. */
  int written(int place) {
    return places[place];
  }
}
