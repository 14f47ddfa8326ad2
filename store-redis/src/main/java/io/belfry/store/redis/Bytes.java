package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Numbers and texts as the scripts write them. */
final class Bytes {
  static final int REVISION = 8;
  /** Before the value of a stored entry: revision and lease. */
  static final int HEAD = 16;

  private Bytes() {}

  static byte[] ofLong(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static long toLong(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).getLong(at);
  }

  static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }

  static String ascii(Object reply) {
    return new String((byte[]) reply, US_ASCII);
  }

  static byte[] value(byte[] stored) {
    return Arrays.copyOfRange(stored, HEAD, stored.length);
  }

  /** A stream id, {@code epoch-counter}, as a revision. */
  static long revision(String streamId) {
    int dash = streamId.indexOf('-');
    return io.belfry.store.Revision.of(
        Long.parseLong(streamId, 0, dash, 10),
        Long.parseLong(streamId, dash + 1, streamId.length(), 10));
  }
}
