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
 * Sends calls: fails over to the next server, and retries idempotent calls.
 *
 * <pre>
 *                       not sent        sent, no response     429, 503        other status
 *   idempotent          next, retry     next, retry           wait, retry     returned
 *   other               next            outcome unknown       returned        returned
 * </pre>
 *
 * A call that was not sent had no effect, so it is tried once with each server even if it is not idempotent.
 *
 * <p>Threading: safe.
 */
final class Transport {
  /** Sleeps; ends early when the client is closed. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(Duration time) throws InterruptedException;
  }

  private final ClientSettings settings;
  private final List<URI> urls;
  private final HttpClient http;
  private final Sleeper sleeper;
  private final AtomicInteger chosen = new AtomicInteger();

  Transport(ClientSettings settings, Sleeper sleeper) {
    this.settings = settings;
    this.urls = settings.urls();
    this.sleeper = sleeper;
    HttpClient.Builder builder = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER) // the token must not go to another server
        .connectTimeout(settings.connectTimeout());
    settings.authority().ifPresent(pem -> builder.sslContext(Authority.of(pem)));
    this.http = builder.build();
  }

  /** Returns the response of a successful call. */
  Answer send(Call call) {
    boolean unknown = false;
    for (int failures = 1; ; failures++) {
      int url = chosen.get();
      try {
        Answer answer = get(start(call, url, BodyHandlers.ofByteArray()));
        if (answer.isSuccess() || (unknown && call.deletes() && answer.status() == 404)) {
          return answer; // deleted by an earlier try whose response was lost
        }
        ApiException refusal = answer.refusal();
        if (!answer.isTransient() || !call.repeatable() || failures >= settings.tries()) {
          throw refusal;
        }
        unknown |= refusal.isUnknown();
        pause(refusal.retryAfter().orElse(settings.waitAfter(failures)));
      } catch (IOException e) {
        boolean sent = mayBeSent(e);
        unknown |= sent;
        chosen.compareAndSet(url, (url + 1) % urls.size());
        if (!isRetried(call, e, sent, failures)) {
          throw unreachable(call, url, unknown, e);
        }
        if (failures % urls.size() == 0) {
          pause(settings.waitAfter(failures));
        }
      }
    }
  }

  private boolean isRetried(Call call, IOException e, boolean sent, int failures) {
    boolean anotherServer = failures < urls.size();
    if (e instanceof SSLException) {
      return false;
    }
    if (!call.repeatable()) {
      return !sent && anotherServer;
    }
    boolean slow = sent && e instanceof HttpTimeoutException; // a retry would be as slow
    return anotherServer || (failures < settings.tries() && !slow);
  }

  /** Whether the server may have received the request. */
  static boolean mayBeSent(IOException e) {
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

  /** Sends the request without waiting for the response. */
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

  /** Waits for the complete response; the timeout of a request does not cover the response body. */
  <T> T await(CompletableFuture<T> sent) throws IOException {
    try {
      return sent.get(settings.answerTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      sent.cancel(true);
      throw new HttpTimeoutException("no response within " + settings.answerTimeout());
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
      sleeper.sleep(time);
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

  /** Switches to the next server, unless another thread has done so. */
  void useNext(int url) {
    chosen.compareAndSet(url, (url + 1) % urls.size());
  }

  ClientSettings settings() {
    return settings;
  }

  UnreachableException unreachable(Call call, int url, boolean unknown, IOException e) {
    String where = urls.size() == 1 ? urls.get(url).toString() : "any of " + urls;
    String what = unknown && !call.method().equals("GET")
        ? call + " was sent, but " + where + " sent no response (" + reason(e)
            + "). It may or may not have taken effect. Check before you repeat it."
        : "No response from " + where + " (" + reason(e) + ").";
    return new UnreachableException(what, unknown, e);
  }

  private static String reason(IOException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "unknown host";
      }
      if (cause instanceof SSLException) {
        return "TLS failed: " + cause.getMessage();
      }
    }
    if (e instanceof HttpConnectTimeoutException) {
      return "connection timed out";
    }
    if (e instanceof ConnectException) {
      return "connection refused";
    }
    if (e instanceof HttpTimeoutException || e instanceof InterruptedIOException) {
      return String.valueOf(e.getMessage());
    }
    return "connection lost";
  }
}
