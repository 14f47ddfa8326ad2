package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The input of a task: bytes with a content type, usually JSON. Belfry stores them and does not interpret them.
 *
 *
 * <p>One that was read from a record stays deflated as it was stored, and is inflated for whoever asks for its bytes, each time: most of those who read
 * records never do, and many of them in memory take no more than their records do.
 *
 * <p>Threading: immutable.
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
  /** As they are, or deflated. */
  private final byte[] kept;

  private final int size;
  private final Form form;

  /** How it is kept. */
  private enum Form {
    COMPRESSIBLE,
    PLAIN,
    DEFLATED
  }

  private Payload(String contentType, byte[] bytes) {
    this(contentType, bytes, bytes.length, Form.COMPRESSIBLE);
  }

  private Payload(String contentType, byte[] kept, int size, Form form) {
    this.contentType = contentType;
    this.kept = kept;
    this.size = size;
    this.form = form;
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

  /**
   * Takes what remains of the buffer as the deflated form of so many bytes, within {@link #HIGHEST_LIMIT}: for records, whose reader has seen that it
   * inflates to these.
   */
  public static Payload deflated(String contentType, ByteBuffer deflated, int size) {
    Check.text("payload.contentType", contentType, TYPE_CHARS_MAX);
    if (size > HIGHEST_LIMIT) {
      throw tooHeavy(size, HIGHEST_LIMIT);
    }
    byte[] copy = new byte[deflated.remaining()];
    deflated.get(copy);
    return new Payload(contentType, copy, size, Form.DEFLATED);
  }

  /** The same payload, stored without compression. The two are equal. */
  public Payload plain() {
    return isPlain() ? this : new Payload(contentType, whole(), size, Form.PLAIN);
  }

  /** The same payload, stored compressed if that helps. This is the default; {@link #plain} turns it off. */
  public Payload compressible() {
    return isPlain() ? new Payload(contentType, kept) : this;
  }

  public boolean isPlain() {
    return form == Form.PLAIN;
  }

  /** What it is kept as, if that is deflated; not to be changed. */
  public Optional<ByteBuffer> deflated() {
    return form == Form.DEFLATED
        ? Optional.of(ByteBuffer.wrap(kept).asReadOnlyBuffer())
        : Optional.empty();
  }

  /** The bytes themselves, or inflated ones that nobody else has. */
  private byte[] whole() {
    if (form != Form.DEFLATED) {
      return kept;
    }
    Inflater inflater = new Inflater();
    try {
      byte[] bytes = new byte[size];
      inflater.setInput(kept);
      if (inflater.inflate(bytes) != size) {
        throw new IllegalStateException("a payload was not checked before it was kept deflated");
      }
      return bytes;
    } catch (DataFormatException e) {
      throw new IllegalStateException("a payload was not checked before it was kept deflated", e);
    } finally {
      inflater.end();
    }
  }

  public String contentType() {
    return contentType;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return form == Form.DEFLATED ? whole() : kept.clone();
  }

  /** A read-only view of the bytes, without a further copy. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(whole()).asReadOnlyBuffer();
  }

  public String text() {
    return new String(whole(), StandardCharsets.UTF_8);
  }

  public int size() {
    return size;
  }

  /** The bytes that it takes as it is kept, which may be far fewer than its {@link #size}. */
  public int kept() {
    return kept.length;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload that
        && contentType.equals(that.contentType)
        && size == that.size
        && hasSameBytes(that);
  }

  private boolean hasSameBytes(Payload that) {
    boolean alike = (form == Form.DEFLATED) == (that.form == Form.DEFLATED);
    return (alike && Arrays.equals(kept, that.kept)) || Arrays.equals(whole(), that.whole());
  }

  @Override
  public int hashCode() {
    return 31 * contentType.hashCode() + Arrays.hashCode(whole());
  }

  /** Content type and size only: payloads may contain secrets, and this text is logged. */
  @Override
  public String toString() {
    return "Payload[" + contentType + ", " + size + " bytes]";
  }

  private static InvalidException tooHeavy(int bytes, int limit) {
    return Check.refusal(
        "payload",
        new Check.Amount(bytes, "bytes"),
        "must have at most " + limit + " bytes, because it is sent with every attempt",
        "Store the data elsewhere and pass its address.");
  }
}
