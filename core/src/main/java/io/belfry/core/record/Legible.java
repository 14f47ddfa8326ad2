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
 * Reads what may be damaged, or written by a newer version, without letting one bad record stop everything else: it is passed over,
 * and logged: of each space at most {@value #LINES} lines a minute, with how many were left out.
 *
 * <p>Threading: safe.
 */
public final class Legible {
  private static final Logger LOG = LoggerFactory.getLogger(Legible.class);
  static final int LINES = 4;

  private static final LogLimiter LIMIT = LogLimiter.everyMinute(Time.system());

  private Legible() {}

  /** What the entry says; empty if it cannot be read. */
  public static <T> Optional<T> read(Entry entry, Function<Entry, T> decode) {
    try {
      return Optional.of(decode.apply(entry));
    } catch (DamagedRecordException e) {
      passedOver(entry.key(), e);
      return Optional.empty();
    }
  }

  /** Logs that this record cannot be read, unless as much was logged of its space within the last minute. */
  public static void passedOver(Key key, RuntimeException why) {
    boolean unused = log(LIMIT, key, why);
  }

  /** Whether it was logged. */
  static boolean log(LogLimiter limit, Key key, RuntimeException why) {
    return limit.log(
        kind(key),
        more -> LOG.error(
            "{} cannot be read and is passed over. Upgrade all nodes to one version, or mend or delete the record.{}",
            key,
            more,
            why));
  }

  /** What makes two lines the same: a few lines of each space are different, so that several bad records of one show. */
  private static String kind(Key key) {
    return key.space().name() + " " + Math.floorMod(key.hashCode(), LINES);
  }

  /** Whether the key's name is what the names of its space are; if not, the key is passed over, and said. */
  public static boolean isNamed(Key key, Function<String, ?> parse) {
    try {
      Object unused = parse.apply(key.text());
      return true;
    } catch (IllegalArgumentException e) {
      boolean unusedLine = LIMIT.log(
          kind(key),
          more -> LOG.error(
              "{} has a name that none of its kind has, and is passed over. Upgrade all nodes to one version, or delete the key.{}",
              key,
              more,
              e));
      return false;
    }
  }
}
