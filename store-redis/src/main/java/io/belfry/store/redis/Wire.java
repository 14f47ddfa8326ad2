package io.belfry.store.redis;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection, written by one thread and read by another: a write never flushes what is half written, and a read never
 * flushes at all.
 *
 * <p>A read ends by the socket's timeout. A write has none: it waits for a peer that does not read, for a quarter of an hour,
 * unless the {@link Watchdog} cuts the connection.
 *
 * <p>Threading: one writer, one reader; {@link #cut()} from anywhere.
 */
final class Wire extends Connection {
  private final OneSocket socket;

  Wire(OneSocket socket, JedisClientConfig config) {
    super(socket, config);
    this.socket = socket;
  }

  void write(Command command, List<byte[]> arguments) {
    var all = new CommandArguments(command);
    for (byte[] each : arguments) {
      all.add(each);
    }
    guarded(() -> sendCommand(all));
  }

  void push() {
    guarded(this::flush);
  }

  private void guarded(Runnable write) {
    socket.beginsWriting();
    try {
      write.run();
    } finally {
      socket.endsWriting();
    }
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
    guarded(() -> sendCommand(command, arguments));
    push();
    return getUnflushedObject();
  }

  /** The same for a script. */
  List<?> run(List<byte[]> arguments) {
    write(Command.EVALSHA, arguments);
    push();
    return (List<?>) getUnflushedObject();
  }

  /** Ends it now, for its reader and its writer; it cannot be used again. */
  void cut() {
    socket.cut();
  }

  /** The same: there is nothing to say good-bye to, and a pool there is not. */
  @Override
  public void close() {
    cut();
  }
}
