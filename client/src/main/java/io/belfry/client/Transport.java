package io.belfry.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Sends calls, to another server when one cannot be reached, and again where that does no harm.
 *
 * <pre>
 *                       never left      cut, or too slow      429, 503        else
 *   may be repeated     next, again     next, again           wait, again     as answered
 *   may not             next            unknown               as answered     as answered
 * </pre>
 *
 * A call that never left was not done by anybody: each server is tried once with it, whatever it is.
 *
 * <p>Threading: safe.
 */
final class Transport {
  /** Waits; ends early when the client is closed. */
  @FunctionalInterface
  interface Waiting {
    void await(Duration time) throws InterruptedException;
  }

  private final ClientSettings settings;
  private final List<URI> urls;
  private final HttpClient http;
  private final Waiting waiting;
  private final AtomicInteger chosen = new AtomicInteger();

  Transport(ClientSettings settings, Waiting waiting) {
    this.settings = settings;
    this.urls = settings.urls();
    this.waiting = waiting;
    HttpClient.Builder builder = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(
            HttpClient.Redirect.NEVER) // the token is for this server, not for where it points to
        .connectTimeout(settings.connectTimeout());
    settings.authority().ifPresent(pem -> builder.sslContext(Authority.of(pem)));
    this.http = builder.build();
  }

  /** The answer, if it is a good one. */
  Answer send(Call call) {
    boolean unsure = false;
    for (int failures = 1; ; failures++) {
      int url = chosen.get();
      try {
        Answer answer = get(start(call, url, BodyHandlers.ofByteArray()));
        if (answer.isGood() || (unsure && call.deletes() && answer.status() == 404)) {
          return answer; // gone by the try that nobody heard the end of
        }
        ApiException refusal = answer.refusal();
        if (!answer.passes() || !call.repeatable() || failures >= settings.tries()) {
          throw refusal;
        }
        unsure |= refusal.isUnknown();
        pause(refusal.retryAfter().orElse(settings.waitAfter(failures)));
      } catch (IOException e) {
        boolean left = hasLeft(e);
        unsure |= left;
        chosen.compareAndSet(url, (url + 1) % urls.size());
        if (!goesOn(call, e, left, failures)) {
          throw unreachable(call, url, unsure, e);
        }
        if (failures % urls.size() == 0) {
          pause(settings.waitAfter(failures));
        }
      }
    }
  }

  private boolean goesOn(Call call, IOException e, boolean left, int failures) {
    boolean anotherServer = failures < urls.size();
    if (e instanceof SSLException) {
      return false;
    }
    if (!call.repeatable()) {
      return !left && anotherServer;
    }
    boolean slow = left && e instanceof HttpTimeoutException; // it would be as slow once more
    return anotherServer || (failures < settings.tries() && !slow);
  }

  /** Whether the server may have seen the request. */
  static boolean hasLeft(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException
          || cause instanceof HttpConnectTimeoutException
          || cause instanceof UnresolvedAddressException
          || cause instanceof SSLHandshakeException) {
        return false;
      }
    }
    return true;
  }

  /** Sends the request and does not wait for the answer. */
  <T> CompletableFuture<HttpResponse<T>> start(Call call, int url, BodyHandler<T> handler) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(urls.get(url) + call.address()));
    call.headers().forEach(request::setHeader);
    if (!call.headers().containsKey("Accept")) {
      request.setHeader("Accept", "application/json");
    }
    if (!call.anonymous()) {
      settings.token().ifPresent(token -> request.setHeader("Authorization", "Bearer " + token));
    }
    if (call.body().isPresent()) {
      request.setHeader("Content-Type", "application/json");
      request.method(
          call.method(), BodyPublishers.ofByteArray(Json.write(call.body().get())));
    } else {
      request.method(call.method(), BodyPublishers.noBody());
    }
    return http.sendAsync(request.build(), handler);
  }

  private Answer get(CompletableFuture<HttpResponse<byte[]>> sent) throws IOException {
    HttpResponse<byte[]> response = await(sent);
    return new Answer(response.statusCode(), response.headers(), response.body());
  }

  /** Waits for the whole answer: the timeout of a request alone would not cover its body. */
  <T> T await(CompletableFuture<T> sent) throws IOException {
    try {
      return sent.get(settings.answerTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new HttpTimeoutException("no answer within " + settings.answerTimeout());
    } catch (InterruptedException e) {
      sent.cancel(true);
      throw interrupted();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(String.valueOf(e.getCause()), e.getCause());
    }
  }

  void pause(Duration time) {
    try {
      waiting.await(time);
    } catch (InterruptedException e) {
      throw interrupted();
    }
  }

  static CancellationException interrupted() {
    Thread.currentThread().interrupt();
    return new CancellationException("The call was interrupted.");
  }

  int chosen() {
    return chosen.get();
  }

  /** Goes over to the next server, unless somebody has done so. */
  void leave(int url) {
    chosen.compareAndSet(url, (url + 1) % urls.size());
  }

  ClientSettings settings() {
    return settings;
  }

  UnreachableException unreachable(Call call, int url, boolean unknown, IOException e) {
    String where = urls.size() == 1 ? urls.get(url).toString() : "any of " + urls;
    String what = unknown && !call.method().equals("GET")
        ? call + " was sent, but no answer came from " + where + " (" + reason(e)
            + "): it may or may not have been done. Look before you ask again."
        : "No answer from " + where + " (" + reason(e) + ").";
    return new UnreachableException(what, unknown, e);
  }

  private static String reason(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "the name is not known";
      }
      if (cause instanceof SSLException) {
        return "no trust over TLS: " + cause.getMessage();
      }
    }
    if (e instanceof HttpConnectTimeoutException) {
      return "it could not be reached in time";
    }
    if (e instanceof ConnectException) {
      return "nobody listens there";
    }
    if (e instanceof HttpTimeoutException || e instanceof InterruptedIOException) {
      return String.valueOf(e.getMessage());
    }
    return "the connection broke off";
  }
}
