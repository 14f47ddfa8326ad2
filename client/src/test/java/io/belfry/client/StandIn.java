package io.belfry.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A real HTTP server that answers what it was told to, one answer after the other, the last one for ever.
 *
 * <p>Threading: safe.
 */
final class StandIn implements AutoCloseable {
  /** A recorded request. */
  record Asked(String method, String address, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, List.of("")).get(0);
    }
  }

  /** A response. */
  @FunctionalInterface
  interface Reply {
    void to(HttpExchange exchange) throws IOException;
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  StandIn(Reply... replies) {
    this.replies.addAll(List.of(replies));
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(new Asked(
        exchange.getRequestMethod(),
        exchange.getRequestURI().toString(),
        Map.copyOf(exchange.getRequestHeaders()),
        body));
    Reply reply = replies.size() > 1 ? replies.remove() : replies.element();
    reply.to(exchange);
    exchange.close();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  Asked first() {
    return asked.get(0);
  }

  static Reply json(int status, String body, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
      }
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    };
  }

  static Reply problem(int status, String code, String message, String... headers) {
    return json(status, "{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}", headers);
  }

  /** Reads the request and closes the connection. */
  static Reply cut() {
    return HttpExchange::close;
  }

  /** Closes the connection within the response body. */
  static Reply cutAfter(String beginning) {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.getResponseBody().write(beginning.getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      exchange.close();
    };
  }

  /** Sends events, then cuts the connection without ending the response. */
  static Reply events(String... pieces) {
    return exchange -> {
      exchange.getResponseHeaders().add("Content-Type", "text/event-stream; charset=utf-8");
      exchange.sendResponseHeaders(200, 0);
      for (String piece : pieces) {
        exchange.getResponseBody().write(piece.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
      }
    };
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
