package io.belfry.tests.cluster;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What tasks call, and how often each did. Threading: safe. */
final class CalledService implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Integer> calls = new ConcurrentHashMap<>();

  CalledService() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException("No port for the called service.", e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      calls.merge(exchange.getRequestHeaders().getFirst("Belfry-Task"), 1, Integer::sum);
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/work";
  }

  int callsOf(String task) {
    return calls.getOrDefault(task, 0);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
