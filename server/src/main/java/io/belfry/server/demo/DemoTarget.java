package io.belfry.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service that the sample jobs call, on its own loopback port:
 *
 * <pre>
 *   /ok      responds at once         /flaky   fails the first attempt of a task, then responds
 *   /slow    responds after 12 s      /broken  always fails
 *   /render  responds 202, and calls back later
 * </pre>
 *
 * <p>Threading: safe; each request has a thread of its own.
 */
final class DemoTarget implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemoTarget.class);
  private static final Duration SLOW = Duration.ofSeconds(12);
  private static final Duration RENDERING = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int BODY_MAX = 1 << 20;

  private final CountDownLatch over;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(PATIENCE)
      .build();

  private DemoTarget(CountDownLatch over, HttpServer server) {
    this.over = over;
    this.server = server;
  }

  /**
   * Starts the service on a free port.
   *
   * @param over ends all waiting when it reaches zero
   */
  static DemoTarget start(CountDownLatch over) {
    try {
      var target = new DemoTarget(
          over, HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
      target.server.setExecutor(target.threads);
      target.server.createContext("/", target::serve);
      target.server.start();
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException("No port was free for the demo's target service.", e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readNBytes(BODY_MAX);
      switch (exchange.getRequestURI().getPath()) {
        case "/ok" -> answer(exchange, 200, "{\"ok\": true}");
        case "/slow" -> {
          pause(SLOW);
          answer(exchange, 200, "{\"rows\": 5120}");
        }
        case "/flaky" -> flaky(exchange);
        case "/broken" ->
          answer(exchange, 500, "{\"error\": \"the ledger is locked by another process\"}");
        case "/render" -> render(exchange);
        default -> answer(exchange, 404, "{\"error\": \"there is no such page\"}");
      }
    }
  }

  private static void flaky(HttpExchange exchange) throws IOException {
    if ("1".equals(exchange.getRequestHeaders().getFirst("Belfry-Attempt"))) {
      answer(exchange, 503, "{\"error\": \"warming up, try again\"}");
    } else {
      answer(exchange, 200, "{\"prices\": 311}");
    }
  }

  private void render(HttpExchange exchange) throws IOException {
    @Nullable String callback = exchange.getRequestHeaders().getFirst("Belfry-Callback");
    if (callback == null) {
      answer(exchange, 400, "{\"error\": \"the header Belfry-Callback is missing\"}");
      return;
    }
    answer(exchange, 202, "{\"accepted\": true}");
    threads.execute(() -> callBack(callback));
  }

  private void callBack(String address) {
    try {
      pause(RENDERING);
      http.send(
          HttpRequest.newBuilder(URI.create(address))
              .timeout(PATIENCE)
              .header("Content-Type", "application/json")
              .POST(
                  BodyPublishers.ofString(
                      "{\"status\": \"succeeded\", \"message\": \"rendered\", \"data\": {\"frames\": 1440}}"))
              .build(),
          BodyHandlers.discarding());
    } catch (IOException e) {
      LOG.debug("The demo's target could not call back, because the server has stopped.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits, unless the demo is over. */
  private void pause(Duration time) throws InterruptedIOException {
    try {
      if (over.await(time.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new InterruptedIOException("the demo is over");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the demo is over");
    }
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
    http.shutdownNow();
  }
}
