package io.belfry.server.connection;

import com.sun.management.UnixOperatingSystemMXBean;
import io.belfry.model.time.Time;
import io.belfry.server.connection.Client.Phase;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the limits of client connections: closes connections of slow clients, and always keeps room for health checks.
 *
 * <p>Threading: safe. One task of the web server's scheduler scans all connections.
 */
public final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final Duration LATE = Duration.ofSeconds(2);

  private final ConnectionLimits limits;
  private final Time time;
  private final ConnectionSlots slots;
  private final ClosedConnections closed = new ClosedConnections();
  private long scannedAt;

  public Connections(ConnectionLimits limits, Time time) {
    this.limits = limits.within(descriptors());
    this.time = time;
    this.slots = new ConnectionSlots(this.limits);
    if (this.limits.connections() < limits.connections()) {
      LOG.warn(
          "Connections: limit.connections is {}, but this process may open only {} files, so only {} connections are allowed. Raise ulimit -n, or lower the limit.",
          limits.connections(),
          descriptors(),
          this.limits.connections());
    }
    this.scannedAt = time.nanos();
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /**
   * Metrics of the connections.
   *
   * @param open open connections by phase
   * @param opened connections opened since the start
   * @param closed connections closed by the server since the start, by reason
   */
  public record View(Map<String, Integer> open, long opened, Map<String, Long> closed) {}

  public View view() {
    var open = new TreeMap<String, Integer>();
    slots
        .counts()
        .forEach((phase, count) -> open.put(phase.name().toLowerCase(Locale.ROOT), count));
    return new View(open, slots.opened(), closed.totals());
  }

  /** Creates a connector whose connections are limited. */
  public ServerConnector connector(Server server, ConnectionFactory... factories) {
    var connector = new GuardedConnector(server, this, factories);
    connector.setIdleTimeout(limits.idle().toMillis());
    return connector;
  }

  /** Called by the web server when the head of a request was read. */
  public Request meter(Request request) {
    Optional<Client> found = client(request);
    if (found.isEmpty()) {
      return request;
    }
    Client client = found.get();
    var body = new RequestBody(now());
    begin(client, body);
    var exchange = new Exchange(this, client, body);
    request.setAttribute(Exchange.attribute(), exchange);
    Request.addCompletionListener(request, failure -> exchange.completed());
    return new MeteredRequest(request, this, client, body);
  }

  /** Starts a request whose head was read. */
  void begin(Client client, RequestBody body) {
    slots.enter(client, Phase.BUSY, now(), () -> {
      client.request(body);
      return true;
    });
  }

  private static Optional<Client> client(Request request) {
    EndPoint point = request.getConnectionMetaData().getConnection().getEndPoint();
    EndPoint socket = point instanceof EndPoint.Wrapper wrapper ? wrapper.unwrap() : point;
    return socket instanceof MeteredEndPoint metered
        ? Optional.of(metered.client())
        : Optional.empty();
  }

  long now() {
    return time.nanos();
  }

  void opened(Client client) {
    slots.open(client, now()).forEach(each -> close(each.client(), each.reason(), false));
  }

  void closed(Client client) {
    slots.close(client);
  }

  void received(Client client) {
    client.received(now());
  }

  void waits(Client client, RequestBody body, Runnable resume) {
    long now = now();
    body.await(resume, now);
    Phase phase = body.isDiscarded() ? Phase.DISCARD : Phase.BODY;
    slots.enter(client, phase, now - body.waitedNanos(), () -> client.handles(body));
  }

  void arrived(Client client, RequestBody body) {
    slots.enter(client, Phase.BUSY, now(), () -> client.handles(body));
    body.arrived(now());
  }

  /** Completes a request. The next request of the connection may have started already. */
  void completed(Client client, RequestBody body) {
    slots.enter(client, Phase.IDLE, now(), () -> client.handles(body));
  }

  /** Closes overdue connections. Called by one thread, several times per second. */
  void scan() {
    long now = now();
    // After a pause of the process, pending input is read first.
    boolean late = now - scannedAt > LATE.toNanos();
    scannedAt = now;
    if (!late) {
      slots.all().forEach(client -> check(client, now));
    }
    closed.log(now);
  }

  private void check(Client client, long now) {
    Optional<CloseReason> overdue = client.overdue(limits, now);
    if (overdue.isPresent()) {
      slots.close(client);
      close(client, overdue.get(), overdue.get() == CloseReason.HEAD_TIMEOUT);
      return;
    }
    Phase phase = client.isBlocked(now) ? Phase.ANSWER : Phase.BUSY;
    Phase other = phase == Phase.BUSY ? Phase.ANSWER : Phase.BUSY;
    if (client.phase() == other) {
      slots.enter(client, phase, now, () -> client.phase() == other);
    }
    client.failingBody(limits, now).ifPresent(reason -> {
      closed.add(reason, client.from());
      Thread.startVirtualThread(() -> client.failBody(reason)); // its continuation may take a while
    });
  }

  private void close(Client client, CloseReason reason, boolean answer) {
    closed.add(reason, client.from());
    client.socket().close(reason, answer);
  }
}
