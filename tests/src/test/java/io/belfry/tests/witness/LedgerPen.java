package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.tests.witness.LedgerLine.What;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** How a task's body writes into the ledger. Threading: safe, by one lock. */
final class LedgerPen {
  /** The attempt that writes, as it was told. */
  record Attempt(
      String task,
      Optional<String> job,
      Instant scheduled,
      Optional<String> key,
      int number,
      long token,
      Optional<String> predecessor) {}

  private final String namespace;
  private final String worker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Socket socket;
  private final BufferedReader in;
  private final PrintWriter out;

  LedgerPen(int port, String namespace, String worker) throws IOException {
    this.namespace = namespace;
    this.worker = worker;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    this.out = new PrintWriter(socket.getOutputStream(), true, UTF_8);
  }

  /** Whether the fence lets the attempt through. */
  boolean write(What what, Attempt attempt) throws IOException {
    var entry = new LedgerLine.Entry(
        what,
        namespace,
        attempt.task,
        attempt.job,
        attempt.scheduled,
        attempt.key,
        attempt.number,
        attempt.token,
        worker,
        ProcessHandle.current().pid(),
        attempt.predecessor);
    lock.lock();
    try {
      out.println(entry.text());
      String answer = in.readLine();
      if (answer == null) {
        throw new IOException("the ledger is gone");
      }
      return answer.equals("ok");
    } finally {
      lock.unlock();
    }
  }
}
