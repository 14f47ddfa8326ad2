package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.task.Task;
import io.belfry.tests.witness.LedgerLine.What;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;

/** How a task's body writes into the ledger. Threading: safe, by one lock. */
final class LedgerPen {
  private final String worker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Socket socket;
  private final BufferedReader in;
  private final PrintWriter out;

  LedgerPen(int port, String worker) throws IOException {
    this.worker = worker;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    this.out = new PrintWriter(socket.getOutputStream(), true, UTF_8);
  }

  /** Whether the fence lets the attempt through. */
  boolean write(What what, Task task) throws IOException {
    return write(what, task.id().toString(), task.attempts(), task.token().toString());
  }

  boolean write(What what, String task, int attempt, String token) throws IOException {
    lock.lock();
    try {
      out.println(String.join(
          "\t",
          what.name(),
          task,
          "" + attempt,
          token,
          worker,
          "" + ProcessHandle.current().pid()));
      return "ok".equals(in.readLine());
    } finally {
      lock.unlock();
    }
  }
}
