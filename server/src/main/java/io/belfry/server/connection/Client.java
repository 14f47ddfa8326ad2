package io.belfry.server.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The state of one client connection for the limits: its phase, and since when.
 *
 * <p>Threading: {@link #phase} and {@link #since} change under the lock of {@link ConnectionSlots} and are read anywhere; the fields of a stuck write are confined to the
 * thread that scans.
 */
final class Client {
  /** What the server is waiting for. */
  enum Phase {
    /** The head of the first request, or the rest of a head. */
    HEAD,
    /** The next request on an idle connection. */
    IDLE,
    /** The rest of the body. */
    BODY,
    /** The rest of the body of a refused request, read only so that the client receives the response. */
    DISCARD,
    /** Its own handler. */
    BUSY,
    /** The client to read more of the response, for more than a second. */
    ANSWER,
    /** Nothing: the connection is closed. */
    CLOSED
  }

  /** The part of a socket that the limits need. */
  interface Socket {
    long bytesOut();

    boolean writePending();

    /** Closes the connection, after a response if {@code answer} is set and a part of a request was received. */
    void close(CloseReason reason, boolean answer);
  }

  private final Socket socket;
  private final InetAddress address;
  private final Object group;
  private long number;

  private volatile Phase phase = Phase.HEAD;
  private volatile long since;
  /** When the first byte of the next request was received; 0 if none was. */
  private volatile long headSince;

  private volatile Optional<RequestBody> body = Optional.empty();
  private volatile boolean reserved;

  /** The request whose answer is being sent, and since when. */
  private record Answering(RequestBody request, long since) {}

  private volatile Optional<Answering> answering = Optional.empty();

  private boolean stuck;
  private long stuckSince;
  private long stuckAt;

  Client(Socket socket, InetAddress address, long now) {
    this.socket = socket;
    this.address = address;
    this.group = group(address);
    this.since = now;
  }

  /** The group of an address: IPv6 clients can use all addresses of their /64 network. */
  private static Object group(InetAddress address) {
    return address instanceof Inet6Address six
        ? ByteBuffer.wrap(six.getAddress(), 0, Long.BYTES).getLong()
        : address;
  }

  Socket socket() {
    return socket;
  }

  /** The group whose connections are limited together. */
  Object group() {
    return group;
  }

  String from() {
    return address.getHostAddress();
  }

  /** Sets the sequence number, which orders connections of the same instant. Called once, under the lock, before it is queued. */
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

  /** Records received bytes. Without the lock, because it is called for every read and a race is harmless. */
  void received(long now) {
    if (phase == Phase.IDLE && headSince == 0) {
      headSince = now == 0 ? 1 : now;
    }
  }

  /** Whether only health checks are answered on this connection. */
  boolean isReserved() {
    return reserved;
  }

  void reserve() {
    reserved = true;
  }

  /** Sets the body of the current request. */
  void request(RequestBody now) {
    body = Optional.of(now);
  }

  /** The answer to the request is being sent. */
  void answers(RequestBody request, long now) {
    answering = Optional.of(new Answering(request, now));
  }

  boolean handles(RequestBody request) {
    return body.filter(now -> now == request).isPresent();
  }

  /** The reason why the current request must fail now, if there is one. */
  Optional<CloseReason> failingBody(ConnectionLimits limits, long now) {
    return body.flatMap(request -> request.failing(limits, now));
  }

  void failBody(CloseReason reason) {
    body.ifPresent(request -> request.fail(reason));
  }

  /** The reason why the connection must be closed now, if there is one. */
  Optional<CloseReason> overdue(ConnectionLimits limits, long now) {
    long begun = phase == Phase.IDLE ? headSince : since;
    boolean inHead = phase == Phase.HEAD || (phase == Phase.IDLE && begun != 0);
    if (inHead && now - begun > limits.head().toNanos()) {
      return Optional.of(CloseReason.HEAD_TIMEOUT);
    }
    boolean late = (phase == Phase.BUSY || phase == Phase.ANSWER)
        && answering
            .filter(each ->
                handles(each.request) && now - each.since > limits.answer().toNanos())
            .isPresent();
    if (late) {
      return Optional.of(CloseReason.ANSWER_TIMEOUT);
    }
    return isStuck(limits, now) ? Optional.of(CloseReason.SLOW_READER) : Optional.empty();
  }

  /** Whether the client has not read its response for so long that it may be evicted; as of the last {@link #overdue}. */
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
