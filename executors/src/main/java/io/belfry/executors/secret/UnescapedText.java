package io.belfry.executors.secret;

import java.util.Arrays;
import java.util.Optional;

/**
 * A text whose JSON escapes were undone, and where each of its characters came from.
 *
 * <pre>
 *   written   { " k " : " a \/ b " }
 *   text      { " k " : " a /  b " }      found here, and taken out there
 * </pre>
 *
 * A backslash that begins no escape is a character like others, so that any text can be read this way, not only JSON.
 *
 * <p>Threading: immutable.
 */
final class UnescapedText {
  private static final String LETTERS = "\"\\/bfnrt";
  private static final String MEANINGS = "\"\\/\b\f\n\r\t";
  private static final int UNICODE = 6;
  private static final int RADIX = 16;

  private final String text;
  /** Places in what was written: of each character, and of the end. */
  private final int[] places;

  private UnescapedText(String text, int[] places) {
    this.text = text;
    this.places = places;
  }

  /** The text as it is. */
  static UnescapedText none(String written) {
    int[] places = new int[written.length() + 1];
    Arrays.setAll(places, i -> i);
    return new UnescapedText(written, places);
  }

  /** The same with its escapes undone once more; empty if there are none. */
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
    return Optional.of(new UnescapedText(plain.toString(), Arrays.copyOf(from, plain.length() + 1)));
  }

  /** Characters of the escape that begins here; one if there is none. */
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

  /** Where this place of the text is in what was written. */
  int written(int place) {
    return places[place];
  }
}
