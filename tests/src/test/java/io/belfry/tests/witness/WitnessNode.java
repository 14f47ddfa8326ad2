package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.event.Happening;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.Term;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.worker.Launcher;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.core.worker.Worker;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Trigger;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.time.Time;
import io.belfry.store.Store;
import io.belfry.tests.witness.LedgerLine.What;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A scheduler, a worker or both in a process of its own, to be killed, stopped and paused. Its calendar follows the file {@code clock} in
 * its directory. Clients may submit at its {@link Door}. The file {@code ready} says that it has begun, {@code leads} that it has won an election, {@code terms} which ones,
 * {@code unfinished} how many tasks it knew a moment ago while it led.
 */
public final class WitnessNode {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CAPACITY = 100;

  private final Flaw flaw = Flaw.ofThisProcess();
  private final Time time = flaw.in(new SteppedTime(Path.of("clock")));
  private final SecureRandom random = new SecureRandom();
  private final String name;
  private final String incarnation = Long.toUnsignedString(random.nextLong(), 36);

  private final Stalls stalls = new Stalls();

  private WitnessNode(String name) {
    this.name = name;
  }

  private String id() {
    return name + "~" + incarnation;
  }

  /** Role, name, state engine, election engine, port of the ledger. */
  public static void main(String[] words) throws Exception {
    var node = new WitnessNode(words[1]);
    node.stalls.watch();
    Store state = node.connect(words[2]);
    Runnable stopScheduling = () -> {};
    Runnable stopWorking = () -> {};
    if (!words[0].equals("worker")) {
      stopScheduling =
          node.schedule(words[2].equals(words[3]) ? state : node.connect(words[3]), state);
    }
    if (!words[0].equals("scheduler")) {
      stopWorking = node.work(state, Integer.parseInt(words[4]));
    }
    var door = new Door(node.loop("door"), state, node.id(), node.flaw);
    atStop(Flaw::leaving, stopWorking, stopScheduling, state::close);
    door.open();
    Files.writeString(Path.of("ready"), "" + ProcessHandle.current().pid());
    new CountDownLatch(1).await();
  }

  private Store connect(String uri) {
    return new NotingStore(flaw.in(Engine.connect(uri)), id(), stalls);
  }

  /** One after the other: a node leads until its own tasks are done. */
  private static void atStop(Runnable... orderly) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      for (Runnable each : orderly) {
        each.run();
      }
    }));
  }

  private ThreadLoop loop(String what) {
    var loop = new ThreadLoop(what, time, random, broken -> {
      System.err.println(what + " broke: " + broken);
      Runtime.getRuntime().halt(3);
    });
    LoopStalls.watch(what, loop, stalls);
    return loop;
  }

  private Runnable schedule(Store election, Store state) {
    ThreadLoop loop = loop("scheduler");
    var scheduler = new Scheduler(
        loop,
        election,
        state,
        id(),
        ElectionSettings.DEFAULT,
        LeaderSettings.DEFAULT,
        Strategies.builtIn(),
        WitnessNode::observed);
    loop.post(scheduler::start);
    loop.post(() -> noteUnfinished(loop, scheduler));
    return () -> {
      var left = new CountDownLatch(1);
      loop.post(() -> scheduler.stop().whenComplete((told, broke) -> left.countDown()));
      await(left);
    };
  }

  /** For a driver that cannot look into the store while this process has it. */
  private static void noteUnfinished(ThreadLoop loop, Scheduler scheduler) {
    scheduler.unfinished().ifPresent(now -> {
      try {
        Files.writeString(Path.of("unfinished"), "" + (now.waiting() + now.held()));
      } catch (IOException e) {
        throw new UncheckedIOException("the number of tasks could not be noted", e);
      }
    });
    var unused = loop.after(Duration.ofSeconds(1), () -> noteUnfinished(loop, scheduler));
  }

  private static void observed(Happening happening) {
    if (happening instanceof Happening.LeaderChanged(Term term)) {
      try {
        Files.writeString(
            Path.of("terms"),
            term.number() + "\t" + term.leader() + "\n",
            UTF_8,
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        Files.writeString(Path.of("leads"), "" + term.number());
      } catch (IOException e) {
        throw new UncheckedIOException("the term could not be noted", e);
      }
    }
  }

  private Runnable work(Store store, int ledger) throws IOException {
    var pen = new LedgerPen(ledger, Engine.NAMESPACE, id());
    ThreadLoop loop = loop("worker");
    var worker = new Worker(
        loop,
        store,
        incarnation,
        WorkerSettings.of(name, CAPACITY),
        (task, ended) -> launch(pen, task, ended),
        () -> WorkerRecord.Load.NONE,
        new LeaseLosses());
    loop.post(worker::start);
    return () -> {
      var left = new CountDownLatch(1);
      loop.post(() -> worker.drain(PATIENCE, left::countDown));
      await(left);
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE.plusSeconds(5).toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The body: START, some work, END. Stops when it is told to, or when the fence says that it is stale. Not on a virtual thread: interrupting
   * one that is writing would close the connection that all bodies share.
   */
  private Launcher.Started launch(LedgerPen pen, Task task, Consumer<Launcher.Ending> ended) {
    Optional<Order> order = Order.parse(task.work().payload().text());
    var attempt = new LedgerPen.Attempt(
        task.id().toString(),
        task.id().jobId().map(JobId::value),
        task.scheduled(),
        order.map(Order::key),
        task.attempts(),
        task.token().value(),
        Optional.ofNullable(task.work().metadata().get(Trigger.After.PREDECESSOR)));
    Thread code = Thread.ofPlatform().daemon().start(() -> {
      Launcher.Ending ending;
      try {
        if (!pen.write(What.START, attempt)) {
          ending = new Launcher.Ending.Failed(Failure.error("stale by the ledger's fence"));
        } else {
          ending = carryOut(pen, attempt, length(task, order));
        }
      } catch (IOException e) {
        ending = new Launcher.Ending.Failed(Failure.error("no ledger: " + e));
      }
      ended.accept(ending);
    });
    return code::interrupt;
  }

  private static Duration length(Task task, Optional<Order> order) {
    return order
        .map(Order::work)
        .or(() -> WorkLength.parse(task.work().payload().text())
            .map(length -> length.of(task.id().toString())))
        .orElse(Duration.ZERO);
  }

  private static Launcher.Ending carryOut(LedgerPen pen, LedgerPen.Attempt attempt, Duration length)
      throws IOException {
    try {
      Workload.carryOut(length);
    } catch (InterruptedException e) {
      pen.write(What.STOP, attempt);
      return new Launcher.Ending.Failed(Failure.error("interrupted: " + e));
    }
    pen.write(What.END, attempt);
    return new Launcher.Ending.Returned(Result.OK);
  }
}
