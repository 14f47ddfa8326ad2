package io.belfry.server.connection;

import java.time.Duration;

/**
 * The limits of client connections.
 *
 * @param connections maximum open connections
 * @param perAddress maximum open connections of one client address
 * @param reserve additional connections for health checks only
 * @param idle timeout between two requests
 * @param head timeout of a request head, from the connect or its first byte
 * @param body timeout of a request body
 * @param answer how long a client may take to read an answer that has an end
 * @param bodyRate minimum bytes per second while the server waits for the body
 * @param answerRate minimum bytes per second that a client must read while the server waits to send more
 */
public record ConnectionLimits(
    int connections,
    int perAddress,
    int reserve,
    Duration idle,
    Duration head,
    Duration body,
    Duration answer,
    long bodyRate,
    long answerRate) {

  /** How long a client may be slower than its minimum rate: a lost packet is not an attack. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** File descriptors needed for everything else: the engine, files, calls of executors. */
  private static final int OTHER_DESCRIPTORS = 512;

  private static final int CONNECTIONS_MIN = 16;

  /**
   * These limits, with at most as many connections as the process can open: without a file descriptor for a new connection, none could be evicted
   * for it.
   *
   * @param descriptors maximum open files of the process
   */
  ConnectionLimits within(long descriptors) {
    long most = Math.max(CONNECTIONS_MIN, descriptors - OTHER_DESCRIPTORS - reserve);
    return connections <= most
        ? this
        : new ConnectionLimits(
            (int) most, perAddress, reserve, idle, head, body, answer, bodyRate, answerRate);
  }
}
