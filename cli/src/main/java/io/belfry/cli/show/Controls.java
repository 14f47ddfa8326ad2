package io.belfry.cli.show;

import java.util.HexFormat;

/**
 * Control characters: those that a terminal or its text layout acts on instead of showing them.
 *
 * <pre>
 *   U+0000–001F, 007F    control characters; ESC begins sequences
 *   U+0080–009F          the same as ESC and a letter: U+009B is ESC [, U+0085 ends a line
 *   U+2028, 2029         end a line or a paragraph
 *   U+061C, 200E, 200F, 202A–202E, 2066–206F
 *                        change the direction of a line, and so its apparent meaning
 *   U+FEFF               byte order mark
 * </pre>
 *
 * <p>Threading: stateless.
 */
final class Controls {
  private Controls() {}

  static boolean changesDirection(int c) {
    return c == 0x061C
        || c == 0x200E
        || c == 0x200F
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x206F);
  }

  /** Whether Jackson writes this control character unescaped; it escapes those below U+0020 itself. */
  private static boolean isLeftRaw(int c) {
    return (c >= 0x7F && c <= 0x9F)
        || c == 0x2028
        || c == 0x2029
        || c == 0xFEFF
        || changesDirection(c);
  }

  static boolean anyLeftRaw(String text) {
    return text.chars().anyMatch(Controls::isLeftRaw);
  }

  /**
   * The same document with these characters as {@code \\uXXXX}. In JSON they occur only in strings, in {@link EscapingYaml} only in
   * double-quoted strings.
   */
  static String escaped(String document) {
    if (!anyLeftRaw(document)) {
      return document;
    }
    var escaped = new StringBuilder(document.length() + 64);
    for (int i = 0; i < document.length(); i++) {
      char c = document.charAt(i);
      if (isLeftRaw(c)) {
        escaped.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
