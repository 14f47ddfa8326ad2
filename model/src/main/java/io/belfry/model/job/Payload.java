package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The input of a task: bytes with a content type, usually JSON. Belfry stores them and does not interpret them.
 * Threading: immutable.
 */
public final class Payload {
  public static final String JSON = "application/json";

  /** The default limit for the size of a payload or a result, in bytes. */
  public static final int DEFAULT_LIMIT = 256 * 1024;

  /**
   * The highest limit that can be configured. A commit contains a task twice, in its record and in the message to its worker, and a
   * finished task holds payload and result in one value. Both must fit on every engine.
   */
  public static final int HIGHEST_LIMIT = 384 * 1024;

  public static final Payload EMPTY = new Payload(JSON, new byte[0]);

  private static final int TYPE_CHARS_MAX = 100;

  private final String contentType;
  private final byte[] bytes;
  private final boolean plain;

  private Payload(String contentType, byte[] bytes) {
    this(contentType, bytes, false);
  }

  private Payload(String contentType, byte[] bytes, boolean plain) {
    this.contentType = contentType;
    this.bytes = bytes;
    this.plain = plain;
  }

  public static Payload json(String text) {
    return of(JSON, text.getBytes(StandardCharsets.UTF_8), DEFAULT_LIMIT);
  }

  public static Payload of(String contentType, byte[] bytes) {
    return of(contentType, bytes, DEFAULT_LIMIT);
  }

  /** With another limit than the default one. */
  public static Payload of(String contentType, byte[] bytes, int limit) {
    Check.text("payload.contentType", contentType, TYPE_CHARS_MAX);
    Check.between(
        "payload.limit",
        limit,
        1,
        HIGHEST_LIMIT,
        "a task with its result must fit into one value on every engine");
    if (bytes.length > limit) {
      throw tooHeavy(bytes.length, limit);
    }
    return new Payload(contentType, bytes.clone());
  }

  /** Copies the rest of the buffer, within {@link #HIGHEST_LIMIT}. For stored records, whose limit was checked when they were written. */
  public static Payload copyOf(String contentType, ByteBuffer bytes) {
    Check.text("payload.contentType", contentType, TYPE_CHARS_MAX);
    if (bytes.remaining() > HIGHEST_LIMIT) {
      throw tooHeavy(bytes.remaining(), HIGHEST_LIMIT);
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return new Payload(contentType, copy);
  }

  /** The same payload, stored without compression. The two are equal. */
  public Payload plain() {
    return plain ? this : new Payload(contentType, bytes, true);
  }

  /** The same payload, stored compressed if that helps. This is the default; {@link #plain} turns it off. */
  public Payload compressible() {
    return plain ? new Payload(contentType, bytes, false) : this;
  }

  public boolean isPlain() {
    return plain;
  }

  public String contentType() {
    return contentType;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** A read-only view of the bytes, without a copy. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public int size() {
    return bytes.length;
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that
        && contentType.equals(that.contentType)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return 31 * contentType.hashCode() + Arrays.hashCode(bytes);
  }

  /** Content type and size only: payloads may contain secrets, and this text is logged. */
  @Override
  public String toString() {
    return "Payload[" + contentType + ", " + bytes.length + " bytes]";
  }

  private static InvalidException tooHeavy(int bytes, int limit) {
    return Check.refusal(
        "payload",
        new Check.Amount(bytes, "bytes"),
        "must have at most " + limit + " bytes, because it is sent with every attempt",
        "Store the data elsewhere and pass its address.");
  }
}
