package io.belfry.executors.http;

import io.belfry.executors.secret.Redaction;
import io.belfry.model.Durations;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its response. The caller waits. A timeout or an interruption aborts the exchange and closes the connection.
 *
 * <p>Threading: written by the client's threads; read by the caller after the latch was opened.
 */
final class Exchange implements Response.Listener {
  private static final int BODY_MAX = 1024 * 1024;
  private static final long ABORT_SECONDS = 10;
  private static final int SHOWN_CHARS = 300;

  private final Request request;
  private final Redaction redaction;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean connected;
  private volatile boolean cut;
  private volatile @Nullable Result result;

  private Exchange(Request request, Redaction redaction) {
    this.request = request;
    this.redaction = redaction;
  }

  /**
   * Sends the request and waits for the response.
   *
   * @param left the rest of the limit
   */
  static Answer carryOut(Request request, Duration left, Duration limit, Redaction redaction)
      throws CallException, InterruptedException {
    var exchange = new Exchange(request, redaction);
    request.onRequestBegin(begun -> exchange.connected = true);
    request.send(exchange);
    return exchange.await(left, limit);
  }

  private Answer await(Duration left, Duration limit) throws CallException, InterruptedException {
    try {
      if (!over.await(left.toNanos(), TimeUnit.NANOSECONDS)) {
        abort(new TimeoutException("took longer than " + Durations.show(limit)));
        throw new CallException(
            CallFailure.TIMEOUT, "got no complete response within " + Durations.show(limit));
      }
    } catch (InterruptedException e) {
      abort(new CancellationException("the attempt was stopped"));
      throw e;
    }
    Result done = result;
    if (done == null) {
      throw new IllegalStateException("The HTTP client completed an exchange without a result.");
    }
    Throwable failure = done.getFailure();
    if (failure != null && !cut) {
      throw failed(failure);
    }
    Response response = done.getResponse();
    String reason = response.getReason();
    return new Answer(
        response.getStatus(),
        reason == null ? "" : reason,
        response.getHeaders(),
        body.toByteArray(),
        cut);
  }

  /** Aborts the exchange and waits until it has ended. This is short and cannot be interrupted. */
  private void abort(Throwable why) {
    var unused = request.abort(why);
    boolean interrupted = false;
    boolean waits = true;
    while (waits) {
      try {
        boolean ended = over.await(ABORT_SECONDS, TimeUnit.SECONDS);
        waits = false;
        if (!ended) {
          throw new IllegalStateException(
              "The HTTP client did not end an aborted exchange within " + ABORT_SECONDS + " s.");
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onContent(Response response, ByteBuffer content) {
    int room = BODY_MAX - body.size();
    byte[] taken = new byte[Math.min(room, content.remaining())];
    content.get(taken);
    body.write(taken, 0, taken.length);
    if (content.hasRemaining() && !cut) {
      cut = true;
      var unused = response.abort(
          new CancellationException("the response is longer than " + BODY_MAX + " bytes"));
    }
  }

  @Override
  public void onComplete(Result done) {
    result = done;
    over.countDown();
  }

  private CallException failed(Throwable failure) {
    String why = describe(failure);
    if (failure instanceof TimeoutException) {
      return new CallException(CallFailure.TIMEOUT, "timed out: " + why);
    }
    boolean unreached = !connected
        || failure instanceof ConnectException
        || failure instanceof SocketTimeoutException
        || failure instanceof SSLException;
    return unreached
        ? new CallException(CallFailure.CONNECT, "could not connect: " + why)
        : new CallException(CallFailure.BROKEN, "failed before its response was complete: " + why);
  }

  /** Describes a failure without internal details of the HTTP client. */
  private String describe(Throwable failure) {
    if (failure instanceof EOFException || failure instanceof ClosedChannelException) {
      return "the connection was closed";
    }
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null || message.isBlank()
        ? name
        : name + ": " + redaction.clip(message, SHOWN_CHARS);
  }
}
