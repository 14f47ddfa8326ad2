package io.belfry.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The door to a Belfry server.
 *
 * <pre>{@code
 * try (var belfry = BelfryClient.open(ClientSettings.at("https://belfry.example.org").token(token))) {
 *   belfry.jobs().all(JobQuery.all().enabled(true)).forEach(System.out::println);
 *   TaskRef task = belfry.jobs().trigger("nightly", Optional.empty(), Optional.empty(), Optional.empty());
 * }
 * }</pre>
 *
 * Answers are JSON trees of the form that the server's OpenAPI document describes. A refusal is an {@link ApiException}, a
 * server that does not answer an {@link UnreachableException}; both say by {@link BelfryException#isUnknown} whether the thing
 * may have happened all the same. Reads, and changes that may be done twice, are repeated after a broken connection and,
 * when the time has passed that the server asks for ({@code Retry-After}), after 429 and 503; others are sent once.
 *
 * <p>Threading: safe. Calls block; an interrupt ends them with a {@link java.util.concurrent.CancellationException}.
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

  /** Opens the door; nothing is sent before something is asked. */
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

  /** Ends the waits between tries. Streams are closed by those who opened them. */
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
