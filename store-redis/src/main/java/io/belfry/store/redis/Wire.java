package io.belfry.store.redis;

import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection, written by one thread and read by another: a write never flushes what is half written, and a read never
 * flushes at all.
 *
 * <p>Threading: one writer, one reader; {@link #cut()} from anywhere.
 */
final class Wire extends Connection {
  private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

  private final HostAndPort at;

  Wire(OneSocket socket, JedisClientConfig config) {
    super(socket, config);
    this.at = socket.at();
  }

  void write(Command command, List<byte[]> arguments) {
    var all = new CommandArguments(command);
    for (byte[] each : arguments) {
      all.add(each);
    }
    sendCommand(all);
  }

  void push() {
    flush();
  }

  /** The next answer; one that is an error comes back as an exception, not thrown. */
  Object read() {
    try {
      return getUnflushedObject();
    } catch (JedisDataException refused) {
      return refused;
    }
  }

  /** One question, one answer, by the only thread that uses the wire at the time. Throws when the answer is an error. */
  Object ask(Command command, String... arguments) {
    sendCommand(command, arguments);
    push();
    return getUnflushedObject();
  }

  /** The same for a script. */
  List<?> run(List<byte[]> arguments) {
    write(Command.EVALSHA, arguments);
    push();
    return (List<?>) getUnflushedObject();
  }

  void cut() {
    try {
      forceDisconnect();
    } catch (IOException e) {
      LOG.debug("A connection to {} was already gone.", at, e);
    }
  }
}
