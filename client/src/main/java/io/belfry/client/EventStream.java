package io.belfry.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of events. After a lost connection it reconnects, if necessary to the next server, and resumes after the last complete event:
 * no event is lost or repeated as long as the server still has them.
 *
 * <p>The first connection is tried as often as any read. Once connected, the stream reconnects until it is closed. A refusal ends it with an
 * {@link ApiException}.
 *
 * <p>Threading: one reader; {@link #close} from any thread.
 */
public final class EventStream implements AutoCloseable {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Transport transport;
  private final Call call;
  private final Optional<String> endType;
  private final Consumer<BelfryException> broken;
  private final Queue<ServerEvent> ready = new ArrayDeque<>();
  private SseParser parser = new SseParser();
  private Optional<String> lastId;
  private volatile @Nullable StreamedBody connection;
  private volatile boolean closed;
  private boolean over;
  private boolean connected;
  private int failures;
  private int url;
  private Duration idle = Duration.ZERO;

  EventStream(
      Transport transport,
      Call call,
      Optional<String> after,
      Optional<String> endType,
      Consumer<BelfryException> broken) {
    this.transport = transport;
    this.call = call.header("Accept", "text/event-stream");
    this.lastId = after;
    this.endType = endType;
    this.broken = broken;
  }

  /** Waits for the next event. Empty when the stream has ended or was closed. */
  public Optional<ServerEvent> next() {
    while (!isOver()) {
      Optional<ServerEvent> event = next(transport.settings().silence());
      if (event.isPresent()) {
        return event;
      }
    }
    return Optional.empty();
  }

  /** Waits for the next event up to the timeout. Empty if none arrived; {@link #isOver} says whether the stream has ended. */
  public Optional<ServerEvent> next(Duration timeout) {
    Duration waited = Duration.ZERO;
    while (ready.isEmpty() && !isOver() && waited.compareTo(timeout) < 0) {
      Duration left = timeout.minus(waited);
      Duration step = left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL;
      if (!readBytes(step)) {
        waited = waited.plus(step);
      }
    }
    @Nullable ServerEvent event = ready.poll();
    if (event == null) {
      return Optional.empty();
    }
    lastId = event.id().or(() -> lastId);
    if (endType.equals(Optional.of(event.type()))) {
      over = true;
      close();
      return Optional.empty();
    }
    return Optional.of(event);
  }

  /** Whether the stream has ended or was closed. */
  public boolean isOver() {
    return over || closed;
  }

  /** Reads from the connection. Returns false if nothing arrived in time. */
  private boolean readBytes(Duration step) {
    try {
      StreamedBody from = connection;
      if (from == null) {
        from = connect();
      }
      @Nullable List<ByteBuffer> buffers = from.read(step);
      if (buffers == null) {
        idle = idle.plus(step);
        if (idle.compareTo(transport.settings().silence()) > 0) {
          throw new IOException("no data for " + idle.toSeconds() + " s");
        }
        return false;
      }
      idle = Duration.ZERO;
      failures = 0;
      for (ByteBuffer buffer : buffers) {
        parser.feed(buffer, ready::add);
      }
      return true;
    } catch (IOException e) {
      if (!closed) {
        reconnect(e);
      }
      return true;
    }
  }

  private StreamedBody connect() throws IOException {
    url = transport.chosen();
    parser = new SseParser();
    idle = Duration.ZERO;
    Call resumed = lastId.<Call>map(id -> call.header("Last-Event-ID", id)).orElse(call);
    HttpResponse<Opened> response =
        transport.await(transport.start(resumed, url, EventStream::open));
    Opened opened = response.body();
    if (opened.connection() == null) {
      Answer answer = new Answer(response.statusCode(), response.headers(), opened.bytes());
      throw refused(answer.refusal());
    }
    connected = true;
    connection = opened.connection();
    if (closed) {
      opened.connection().close();
    }
    return opened.connection();
  }

  private static BodySubscriber<Opened> open(HttpResponse.ResponseInfo info) {
    boolean streams = info.statusCode() == 200
        && info.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    return streams
        ? BodySubscribers.mapping(new StreamedBody(), made -> new Opened(made, new byte[0]))
        : BodySubscribers.mapping(BodySubscribers.ofByteArray(), bytes -> new Opened(null, bytes));
  }

  /** Ends the stream, unless the refusal is transient. */
  private IOException refused(ApiException refusal) {
    if (refusal.status() != 503 && refusal.status() != 429) {
      over = true;
      throw refusal;
    }
    return new IOException("refused temporarily", refusal);
  }

  private void reconnect(IOException e) {
    drop();
    failures++;
    boolean givesUp = !connected && failures >= transport.settings().tries();
    BelfryException reason = e.getCause() instanceof ApiException refusal
        ? refusal
        : transport.unreachable(call, url, false, e);
    if (givesUp) {
      over = true;
      throw reason;
    }
    if (connected && failures == 1) {
      broken.accept(reason);
    }
    transport.useNext(url);
    Optional<Duration> retryAfter =
        reason instanceof ApiException refusal ? refusal.retryAfter() : Optional.empty();
    transport.pause(retryAfter.orElse(transport.settings().waitAfter(failures)));
  }

  private void drop() {
    StreamedBody old = connection;
    connection = null;
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    StreamedBody open = connection;
    if (open != null) {
      open.close();
    }
  }

  /** The start of a response: a stream, or the body of a refusal. */
  private record Opened(@Nullable StreamedBody connection, byte[] bytes) {}
}
