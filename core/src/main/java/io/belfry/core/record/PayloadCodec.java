package io.belfry.core.record;

import io.belfry.model.job.Payload;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Flags, content type unless JSON, length and bytes; deflated if that is shorter, with the original length before it. A payload stored
 * uncompressed, because it would not become shorter or on request, is marked so when read, so that later writes do not try again.
 * Threading: stateless.
 */
final class PayloadCodec {
  private static final int TYPE = 1;
  private static final int DEFLATED = 2;

  /** Below this size, deflating costs more than it saves. */
  private static final int DEFLATE_FROM = 1024;

  /** The highest possible compression ratio of deflate: a larger original length is refused. */
  private static final int RATIO_MAX = 1032;

  private static final int CHECKED_AT_ONCE = 8192;

  private PayloadCodec() {}

  static void write(Writer out, Payload payload) {
    ByteBuffer stored = payload.deflated().orElseGet(() -> shortest(payload));
    boolean shorter = stored.remaining() < payload.size();
    boolean other = !payload.contentType().equals(Payload.JSON);
    out.number((other ? TYPE : 0) | (shorter ? DEFLATED : 0));
    if (other) {
      out.text(payload.contentType());
    }
    if (shorter) {
      out.number(payload.size());
    }
    out.number(stored.remaining());
    out.bytes(stored);
  }

  private static ByteBuffer shortest(Payload payload) {
    ByteBuffer plain = payload.view();
    return payload.isPlain() || plain.remaining() < DEFLATE_FROM ? plain : deflated(plain);
  }

  static Payload read(Reader in) {
    int flags = in.flags(TYPE | DEFLATED);
    String type = (flags & TYPE) != 0 ? in.text() : Payload.JSON;
    long plain = (flags & DEFLATED) != 0 ? in.number() : 0;
    ByteBuffer stored = in.bytes(in.count());
    if ((flags & DEFLATED) != 0) {
      requireInflates(in, stored.duplicate(), plain);
      return Payload.deflated(type, stored, (int) plain);
    }
    return stored.hasRemaining() || (flags & TYPE) != 0
        ? asItIs(Payload.copyOf(type, stored))
        : Payload.EMPTY;
  }

  private static Payload asItIs(Payload read) {
    return read.size() < DEFLATE_FROM ? read : read.plain();
  }

  /** The same buffer if it would not become shorter. */
  private static ByteBuffer deflated(ByteBuffer plain) {
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      byte[] shorter = new byte[plain.remaining() - 1];
      deflater.setInput(plain.duplicate());
      deflater.finish();
      int length = deflater.deflate(shorter);
      return deflater.finished() ? ByteBuffer.wrap(shorter, 0, length) : plain;
    } finally {
      deflater.end();
    }
  }

  /** Whoever asks for the bytes later can rely on them: a record that is damaged shows when it is read. */
  private static void requireInflates(Reader in, ByteBuffer stored, long length) {
    long most = Math.min(Payload.HIGHEST_LIMIT, (long) stored.remaining() * RATIO_MAX);
    if (length < 0 || length > most) {
      throw in.damaged("a payload that would inflate to " + length + " bytes, where at most " + most
          + " are possible or allowed");
    }
    Inflater inflater = new Inflater();
    try {
      byte[] some = new byte[(int) Math.min(length + 1, CHECKED_AT_ONCE)];
      inflater.setInput(stored);
      long sum = 0;
      int got;
      do {
        got = inflater.inflate(some);
        sum += got;
      } while (got > 0 && sum <= length);
      if (sum != length || !inflater.finished()) {
        throw in.damaged("a deflated payload that does not inflate to its " + length + " bytes");
      }
    } catch (DataFormatException e) {
      throw in.damaged("a payload that cannot be inflated: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
  }
}
