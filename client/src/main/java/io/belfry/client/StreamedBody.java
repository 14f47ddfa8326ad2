package io.belfry.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A streamed response body. It requests one piece at a time, so that a slow reader slows the server down (backpressure).
 *
 * <p>Threading: written by the HTTP client's threads, read by one reader; {@link #close} from any thread.
 */
final class StreamedBody implements BodySubscriber<StreamedBody>, AutoCloseable {
  /** A piece of the body, or its end. */
  sealed interface Piece {
    record Bytes(List<ByteBuffer> buffers) implements Piece {}

    record End(@Nullable Throwable cause) implements Piece {}
  }

  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private final AtomicReference<Flow.@Nullable Subscription> subscription = new AtomicReference<>();

  @Override
  public CompletionStage<StreamedBody> getBody() {
    return CompletableFuture.completedFuture(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription.set(given);
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> item) {
    pieces.add(new Piece.Bytes(item));
  }

  @Override
  public void onError(Throwable thrown) {
    pieces.add(new Piece.End(thrown));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece.End(null));
  }

  /** The next piece, or null if none arrives in time. */
  @Nullable
  List<ByteBuffer> read(Duration timeout) throws IOException {
    @Nullable Piece piece;
    try {
      piece = pieces.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw Transport.interrupted();
    }
    if (piece instanceof Piece.End end) {
      pieces.add(end); // later reads end, too
      throw new IOException("the stream ended", end.cause());
    }
    if (piece instanceof Piece.Bytes bytes) {
      Flow.Subscription source = subscription.get();
      if (source != null) {
        source.request(1);
      }
      return bytes.buffers();
    }
    return null;
  }

  @Override
  public void close() {
    Flow.Subscription source = subscription.get();
    if (source != null) {
      source.cancel();
    }
    pieces.add(new Piece.End(null));
  }
}
