package io.belfry.tests.flood;

import io.belfry.model.time.Time;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/**
 * So many requests a second, from twenty addresses of this machine, each on a connection that is kept.
 *
 * <p>Threading: one virtual thread for each address.
 */
final class RequestFlood implements AutoCloseable {
  private static final int SENDERS = 20;

  private final Time time = Time.system();
  private final int port;
  private final Duration pause;
  private final LongFunction<String> request;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicLong answered = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();

  RequestFlood(int port, int perSecond, LongFunction<String> request) {
    this.port = port;
    this.pause = Duration.ofSeconds(1).multipliedBy(SENDERS).dividedBy(perSecond);
    this.request = request;
    for (int i = 0; i < SENDERS; i++) {
      byte[] from = {127, 0, 1, (byte) (1 + i)};
      threads.add(Thread.startVirtualThread(() -> run(from)));
    }
  }

  long answered() {
    return answered.get();
  }

  private void run(byte[] from) {
    while (!stopped.get()) {
      try (var socket = new Socket()) {
        socket.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        send(socket);
      } catch (IOException e) {
        LockSupport.parkNanos(pause.toNanos()); // refused: a flood comes back
      }
    }
  }

  private void send(Socket socket) throws IOException {
    var in = new BufferedInputStream(socket.getInputStream());
    long next = time.nanos();
    while (!stopped.get()) {
      byte[] bytes = request.apply(answered.get()).getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(bytes);
      readAnswer(in);
      answered.incrementAndGet();
      next += pause.toNanos();
      LockSupport.parkNanos(next - time.nanos());
    }
  }

  /** Its head, and as much as the head says. */
  private static void readAnswer(InputStream in) throws IOException {
    int length = 0;
    String line = line(in);
    while (!line.isEmpty()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
      line = line(in);
    }
    in.skipNBytes(length);
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("The server has closed the connection.");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws InterruptedException {
    stopped.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
