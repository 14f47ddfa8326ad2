package io.belfry.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.Protocol.Command;

/**
 * Whether a server can read its own append-only file. Redis from 7.0 on replays the writes of scripts with the rights of the user
 * {@code default}, and leaves out without a word what that user may not do. An ACL file with {@code user default off} takes all rights from
 * it, so that everything is gone after a restart.
 *
 * <p>Threading: stateless.
 */
final class ReplayRights {
  /** What scripts write, as it stands in the file: GETDEL as DEL, PEXPIRE as PEXPIREAT. */
  private static final List<List<String>> REPLAYED = List.of(
      List.of("SET", "v"),
      List.of("DEL"),
      List.of("HSET", "f", "v"),
      List.of("HDEL", "f"),
      List.of("HINCRBY", "f", "1"),
      List.of("SADD", "v"),
      List.of("SREM", "v"),
      List.of("ZADD", "0", "v"),
      List.of("ZREM", "v"),
      List.of("XADD", "*", "f", "v"),
      List.of("XTRIM", "MINID", "0-1"),
      List.of("PEXPIREAT", "1"));

  private ReplayRights() {}

  /** Throws {@link StoreException.Denied} when something is missing. Where we may not ask, nothing is said. */
  static void require(Wire wire, RedisSettings settings, Object server) {
    if (settings.durability() == RedisSettings.Durability.NONE) {
      return;
    }
    missing(wire, settings.tag() + "?").ifPresent(why -> {
      throw new StoreException.Denied(
          "Redis at " + server
              + " would lose what was acknowledged when it is restarted, because it reads its append-only file"
              + " with the rights of the user 'default': " + why
              + ". Give that user its rights back ('user default off ~* &* +@all' lets nobody log in by it), or set durability"
              + " none if this data may be lost.",
          null);
    });
  }

  private static Optional<String> missing(Wire wire, String key) {
    for (List<String> each : REPLAYED) {
      wire.write(Command.ACL, dryRun(each, key));
    }
    wire.push();
    Optional<String> refused = Optional.empty();
    for (int i = 0; i < REPLAYED.size(); i++) {
      // An error: we may not ask, or Redis is older than 7.0 and has neither the question nor the
      // problem.
      if (wire.read() instanceof byte[] said && refused.isEmpty()) {
        refused = Optional.of(new String(said, UTF_8)).filter(words -> !words.equals("OK"));
      }
    }
    return refused;
  }

  private static List<byte[]> dryRun(List<String> command, String key) {
    var words = new ArrayList<byte[]>();
    for (String word : List.of("DRYRUN", "default", command.getFirst(), key)) {
      words.add(Bytes.ascii(word));
    }
    command.stream().skip(1).map(Bytes::ascii).forEach(words::add);
    return words;
  }
}
