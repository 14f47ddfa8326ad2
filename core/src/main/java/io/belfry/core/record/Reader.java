package io.belfry.core.record;

import io.belfry.model.job.Work;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link Writer} wrote, and trusts none of it: every length is compared with the remaining bytes before any
 * allocation. Threading: confined to one call.
 */
final class Reader {
  private static final int LIST_FIRST_SIZE = 256;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final String kind;
  private final byte[] bytes;
  private int at;
  private int end;

  /** Tasks written together mostly have the same work: the same bytes give the same object. */
  private @Nullable Work work;

  private int workAt;
  private int workLength;

  Reader(String kind, byte[] bytes) {
    this.kind = kind;
    this.bytes = bytes;
    this.end = bytes.length;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Varint.BITS) {
      byte next = next();
      value |= (long) (next & (Varint.MORE - 1)) << shift;
      if (next >= 0) {
        if (shift + Varint.BITS > Long.SIZE && next > 1) {
          break; // more bits than a long has
        }
        return value;
      }
    }
    throw damaged("a number of more than 64 bits");
  }

  long signed() {
    return Varint.unzigzag(number());
  }

  int integer() {
    long value = number();
    if (value != (int) value) {
      throw damaged("the number " + value + " where one of 32 bits belongs");
    }
    return (int) value;
  }

  int signedInteger() {
    long value = signed();
    if (value != (int) value) {
      throw damaged("the number " + value + " where one of 32 bits belongs");
    }
    return (int) value;
  }

  boolean flag() {
    return flags(1) != 0;
  }

  /** Bits of which only {@code known} ones are supported; any other bit is refused. */
  int flags(int known) {
    long flags = number();
    if ((flags & ~(long) known) != 0) {
      throw damaged("the flags 0x" + Long.toHexString(flags) + ", of which only 0x"
          + Integer.toHexString(known) + " are known");
    }
    return (int) flags;
  }

  double real() {
    need(Long.BYTES);
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits = (bits << Byte.SIZE) | (bytes[at++] & 0xff);
    }
    return Double.longBitsToDouble(bits);
  }

  <E extends Enum<E>> E constant(E[] all) {
    long place = number();
    if (place < 0 || place >= all.length) {
      throw damaged("constant " + place + " where there are " + all.length);
    }
    return all[(int) place];
  }

  <E extends Enum<E>> Set<E> constants(Class<E> type, E[] all) {
    int bits = flags((1 << all.length) - 1);
    EnumSet<E> set = EnumSet.noneOf(type);
    for (int place = 0; place < all.length; place++) {
      if ((bits & (1 << place)) != 0) {
        set.add(all[place]);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  String text() {
    long header = number();
    boolean utf16 = (header & 1) != 0;
    int length = checked(header >>> 1);
    if (utf16 && length % Character.BYTES != 0) {
      throw damaged("a text that ends in the middle of a character");
    }
    try {
      String text = utf16 ? Texts.fromUtf16(bytes, at, length) : Texts.fromUtf8(bytes, at, length);
      at += length;
      return text;
    } catch (CharacterCodingException e) {
      throw damaged("bytes that are not UTF-8", e);
    }
  }

  Map<String, String> texts() {
    int count = count();
    if (count == 0) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String key = text();
      putNew(texts, key, text());
    }
    return Collections.unmodifiableMap(texts);
  }

  <V> void putNew(Map<String, V> map, String key, V value) {
    if (map.putIfAbsent(key, value) != null) {
      throw damaged("the same key twice");
    }
  }

  <T> List<T> list(Function<Reader, T> each) {
    int count = count();
    List<T> list = new ArrayList<>(Math.min(count, LIST_FIRST_SIZE));
    for (int i = 0; i < count; i++) {
      list.add(each.apply(this));
    }
    return Collections.unmodifiableList(list);
  }

  /** The number of elements, each of at least one byte, so that there cannot be more of them than bytes. */
  int count() {
    return checked(number());
  }

  Instant instant(Instant base) {
    long header = number();
    Fraction fraction = Fraction.at(header);
    long seconds = Math.addExact(base.getEpochSecond(), Varint.unzigzag(header >>> Fraction.BITS));
    if (fraction == Fraction.NONE) {
      return Instant.ofEpochSecond(seconds);
    }
    long units = number();
    if (units < 0 || units >= NANOS_PER_SECOND / fraction.nanos()) {
      throw damaged(units + " as the " + fraction + " of a second");
    }
    return Instant.ofEpochSecond(seconds, units * fraction.nanos());
  }

  Instant instant() {
    return instant(Instant.EPOCH);
  }

  Duration duration() {
    long seconds = signed();
    long nanos = number();
    if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw damaged(nanos + " as the nanoseconds of a duration");
    }
    return Duration.ofSeconds(seconds, nanos);
  }

  /** The next bytes, not copied; the caller must read them at once. */
  ByteBuffer bytes(int length) {
    need(length);
    ByteBuffer view = ByteBuffer.wrap(bytes, at, length);
    at += length;
    return view;
  }

  /** Enters a part with a length before it. Pass the result to {@link #leave}, which skips fields that this version does not know. */
  int enter() {
    int length = count();
    int outer = end;
    end = at + length;
    return outer;
  }

  /** Whether the part has fields that its first version did not have. */
  boolean hasMore() {
    return at < end;
  }

  void leave(int outer) {
    at = end;
    end = outer;
  }

  int position() {
    return at;
  }

  /** Skips the work that was read last, if the same bytes follow here. */
  @Nullable
  Work repeated() {
    boolean same = work != null
        && workLength <= end - at
        && Arrays.equals(bytes, workAt, workAt + workLength, bytes, at, at + workLength);
    if (same) {
      at += workLength;
    }
    return same ? work : null;
  }

  /** Remembers this work, which was read from that position to here. */
  void mayRepeat(Work read, int begun) {
    work = read;
    workAt = begun;
    workLength = at - begun;
  }

  DamagedRecordException damaged(String found) {
    return damaged(found, null);
  }

  DamagedRecordException damaged(String found, @Nullable Throwable cause) {
    return new DamagedRecordException(kind, at, bytes.length, found, cause);
  }

  private byte next() {
    if (at >= end) {
      throw damaged("the end of the record or of a part, where more is expected");
    }
    return bytes[at++];
  }

  private void need(int length) {
    int unused = checked(length);
  }

  private int checked(long length) {
    if (length < 0 || length > end - at) {
      throw damaged("a length of " + length + " where " + (end - at) + " bytes are left");
    }
    return (int) length;
  }
}
