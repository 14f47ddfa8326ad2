package io.belfry.server.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One connection as the limits see it: what it waits for, and since when.
 *
 * <p>Threading: {@link #phase} and {@link #since} change under the lock of {@link ConnectionSlots} and are read anywhere; the fields of a stuck write are confined to the
 * thread that scans.
 */
final class Client {
  /** What the server waits for. */
  enum Phase {
    /** The head of a request: none has come yet, or a part of it. */
    HEAD,
    /** The next request, of which nothing has come. */
    IDLE,
    /** More of the body. */
    BODY,
    /** More of the body of a request that was refused: it is read only so that the client hears why. */
    DISCARD,
    /** Its own handler. */
    BUSY,
    /** That it takes more of the answer, for a second already. */
    ANSWER,
    /** Nothing: the connection is closed. */
    CLOSED
  }

  /** The socket, as far as the limits need it. */
  interface Socket {
    long bytesOut();

    boolean writePending();

    /** Closes it; before, says why if {@code answer} and a part of a request has come. */
    void close(CloseReason reason, boolean answer);
  }

  private final Socket socket;
  private final InetAddress address;
  private final Object group;
  private long number;

  private volatile Phase phase = Phase.HEAD;
  private volatile long since;
  /** When the first byte of the next request came, while it is awaited; 0: none has come. */
  private volatile long headSince;

  private volatile Optional<RequestBody> body = Optional.empty();
  private volatile boolean reserved;

  private boolean stuck;
  private long stuckSince;
  private long stuckAt;

  Client(Socket socket, InetAddress address, long now) {
    this.socket = socket;
    this.address = address;
    this.group = group(address);
    this.since = now;
  }

  /** A client of IPv6 has all of its /64 to connect from. */
  private static Object group(InetAddress address) {
    return address instanceof Inet6Address six
        ? ByteBuffer.wrap(six.getAddress(), 0, Long.BYTES).getLong()
        : address;
  }

  Socket socket() {
    return socket;
  }

  /** What is limited together. */
  Object group() {
    return group;
  }

  String from() {
    return address.getHostAddress();
  }

  /** Tells it from others of the same instant; given once, under the lock, before it waits anywhere. */
  void number(long given) {
    number = given;
  }

  long number() {
    return number;
  }

  Phase phase() {
    return phase;
  }

  long since() {
    return since;
  }

  void enter(Phase next, long now) {
    phase = next;
    since = now;
    headSince = 0;
  }

  /** Bytes have come. Without the lock: a request more or less does not matter here, and this is called for each. */
  void received(long now) {
    if (phase == Phase.IDLE && headSince == 0) {
      headSince = now == 0 ? 1 : now;
    }
  }

  /** Only health checks are answered on it. */
  boolean isReserved() {
    return reserved;
  }

  void reserve() {
    reserved = true;
  }

  /** The body of the request that is handled now. */
  void request(RequestBody now) {
    body = Optional.of(now);
  }

  boolean handles(RequestBody request) {
    return body.filter(now -> now == request).isPresent();
  }

  /** Why the request that is handled must fail now, if it must. */
  Optional<CloseReason> failingBody(ConnectionLimits limits, long now) {
    return body.flatMap(request -> request.failing(limits, now));
  }

  void failBody(CloseReason reason) {
    body.ifPresent(request -> request.fail(reason));
  }

  /** Why the connection must be closed now, if it must. */
  Optional<CloseReason> overdue(ConnectionLimits limits, long now) {
    long begun = phase == Phase.IDLE ? headSince : since;
    boolean inHead = phase == Phase.HEAD || (phase == Phase.IDLE && begun != 0);
    if (inHead && now - begun > limits.head().toNanos()) {
      return Optional.of(CloseReason.HEAD_TIMEOUT);
    }
    return isStuck(limits, now) ? Optional.of(CloseReason.SLOW_READER) : Optional.empty();
  }

  /** Whether it takes nothing more of its answer for so long that it may be evicted; as of the last {@link #overdue}. */
  boolean isBlocked(long now) {
    return stuck && now - stuckSince > EvictionQueue.SLOW.toNanos();
  }

  private boolean isStuck(ConnectionLimits limits, long now) {
    if (!socket.writePending()) {
      stuck = false;
      return false;
    }
    if (!stuck) {
      stuck = true;
      stuckSince = now;
      stuckAt = socket.bytesOut();
      return false;
    }
    long waited = now - stuckSince;
    return waited > ConnectionLimits.GRACE.toNanos()
        && socket.bytesOut() - stuckAt < limits.answerRate() * (waited / 1e9);
  }
}
