package io.belfry.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Client of a Belfry server.
 *
 * <pre>{@code
 * try (var belfry = BelfryClient.open(ClientSettings.at("https://belfry.example.org").token(token))) {
 *   belfry.jobs().all(JobQuery.all().enabled(true)).forEach(System.out::println);
 *   TaskRef task = belfry.jobs().trigger("nightly", Optional.empty(), Optional.empty(), Optional.empty());
 * }
 * }</pre>
 *
 * Responses are JSON trees as described by the server's OpenAPI document. An error response is an {@link ApiException}, a missing
 * response an {@link UnreachableException}. {@link BelfryException#isUnknown} says whether the call may have taken effect anyway.
 *
 * <p>Idempotent calls are retried after a lost connection, and after status 429 and 503 when {@code Retry-After} has passed. Other calls
 * are sent once.
 *
 * <p>Threading: safe. Calls block; an interrupt ends a call with a {@link java.util.concurrent.CancellationException}.
 */
public final class BelfryClient implements AutoCloseable {
  static final String API = "/api/v1";

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Transport transport;
  private final ClientSettings settings;
  private final String namespace;

  private BelfryClient(ClientSettings settings) {
    this.settings = settings;
    this.namespace = Namespaces.path(settings.namespace());
    this.transport = new Transport(settings, this::await);
  }

  /** Creates a client; it connects with the first call. */
  public static BelfryClient open(ClientSettings settings) {
    return new BelfryClient(settings);
  }

  private void await(Duration time) throws InterruptedException {
    if (closed.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException("The client was closed.");
    }
  }

  public Jobs jobs() {
    return new Jobs(transport, namespace);
  }

  public Tasks tasks() {
    return new Tasks(transport, namespace);
  }

  public Workers workers() {
    return new Workers(transport, namespace);
  }

  public Cluster cluster() {
    return new Cluster(transport, namespace);
  }

  public Calendars calendars() {
    return new Calendars(transport, namespace);
  }

  public Access access() {
    return new Access(transport, namespace);
  }

  public Namespaces namespaces() {
    return new Namespaces(transport);
  }

  public Server server() {
    return new Server(transport);
  }

  /** Ends waits between retries. The caller closes the streams that it opened. */
  @Override
  public void close() {
    closed.countDown();
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "BelfryClient[" + settings + "]";
  }
}
