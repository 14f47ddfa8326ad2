package io.belfry.core.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.Key;
import io.belfry.store.Scan;
import java.time.Duration;

/** The keys of one pack of finished tasks, all formed from its name. Threading: stateless. */
public final class PackKeys {
  private PackKeys() {}

  /**
   * The name of a pack and of its head; newest ends sort first.
   *
   * @param fresh a unique number
   */
  public static String name(long lastEndMillis, long fresh) {
    return "%s/%016x".formatted(backwards(lastEndMillis), fresh);
  }

  /** The last end of the pack with this name, in milliseconds. */
  public static long end(String name) {
    return Long.MAX_VALUE - Long.parseLong(name, 0, name.indexOf('/'), 16);
  }

  public static Key tasks(String name) {
    return Key.of(Keys.PACKS, name);
  }

  public static Key head(String name) {
    return Key.of(Keys.PACK_HEADS, name);
  }

  public static Key count(String name) {
    return Key.of(Keys.PACK_COUNTS, name);
  }

  public static Key expiry(long untilMillis, String name) {
    return Key.of(
        Keys.PACK_EXPIRY, Keys.hour(Duration.ofMillis(untilMillis).toHours() + 1) + "/" + name);
  }

  /** Heads of packs whose last end is from {@code oldest} to {@code newest}, both included, newest first. */
  public static Scan heads(long oldest, long newest, int limit) {
    return new Scan(
        Keys.PACK_HEADS,
        backwards(newest).getBytes(UTF_8),
        (backwards(oldest) + "0").getBytes(UTF_8), // '0' follows '/'
        limit);
  }

  /** Encodes an instant so that later ones sort first; instants before 1970 count as 1970. */
  private static String backwards(long millis) {
    return "%016x".formatted(Long.MAX_VALUE - Math.max(0, millis));
  }
}
