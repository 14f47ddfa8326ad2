package io.belfry.core.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.job.Work;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Appends values to one growing buffer; {@link Reader} reads them in the same order. Threading: confined to one call. */
final class Writer {
  /** Enough for most tasks, so that the buffer need not grow. */
  private static final int FIRST_SIZE = 256;

  private byte[] buffer = new byte[FIRST_SIZE];
  private int size;

  /** Tasks written together mostly have the same work: its bytes are copied then. */
  private @Nullable Work work;

  private int workAt;
  private int workLength;

  byte[] done() {
    return Arrays.copyOf(buffer, size);
  }

  /** Any long, seven bits a byte, low ones first: small ones are short, negative ones take ten bytes. */
  void number(long value) {
    room(Varint.LONGEST);
    size = Varint.put(buffer, size, value);
  }

  /** For numbers that are as often negative as positive. */
  void signed(long value) {
    number(Varint.zigzag(value));
  }

  void flag(boolean value) {
    number(value ? 1 : 0);
  }

  void real(double value) {
    long bits = Double.doubleToRawLongBits(value);
    room(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[size++] = (byte) (bits >>> shift);
    }
  }

  void constant(Enum<?> value) {
    number(place(value));
  }

  void constants(Set<? extends Enum<?>> values) {
    long bits = 0;
    for (Enum<?> value : values) {
      bits |= 1L << place(value);
    }
    number(bits);
  }

  /** UTF-8, except for unpaired surrogates, which it cannot express and clipped messages may end in: then UTF-16. */
  void text(String value) {
    int start = size;
    int length = value.length();
    number((long) length << 1);
    room(length);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c >= 0x80) {
        size = start;
        wideText(value);
        return;
      }
      buffer[size + i] = (byte) c;
    }
    size += length;
  }

  private void wideText(String value) {
    boolean whole = Texts.hasOnlyWholeCharacters(value);
    byte[] bytes = whole ? value.getBytes(UTF_8) : Texts.utf16(value);
    number(((long) bytes.length << 1) | (whole ? 0 : 1));
    bytes(ByteBuffer.wrap(bytes));
  }

  void texts(Map<String, String> values) {
    number(values.size());
    values.forEach((key, value) -> {
      text(key);
      text(value);
    });
  }

  /**
   * With nanoseconds, for any instant; the nearer to {@code base} and the rounder, the shorter.
   *
   * @param base an instant that the reader knows already
   */
  void instant(Instant value, Instant base) {
    long seconds = value.getEpochSecond() - base.getEpochSecond();
    int nanos = value.getNano();
    Fraction fraction = Fraction.of(nanos);
    number((Varint.zigzag(seconds) << Fraction.BITS) | fraction.place());
    if (fraction != Fraction.NONE) {
      number(nanos / fraction.nanos());
    }
  }

  void instant(Instant value) {
    instant(value, Instant.EPOCH);
  }

  void duration(Duration value) {
    signed(value.getSeconds());
    number(value.getNano());
  }

  /** Without their length, which the caller writes. */
  void bytes(ByteBuffer from) {
    int length = from.remaining();
    room(length);
    from.get(buffer, size, length);
    size += length;
  }

  /** Begins an extensible part; {@link #end} inserts its length before it. */
  int begin() {
    room(1);
    return size++;
  }

  void end(int begun) {
    int length = size - begun - 1;
    int more = Varint.length(length) - 1;
    if (more > 0) {
      room(more);
      System.arraycopy(buffer, begun + 1, buffer, begun + 1 + more, length);
      size += more;
      if (workAt > begun) {
        workAt += more;
      }
    }
    int unused = Varint.put(buffer, begun, length);
  }

  /** Copies the work if it is the one that was written last; otherwise the caller must write it. */
  @SuppressWarnings("ReferenceEquality") // an equal one is merely written in full
  boolean repeats(Work again) {
    if (again != work) {
      return false;
    }
    room(workLength);
    System.arraycopy(buffer, workAt, buffer, size, workLength);
    size += workLength;
    return true;
  }

  /** Remembers this work, which was written from that position to here. */
  void mayRepeat(Work written, int begun) {
    work = written;
    workAt = begun;
    workLength = size - begun;
  }

  @SuppressWarnings("EnumOrdinal") // shorter than names; a test pins the places
  private static int place(Enum<?> value) {
    return value.ordinal();
  }

  private void room(int bytes) {
    if (buffer.length - size < bytes) {
      buffer = Arrays.copyOf(buffer, Math.max(size + bytes, 2 * buffer.length));
    }
  }
}
