package io.belfry.server.connection;

import java.time.Duration;

/**
 * The limits of connections.
 *
 * @param connections open at once
 * @param perAddress open at once from one client address
 * @param reserve more than {@code connections}, for health checks only
 * @param idle how long a connection may stay open between two requests
 * @param head how long the head of a request may take, from the connect or from its first byte
 * @param body how long the body of a request may take
 * @param bodyRate bytes per second that a client must send while the server waits for the body
 * @param answerRate bytes per second that a client must read while the server waits to send more
 */
public record ConnectionLimits(
    int connections,
    int perAddress,
    int reserve,
    Duration idle,
    Duration head,
    Duration body,
    long bodyRate,
    long answerRate) {

  /** For so long a client may be slower than its rate: a lost packet is not an attack. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** File descriptors for everything else: the engine, files, calls of executors. */
  private static final int OTHER_DESCRIPTORS = 512;

  private static final int CONNECTIONS_MIN = 16;

  /**
   * The same, but no more connections than the process can open: without a descriptor for a new connection nothing could be evicted for it.
   *
   * @param descriptors that the process may have open
   */
  ConnectionLimits within(long descriptors) {
    long most = Math.max(CONNECTIONS_MIN, descriptors - OTHER_DESCRIPTORS - reserve);
    return connections <= most
        ? this
        : new ConnectionLimits(
            (int) most, perAddress, reserve, idle, head, body, bodyRate, answerRate);
  }
}
