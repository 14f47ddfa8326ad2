package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.jobs.Requests;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.submit.Receipt;
import io.belfry.core.submit.Submission;
import io.belfry.core.submit.Submitter;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * Where clients submit and cancel at a process of the core: one line in, one line out, when the core has answered. The file {@code door}
 * says on which port.
 *
 * <p>Threading: one thread per connection; the core's doors are safe.
 */
final class Door {
  static final String FILE = "door";
  private static final Duration WINDOW = Duration.ofDays(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int WAITING_MAX = 1000;

  private final ThreadLoop loop;
  private final Submitter submitter;
  private final Requests requests;
  private final Flaw flaw;
  private final ServerSocket socket;

  Door(ThreadLoop loop, Store store, String node, Flaw flaw) throws IOException {
    this.loop = loop;
    this.submitter = new Submitter(loop, store, node, WINDOW, WAITING_MAX);
    this.requests = new Requests(loop, store, WINDOW);
    this.flaw = flaw;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("door").start(this::accept);
  }

  /** From here on somebody can find it. */
  void open() throws IOException {
    Files.writeString(Path.of(FILE), "" + socket.getLocalPort());
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket one = socket.accept();
        Thread.ofPlatform().daemon().start(() -> serve(one));
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
        out.println(answer(line.split("\t", -1)));
      }
    } catch (IOException gone) {
      // Who asked is not there any more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String answer(String[] words) throws InterruptedException {
    try {
      return words[0].equals("submit")
          ? submit(new Order(words[1], Duration.ofMillis(Long.parseLong(words[2]))), words[3])
          : "OK\t" + get(requests.cancel(TaskId.parse(words[1]), "no longer wanted", "client"));
    } catch (StoreException.Unknown e) {
      return "UNKNOWN";
    } catch (StoreException e) {
      return "FAIL";
    }
  }

  private String submit(Order order, String due) throws InterruptedException {
    Instant now = loop.time().wall();
    Work work = Work.of(LedgerHandlers.HANDLER, ExecutorSpec.local(LedgerHandlers.HANDLER))
        .withPayload(Payload.json(order.payload()))
        .withTimeout(TIMEOUT);
    Task task = Task.pending(
            TaskId.oneOff(now, loop.random()), work, Priority.NORMAL, Instant.parse(due), now)
        .withKey(order.key());
    CompletionStage<Receipt> receipt = submitter.submit(Submission.of(task));
    if (flaw == Flaw.ACKNOWLEDGED_FIRST) {
      return "OK\t" + task.id();
    }
    return switch (get(receipt)) {
      case Receipt.Accepted(TaskId id) -> "OK\t" + id;
      case Receipt.Repeated(TaskId id) -> "OK\t" + id;
      case Receipt.Conflict unused -> "FAIL";
    };
  }

  private static <T> T get(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get();
    } catch (ExecutionException e) {
      Throwable why =
          e.getCause() instanceof CompletionException wrapped ? wrapped.getCause() : e.getCause();
      throw why instanceof StoreException known
          ? known
          : new StoreException.Unknown("the door does not know what happened", e);
    }
  }
}
