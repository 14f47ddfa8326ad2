package io.belfry.tests.witness;

import io.belfry.core.execute.AttemptContext;
import io.belfry.library.Belfry;
import io.belfry.library.HandlerModule;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.tests.witness.LedgerLine.What;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/**
 * The body of the witness's tasks as a jar in a server's folder of handlers: START, some work, END. The ledger, the namespace and the
 * worker's name are system properties of the process.
 *
 * <p>Threading: safe.
 */
public final class LedgerHandlers implements HandlerModule {
  static final String HANDLER = "ledger";
  static final String PORT = "witness.ledger";
  static final String NAMESPACE = "witness.namespace";
  static final String WORKER = "witness.worker";

  private final LedgerPen pen;

  public LedgerHandlers() throws IOException {
    pen = new LedgerPen(
        Integer.getInteger(PORT, 0),
        System.getProperty(NAMESPACE, "default"),
        System.getProperty(WORKER, "unknown"));
    new Stalls().watch();
  }

  @Override
  public void register(Belfry belfry) {
    belfry.handle(HANDLER, this::carryOut);
  }

  private void carryOut(AttemptContext context) throws IOException, InterruptedException {
    Optional<Order> order = Order.parse(context.payload().text());
    var attempt = new LedgerPen.Attempt(
        context.task().toString(),
        context.job().map(JobId::value),
        context.scheduled(),
        order.map(Order::key),
        context.number(),
        context.token().value(),
        Optional.ofNullable(context.metadata().get(Trigger.After.PREDECESSOR)));
    if (!write(What.START, attempt)) {
      throw new IllegalStateException("stale by the ledger's fence");
    }
    Duration length = order
        .map(Order::work)
        .or(() -> WorkLength.parse(context.payload().text()).map(each -> each.of(attempt.task())))
        .orElse(Duration.ZERO);
    try {
      Workload.carryOut(length);
    } catch (InterruptedException e) {
      boolean unused = write(What.STOP, attempt);
      throw e;
    }
    boolean unused = write(What.END, attempt);
  }

  /** On a thread of its own: interrupting a virtual one that is writing would close the connection that all bodies share. */
  private boolean write(What what, LedgerPen.Attempt attempt)
      throws IOException, InterruptedException {
    var line = new Line(what, attempt);
    Thread writer = THREADS.newThread(line);
    writer.start();
    writer.join();
    return line.isFresh();
  }

  private static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("ledger").factory();

  /** One line, written by a thread that nobody interrupts; read after that has ended. */
  private final class Line implements Runnable {
    private final What what;
    private final LedgerPen.Attempt attempt;
    private volatile boolean fresh;
    private volatile boolean written;

    Line(What what, LedgerPen.Attempt attempt) {
      this.what = what;
      this.attempt = attempt;
    }

    @Override
    public void run() {
      try {
        fresh = pen.write(what, attempt);
        written = true;
      } catch (IOException e) {
        written = false;
      }
    }

    boolean isFresh() throws IOException {
      if (!written) {
        throw new IOException("the ledger does not answer");
      }
      return fresh;
    }
  }
}
