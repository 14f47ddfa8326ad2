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
 * Events, one after the other. When the connection breaks, it is made anew, with the next server if need be, and goes on behind the
 * last event that was read whole: none is lost and none comes twice, as far as the server still has them.
 *
 * <p>The first connection is tried as often as any read; once it stood, the stream goes on trying until it is closed. A refusal
 * ends it with an {@link ApiException}.
 *
 * <p>Threading: one reader; {@link #close} by anybody.
 */
public final class EventStream implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Transport transport;
  private final Call call;
  private final Optional<String> last;
  private final Consumer<BelfryException> broken;
  private final Queue<ServerEvent> ready = new ArrayDeque<>();
  private SseParser parser = new SseParser();
  private Optional<String> seen;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;
  private boolean over;
  private boolean stood;
  private int failures;
  private int url;
  private Duration silent = Duration.ZERO;

  EventStream(
      Transport transport,
      Call call,
      Optional<String> after,
      Optional<String> last,
      Consumer<BelfryException> broken) {
    this.transport = transport;
    this.call = call.header("Accept", "text/event-stream");
    this.seen = after;
    this.last = last;
    this.broken = broken;
  }

  /** The next event, or nothing when the stream has ended or was closed. Waits as long as it takes. */
  public Optional<ServerEvent> next() {
    while (!isOver()) {
      Optional<ServerEvent> event = next(transport.settings().silence());
      if (event.isPresent()) {
        return event;
      }
    }
    return Optional.empty();
  }

  /** The next event, or nothing if none comes within the patience; {@link #isOver} says whether any can come. */
  public Optional<ServerEvent> next(Duration patience) {
    Duration waited = Duration.ZERO;
    while (ready.isEmpty() && !isOver() && waited.compareTo(patience) < 0) {
      Duration left = patience.minus(waited);
      Duration step = left.compareTo(LOOK) < 0 ? left : LOOK;
      if (!readSome(step)) {
        waited = waited.plus(step);
      }
    }
    @Nullable ServerEvent event = ready.poll();
    if (event == null) {
      return Optional.empty();
    }
    seen = event.id().or(() -> seen);
    if (last.equals(Optional.of(event.type()))) {
      over = true;
      close();
      return Optional.empty();
    }
    return Optional.of(event);
  }

  /** Whether no event can come any more. */
  public boolean isOver() {
    return over || closed;
  }

  /** Whether something came. */
  private boolean readSome(Duration step) {
    try {
      Connection from = connection;
      if (from == null) {
        from = connect();
      }
      @Nullable List<ByteBuffer> buffers = from.read(step);
      if (buffers == null) {
        silent = silent.plus(step);
        if (silent.compareTo(transport.settings().silence()) > 0) {
          throw new IOException("nothing was heard for " + silent.toSeconds() + " s");
        }
        return false;
      }
      silent = Duration.ZERO;
      failures = 0;
      for (ByteBuffer buffer : buffers) {
        parser.feed(buffer, ready::add);
      }
      return true;
    } catch (IOException e) {
      if (!closed) {
        mend(e);
      }
      return true;
    }
  }

  private Connection connect() throws IOException {
    url = transport.chosen();
    parser = new SseParser();
    silent = Duration.ZERO;
    Call resumed = seen.<Call>map(id -> call.header("Last-Event-ID", id)).orElse(call);
    HttpResponse<Opened> response =
        transport.await(transport.start(resumed, url, EventStream::open));
    Opened opened = response.body();
    if (opened.connection() == null) {
      Answer answer = new Answer(response.statusCode(), response.headers(), opened.bytes());
      throw refused(answer.refusal());
    }
    stood = true;
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
        ? BodySubscribers.mapping(new Connection(), made -> new Opened(made, new byte[0]))
        : BodySubscribers.mapping(BodySubscribers.ofByteArray(), bytes -> new Opened(null, bytes));
  }

  /** Only what may pass is tried again. */
  private IOException refused(ApiException refusal) {
    if (refusal.status() != 503 && refusal.status() != 429) {
      over = true;
      throw refusal;
    }
    return new IOException("refused for now", refusal);
  }

  private void mend(IOException e) {
    drop();
    failures++;
    boolean late = !stood && failures >= transport.settings().tries();
    BelfryException reason = e.getCause() instanceof ApiException refusal
        ? refusal
        : transport.unreachable(call, url, false, e);
    if (late) {
      over = true;
      throw reason;
    }
    if (stood && failures == 1) {
      broken.accept(reason);
    }
    transport.leave(url);
    Optional<Duration> asked =
        reason instanceof ApiException refusal ? refusal.retryAfter() : Optional.empty();
    transport.pause(asked.orElse(transport.settings().waitAfter(failures)));
  }

  private void drop() {
    Connection old = connection;
    connection = null;
    if (old != null) {
      old.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    Connection open = connection;
    if (open != null) {
      open.close();
    }
  }

  /** What a connection began with: a stream, or the bytes of a refusal. */
  private record Opened(@Nullable Connection connection, byte[] bytes) {}
}
