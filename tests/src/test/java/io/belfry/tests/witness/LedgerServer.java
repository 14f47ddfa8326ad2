package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.time.Time;
import io.belfry.tests.witness.LedgerLine.What;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ledger: takes one line per start and end, stamps it with its own clock, and fences by the highest token of each task. It runs in
 * the process that nobody harms.
 *
 * <p>Threading: one thread per connection; the lines are behind one lock.
 */
final class LedgerServer implements AutoCloseable {
  private final ServerSocket socket;
  private final Time time = Time.system();
  private final List<LedgerLine> lines = new ArrayList<>();
  private final Map<String, Long> highest = new HashMap<>();

  LedgerServer() {
    try {
      socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("No port for the ledger.", e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  synchronized List<LedgerLine> lines() {
    return List.copyOf(lines);
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket one = socket.accept();
        Thread.ofVirtual().start(() -> serve(one));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket one) {
    try (one;
        var in = new BufferedReader(new InputStreamReader(one.getInputStream(), UTF_8));
        var out = new PrintWriter(one.getOutputStream(), true, UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(write(line.split("\t", -1)) ? "ok" : "stale");
      }
    } catch (IOException gone) {
      // The body's process was killed: what it wrote stands.
    }
  }

  private synchronized boolean write(String[] words) {
    String task = words[1];
    long token = Long.parseLong(words[3]);
    boolean fresh = token >= highest.getOrDefault(task, 0L);
    highest.merge(task, token, Math::max);
    lines.add(new LedgerLine(
        time.wall(),
        What.valueOf(words[0]),
        task,
        Integer.parseInt(words[2]),
        token,
        words[4],
        Long.parseLong(words[5]),
        fresh));
    return fresh;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The ledger's port could not be closed.", e);
    }
  }
}
