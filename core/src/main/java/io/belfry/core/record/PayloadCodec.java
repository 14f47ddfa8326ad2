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

  private PayloadCodec() {}

  static void write(Writer out, Payload payload) {
    ByteBuffer plain = payload.view();
    boolean asItIs = payload.isPlain() || plain.remaining() < DEFLATE_FROM;
    ByteBuffer stored = asItIs ? plain : deflated(plain);
    boolean shorter = stored.remaining() < plain.remaining();
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

  static Payload read(Reader in) {
    int flags = in.flags(TYPE | DEFLATED);
    String type = (flags & TYPE) != 0 ? in.text() : Payload.JSON;
    long plain = (flags & DEFLATED) != 0 ? in.number() : 0;
    ByteBuffer stored = in.bytes(in.count());
    if ((flags & DEFLATED) != 0) {
      return Payload.copyOf(type, inflated(in, stored, plain));
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

  private static ByteBuffer inflated(Reader in, ByteBuffer stored, long length) {
    long most = Math.min(Payload.HIGHEST_LIMIT, (long) stored.remaining() * RATIO_MAX);
    if (length < 0 || length > most) {
      throw in.damaged("a payload that would inflate to " + length + " bytes, where at most " + most
          + " are possible or allowed");
    }
    Inflater inflater = new Inflater();
    try {
      byte[] plain = new byte[(int) length];
      inflater.setInput(stored);
      int got = inflater.inflate(plain);
      // The end shows only when more is requested; a stream that goes on was not written by us.
      boolean over = inflater.finished() || inflater.inflate(new byte[1]) == 0;
      if (got != length || !over || !inflater.finished()) {
        throw in.damaged("a deflated payload that does not inflate to its " + length + " bytes");
      }
      return ByteBuffer.wrap(plain);
    } catch (DataFormatException e) {
      throw in.damaged("a payload that cannot be inflated: " + e.getMessage(), e);
    } finally {
      inflater.end();
    }
  }
}
