package io.belfry.tests.flood;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Many who ask for large answers with one token and read them slowly, or not at all; each asks again when its connection has ended.
 *
 * <p>Threading: each has a thread of its own.
 */
final class SlowReaders implements AutoCloseable {
  private static final Time TIME = Time.system();
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration AGAIN = Duration.ofMillis(50);

  private final int port;
  private final String token;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  SlowReaders(String url, String token, List<String> paths, int count) {
    this.port = URI.create(url).getPort();
    this.token = token;
    for (int i = 0; i < count; i++) {
      String path = paths.get(i % paths.size());
      boolean reads = i % 3 != 0;
      var unused = threads.submit(() -> ask(path, reads));
    }
  }

  /** How often each status was answered; 0: the connection ended without one. */
  Map<String, Integer> statuses() {
    return new TreeMap<>(statuses);
  }

  private void ask(String path, boolean reads) {
    while (!stopped.get()) {
      statuses.merge(once(path, reads), 1, Integer::sum);
      LockSupport.parkNanos(AGAIN.toNanos());
    }
  }

  private String once(String path, boolean reads) {
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.setSoTimeout(20_000);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      socket
          .getOutputStream()
          .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                  + "\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      String status = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
      if (!status.endsWith(" 200")) {
        return status;
      }
      return reads ? read(in, status) : hold(status);
    } catch (IOException e) {
      return "0";
    }
  }

  private String read(InputStream in, String status) throws IOException {
    byte[] some = new byte[8192];
    while (!stopped.get() && in.read(some) >= 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return status;
  }

  /** Reads nothing for as long as a server may take to notice. */
  private String hold(String status) {
    long begun = TIME.nanos();
    while (!stopped.get() && TIME.nanos() - begun < Duration.ofSeconds(8).toNanos()) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return status;
  }

  @Override
  public void close() {
    stopped.set(true);
    threads.close();
  }
}
