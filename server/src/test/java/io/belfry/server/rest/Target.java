package io.belfry.server.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A service that tasks call: {@code /bad} answers badly, {@code /later} says that it will call back, and {@code /callback} tells where;
 * all else answers well.
 */
final class Target implements AutoCloseable {
  private final HttpServer http;
  private final BlockingQueue<String> callbacks = new LinkedBlockingQueue<>();

  Target() {
    try {
      this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/callback", exchange -> answer(exchange, 200, callback()));
    http.createContext("/", exchange -> answer(exchange, 200, "{\"done\":true}"));
    http.createContext("/bad", exchange -> answer(exchange, 404, "{}"));
    http.createContext("/later", exchange -> {
      answer(exchange, 202, "{}");
      Optional.ofNullable(exchange.getRequestHeaders().getFirst("Belfry-Callback"))
          .ifPresent(callbacks::add);
    });
    http.start();
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  String url(String path) {
    return "http://127.0.0.1:" + http.getAddress().getPort() + path;
  }

  /** The address at which the next caller waits to be called back. */
  String callback() {
    try {
      return Optional.ofNullable(callbacks.poll(30, TimeUnit.SECONDS))
          .orElseThrow(() -> new AssertionError("nobody waits to be called back"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
