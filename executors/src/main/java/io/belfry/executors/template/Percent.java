package io.belfry.executors.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Percent-encoding of URLs: encodes everything but letters, digits and {@code -._~}. Threading: stateless. */
public final class Percent {
  private static final String HEX = "0123456789ABCDEF";
  private static final int RADIX = 16;

  private Percent() {}

  public static String encode(String text) {
    int i = 0;
    while (i < text.length() && isPlain(text.charAt(i))) {
      i++;
    }
    return i == text.length() ? text : encodeAll(text);
  }

  private static String encodeAll(String text) {
    var encoded = new StringBuilder(text.length() + RADIX);
    for (byte b : text.getBytes(UTF_8)) {
      if (isPlain((char) (b & 0xff))) {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HEX.charAt((b & 0xff) / RADIX)).append(HEX.charAt(b & 0x0f));
      }
    }
    return encoded.toString();
  }

  /** Decodes the text. A '%' that is not followed by two hexadecimal digits stays. */
  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    var bytes = new ByteArrayOutputStream(text.length());
    byte[] all = text.getBytes(UTF_8);
    for (int i = 0; i < all.length; i++) {
      int value = all[i] == '%' && i + 2 < all.length ? pair(all[i + 1], all[i + 2]) : -1;
      if (value >= 0) {
        bytes.write(value);
        i += 2;
      } else {
        bytes.write(all[i]);
      }
    }
    return bytes.toString(UTF_8);
  }

  private static int pair(byte high, byte low) {
    int h = Character.digit(high, RADIX);
    int l = Character.digit(low, RADIX);
    return h < 0 || l < 0 ? -1 : h * RADIX + l;
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
