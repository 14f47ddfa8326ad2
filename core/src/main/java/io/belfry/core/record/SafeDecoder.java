package io.belfry.core.record;

import io.belfry.model.time.Time;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.LogLimiter;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes records that may be damaged, or written by a newer version, so that one bad record does not stop everything else: it is skipped
 * and logged, with at most {@value #LINES} lines a minute for each space, and the number of suppressed lines.
 *
 * <p>Threading: safe.
 */
public final class SafeDecoder {
  private static final Logger LOG = LoggerFactory.getLogger(SafeDecoder.class);
  static final int LINES = 4;

  private static final LogLimiter LIMIT = LogLimiter.everyMinute(Time.system());

  private SafeDecoder() {}

  /** The decoded entry; empty if it cannot be decoded. */
  public static <T> Optional<T> read(Entry entry, Function<Entry, T> decode) {
    try {
      return Optional.of(decode.apply(entry));
    } catch (DamagedRecordException e) {
      passedOver(entry.key(), e);
      return Optional.empty();
    }
  }

  /** Logs that this record cannot be decoded, with a rate limit per space. */
  public static void passedOver(Key key, RuntimeException why) {
    boolean unused = log(LIMIT, key, why);
  }

  /** Whether it was logged. */
  static boolean log(LogLimiter limit, Key key, RuntimeException why) {
    return limit.log(
        kind(key),
        more -> LOG.error(
            "{} cannot be decoded and is skipped. Upgrade all nodes to one version, or repair or delete the record.{}",
            key,
            more,
            why));
  }

  /** The class of log lines for the rate limit: a few per space, so that several bad records of one space are logged. */
  private static String kind(Key key) {
    return key.space().name() + " " + Math.floorMod(key.hashCode(), LINES);
  }

  /** Whether the key's name is valid in its space; if not, the key is skipped and that is logged. */
  public static boolean isNamed(Key key, Function<String, ?> parse) {
    try {
      Object unused = parse.apply(key.text());
      return true;
    } catch (IllegalArgumentException e) {
      boolean unusedLine = LIMIT.log(
          kind(key),
          more -> LOG.error(
              "{} has an invalid name and is skipped. Upgrade all nodes to one version, or delete the key.{}",
              key,
              more,
              e));
      return false;
    }
  }
}
