package io.belfry.tests.cluster;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** What tasks call, and how often each attempt of each task did. Threading: safe. */
final class CountingService implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  /** Calls by attempt, by task. */
  private final Map<String, Map<String, Integer>> calls = new ConcurrentHashMap<>();

  private final AtomicLong total = new AtomicLong();

  CountingService() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    } catch (IOException e) {
      throw new UncheckedIOException("No port for the called service.", e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      calls
          .computeIfAbsent(
              exchange.getRequestHeaders().getFirst("Belfry-Task"),
              task -> new ConcurrentHashMap<>())
          .merge(exchange.getRequestHeaders().getFirst("Belfry-Attempt"), 1, Integer::sum);
      total.incrementAndGet();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/work";
  }

  long total() {
    return total.get();
  }

  Set<String> tasks() {
    return Set.copyOf(calls.keySet());
  }

  /** Attempts that called more than once, with how often. */
  Map<String, Integer> repeated() {
    var repeated = new TreeMap<String, Integer>();
    calls.forEach((task, attempts) -> attempts.forEach((attempt, count) -> {
      if (count > 1) {
        repeated.put(task + " #" + attempt, count);
      }
    }));
    return repeated;
  }

  /** Tasks that were called by several attempts. */
  long reruns() {
    return calls.values().stream().filter(attempts -> attempts.size() > 1).count();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
