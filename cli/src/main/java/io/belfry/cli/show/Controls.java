package io.belfry.cli.show;

import java.util.HexFormat;

/**
 * Characters that are obeyed instead of shown, by a terminal or by what lays out its lines.
 *
 * <pre>
 *   U+0000–001F, 007F    control characters; ESC begins sequences
 *   U+0080–009F          the same as ESC and a letter: U+009B is ESC [, U+0085 ends a line
 *   U+2028, 2029         end a line or a paragraph
 *   U+061C, 200E, 200F, 202A–202E, 2066–206F
 *                        turn the direction of a line, and with it what it seems to say
 *   U+FEFF               at the beginning of a file, names its encoding
 * </pre>
 *
 * <p>Threading: stateless.
 */
final class Controls {
  private Controls() {}

  static boolean turnsAround(int c) {
    return c == 0x061C
        || c == 0x200E
        || c == 0x200F
        || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x206F);
  }

  /** Whether JSON and YAML show it as it is although it is obeyed; characters below U+0020 they escape by themselves. */
  private static boolean isLeftRaw(int c) {
    return (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || turnsAround(c);
  }

  static boolean anyLeftRaw(String text) {
    return text.chars().anyMatch(Controls::isLeftRaw);
  }

  /**
   * The same document with such characters as {@code \\uXXXX}, which means the same. In JSON they can only stand in texts; in {@link
   * EscapingYaml} only in texts between double quotes.
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
