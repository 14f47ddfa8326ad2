package io.belfry.cli.show;

/**
 * Computes how many terminal columns a text takes: Chinese, Japanese and Korean characters and emoji take two, combining marks none, and a
 * sequence that is drawn as one character counts as one.
 *
 * <p>Threading: stateless.
 */
public final class Width {
  private static final int JOINER = 0x200D;
  private static final int EMOJI_STYLE = 0xFE0F;

  /** Ranges of wide characters, first and last of each, in order. The JDK knows emoji. */
  private static final int[] WIDE = {
    0x1100, 0x115F, 0x2E80, 0x303E, 0x3041, 0x33FF, 0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xA000, 0xA4CF,
    0xA960, 0xA97F, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE30, 0xFE6F, 0xFF00, 0xFF60, 0xFFE0, 0xFFE6,
    0x17000, 0x18AFF, 0x1B000, 0x1B2FF, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD
  };

  private Width() {}

  public static int of(String text) {
    int columns = 0;
    for (int at = 0; at < text.length(); ) {
      int end = graphemeEnd(text, at);
      columns += ofGrapheme(text, at, end);
      at = end;
    }
    return columns;
  }

  /** Cuts the text to the width; a text that was cut ends with the mark. */
  public static String cut(String text, int columns, String mark) {
    if (of(text) <= columns) {
      return text;
    }
    int room = columns - of(mark);
    if (room < 0) {
      return mark.substring(0, Math.max(0, columns));
    }
    int used = 0;
    int at = 0;
    while (at < text.length()) {
      int end = graphemeEnd(text, at);
      int next = ofGrapheme(text, at, end);
      if (used + next > room) {
        break;
      }
      used += next;
      at = end;
    }
    return text.substring(0, at) + mark;
  }

  public static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - of(text)));
  }

  public static String padLeft(String text, int columns) {
    return " ".repeat(Math.max(0, columns - of(text))) + text;
  }

  /** The text on one line and without control characters. */
  public static String plain(String text) {
    if (text.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      return text;
    }
    var plain = new StringBuilder(text.length());
    text.codePoints().forEach(c -> plain.append(isBreak(c) ? " " : visible(c)));
    return plain.toString();
  }

  private static boolean isBreak(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }

  /** The character, or an empty string if it is a control character. */
  static String visible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> "";
      case Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> "\uFFFD";
      default -> Controls.changesDirection(c) ? "" : Character.toString(c);
    };
  }

  /** End of the grapheme that begins here, including its combining marks and joined characters. */
  private static int graphemeEnd(String text, int from) {
    int first = text.codePointAt(from);
    int at = from + Character.charCount(first);
    boolean flag = isFlagLetter(first);
    while (at < text.length()) {
      int c = text.codePointAt(at);
      if (c == JOINER && at + 1 < text.length() && first >= 0x2000) {
        at++;
        at += Character.charCount(text.codePointAt(at));
      } else if (isMark(c) || isSkinTone(c)) {
        at += Character.charCount(c);
      } else if (flag && isFlagLetter(c)) {
        flag = false;
        at += Character.charCount(c);
      } else {
        return at;
      }
    }
    return at;
  }

  private static int ofGrapheme(String text, int from, int end) {
    int first = text.codePointAt(from);
    if (isMark(first)) {
      return 0;
    }
    boolean emoji = Character.isEmojiPresentation(first)
        || (Character.isEmoji(first) && text.substring(from, end).indexOf(EMOJI_STYLE) > 0);
    boolean flag = isFlagLetter(first) && end - from > Character.charCount(first);
    return emoji || flag || isWide(first) ? 2 : 1;
  }

  private static boolean isMark(int c) {
    if (c < 0x300) {
      return c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0xAD;
    }
    return switch (Character.getType(c)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> true;
      default -> c >= 0x1160 && c <= 0x11FF; // the later parts of a Korean syllable
    };
  }

  private static boolean isSkinTone(int c) {
    return c >= 0x1F3FB && c <= 0x1F3FF;
  }

  private static boolean isFlagLetter(int c) {
    return c >= 0x1F1E6 && c <= 0x1F1FF;
  }

  private static boolean isWide(int c) {
    if (c < WIDE[0]) {
      return false;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (c <= WIDE[i + 1]) {
        return c >= WIDE[i];
      }
    }
    return false;
  }
}
