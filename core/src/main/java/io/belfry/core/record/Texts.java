package io.belfry.core.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Text as bytes and back, without loss: malformed text is refused instead of replaced. Threading: stateless. */
final class Texts {
  private Texts() {}

  static boolean hasOnlyWholeCharacters(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /** Each char unchanged; an encoder would replace unpaired surrogates. */
  static byte[] utf16(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * Character.BYTES);
    bytes.asCharBuffer().put(text);
    return bytes.array();
  }

  static String fromUtf16(byte[] bytes, int at, int length) {
    return ByteBuffer.wrap(bytes, at, length).asCharBuffer().toString();
  }

  static String fromUtf8(byte[] bytes, int at, int length) throws CharacterCodingException {
    for (int i = at; i < at + length; i++) {
      if (bytes[i] < 0) {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString();
      }
    }
    return new String(bytes, at, length, ISO_8859_1); // the fastest way for plain ASCII
  }
}
