package io.belfry.core.record;

import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what may be damaged, or written by a newer version, without letting one bad record stop everything else: it is passed over,
 * and said. Threading: stateless.
 */
public final class Legible {
  private static final Logger LOG = LoggerFactory.getLogger(Legible.class);

  private Legible() {}

  /** What the entry says; empty if it cannot be read. */
  public static <T> Optional<T> read(Entry entry, Function<Entry, T> decode) {
    try {
      return Optional.of(decode.apply(entry));
    } catch (DamagedRecordException e) {
      LOG.error(
          "{} cannot be read and is passed over. Upgrade all nodes to one version, or mend or delete the record.",
          entry.key(),
          e);
      return Optional.empty();
    }
  }

  /** Whether the key's name is what the names of its space are; if not, the key is passed over, and said. */
  public static boolean isNamed(Key key, Function<String, ?> parse) {
    try {
      Object unused = parse.apply(key.text());
      return true;
    } catch (IllegalArgumentException e) {
      LOG.error(
          "{} has a name that none of its kind has, and is passed over. Upgrade all nodes to one version, or delete the key.",
          key,
          e);
      return false;
    }
  }
}
