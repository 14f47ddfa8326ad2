package io.belfry.core.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.Key;
import io.belfry.store.Scan;
import java.time.Duration;

/** The keys of one segment of finished tasks, all formed from its name. Threading: stateless. */
public final class SegmentKeys {
  private SegmentKeys() {}

  /**
   * The name of a segment and of its head; newest ends sort first.
   *
   * @param fresh a unique number
   */
  public static String name(long lastEndMillis, long fresh) {
    return "%s/%016x".formatted(backwards(lastEndMillis), fresh);
  }

  /** The last end of the segment with this name, in milliseconds. */
  public static long end(String name) {
    return Long.MAX_VALUE - Long.parseLong(name, 0, name.indexOf('/'), 16);
  }

  public static Key tasks(String name) {
    return Key.of(Keys.SEGMENTS, name);
  }

  public static Key head(String name) {
    return Key.of(Keys.SEGMENT_HEADS, name);
  }

  public static Key count(String name) {
    return Key.of(Keys.SEGMENT_COUNTS, name);
  }

  public static Key expiry(long untilMillis, String name) {
    return Key.of(
        Keys.SEGMENT_EXPIRY, Keys.hour(Duration.ofMillis(untilMillis).toHours() + 1) + "/" + name);
  }

  /** Heads of segments whose last end is from {@code oldest} to {@code newest}, both included, newest first. */
  public static Scan heads(long oldest, long newest, int limit) {
    return new Scan(
        Keys.SEGMENT_HEADS,
        backwards(newest).getBytes(UTF_8),
        (backwards(oldest) + "0").getBytes(UTF_8), // '0' follows '/'
        limit);
  }

  /** Encodes an instant so that later ones sort first; instants before 1970 count as 1970. */
  private static String backwards(long millis) {
    return "%016x".formatted(Long.MAX_VALUE - Math.max(0, millis));
  }
}
