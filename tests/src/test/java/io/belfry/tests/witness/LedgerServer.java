package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The ledger: takes one line per start and end, stamps it with its own clock, fences by the highest token of each task, and appends it to
 * a file before it answers. It runs in the process that nobody harms.
 *
 * <p>Threading: one thread per connection; file and fence are behind one lock.
 */
final class LedgerServer implements Ledger, AutoCloseable {
  private final Time time = Time.system();
  private final ServerSocket socket;
  private final Path file;
  private final OutputStream out;
  private final Map<String, Long> highest = new HashMap<>();
  private final Map<String, Integer> byJob = new HashMap<>();
  private int fires;
  private long starts;
  private long ends;

  LedgerServer() {
    try {
      file = Files.createTempFile("belfry-ledger-", ".tsv");
      out = Files.newOutputStream(file, StandardOpenOption.APPEND);
      socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("No file or no port for the ledger.", e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  Path file() {
    return file;
  }

  /** How far it is: tasks that began, those of them that are fires, starts and ends. */
  record Count(int tasks, int fires, long starts, long ends) {}

  synchronized Count count() {
    return new Count(highest.size(), fires, starts, ends);
  }

  /** How many tasks of the job have begun. */
  synchronized int fires(String job) {
    return byJob.getOrDefault(job, 0);
  }

  @Override
  public void forEach(Consumer<? super LedgerLine> reader) {
    try (Stream<String> lines = Files.lines(file, UTF_8)) {
      lines.map(LedgerLine::parse).forEach(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("The ledger could not be read again: " + file, e);
    }
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
        var answers = new PrintWriter(one.getOutputStream(), true, UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        answers.println(write(LedgerLine.Entry.parse(line)) ? "ok" : "stale");
      }
    } catch (IOException gone) {
      // The body's process was killed: what it wrote stands.
    }
  }

  private synchronized boolean write(LedgerLine.Entry entry) throws IOException {
    String task = entry.task();
    boolean fresh = entry.token() >= highest.getOrDefault(task, 0L);
    var line = new LedgerLine(time.wall(), entry, fresh);
    out.write((line.text() + "\n").getBytes(UTF_8));
    if (!highest.containsKey(task) && entry.job().isPresent()) {
      fires++;
      byJob.merge(entry.job().get(), 1, Integer::sum);
    }
    highest.merge(task, entry.token(), Math::max);
    if (line.isStart()) {
      starts++;
    } else if (line.isEnd()) {
      ends++;
    }
    return fresh;
  }

  /** Keeps the file. */
  @Override
  public void close() {
    try {
      socket.close();
      synchronized (this) {
        out.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The ledger could not be closed.", e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("The ledger could not be deleted: " + file, e);
    }
  }
}
