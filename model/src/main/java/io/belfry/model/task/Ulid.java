package io.belfry.model.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A unique id (ULID): 48 bits of milliseconds, then 80 random bits, as 26 lower-case characters of Crockford's
 * base 32. The time comes first, so that ids sort by age and a record is found by its id without an index.
 * Threading: stateless.
 */
final class Ulid {
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int TIME_CHARS = 10;
  private static final int CHARS = 26;
  private static final int BITS = 5;
  private static final long TIME_MASK = (1L << 48) - 1;

  private Ulid() {}

  static String make(Instant now, RandomGenerator random) {
    return make(now, random.nextLong(), random.nextLong());
  }

  /** A deterministic id: the same instant and name always give the same id. */
  static String named(Instant at, String name) {
    try {
      ByteBuffer digest =
          ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8)));
      return make(at, digest.getLong(), digest.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String make(Instant at, long high, long low) {
    StringBuilder text = new StringBuilder(CHARS);
    append(text, at.toEpochMilli() & TIME_MASK, TIME_CHARS);
    append(text, high, 8);
    append(text, low, 8);
    return text.toString();
  }

  static boolean isOne(String text) {
    return text.length() == CHARS
        && text.charAt(0) <= '7'
        && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  static Instant time(String fresh) {
    long millis = 0;
    for (int i = 0; i < TIME_CHARS; i++) {
      millis = millis << BITS | ALPHABET.indexOf(fresh.charAt(i));
    }
    return Instant.ofEpochMilli(millis);
  }

  /** The lowest bits, most significant character first. */
  private static void append(StringBuilder text, long bits, int chars) {
    for (int i = chars - 1; i >= 0; i--) {
      text.append(ALPHABET.charAt((int) (bits >>> (BITS * i)) & (ALPHABET.length() - 1)));
    }
  }
}
