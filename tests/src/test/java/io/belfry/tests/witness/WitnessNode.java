package io.belfry.tests.witness;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.event.Observer;
import io.belfry.core.lead.LeadSettings;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.WorkerRecord;
import io.belfry.core.reign.ReignSettings;
import io.belfry.core.work.Launcher;
import io.belfry.core.work.Worker;
import io.belfry.core.work.WorkerSettings;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.store.Store;
import io.belfry.tests.witness.LedgerLine.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A scheduler or a worker in a process of its own, to be killed, stopped and paused. Its calendar follows the file {@code clock} in its
 * directory; the file {@code ready} says that it has begun.
 */
public final class WitnessNode {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CAPACITY = 50;

  private final SteppedTime time = new SteppedTime(Path.of("clock"));
  private final SecureRandom random = new SecureRandom();
  private final String name;
  private final String incarnation = Long.toUnsignedString(random.nextLong(), 36);

  private WitnessNode(String name) {
    this.name = name;
  }

  /** Role, name, state engine, election engine, port of the ledger. */
  public static void main(String[] words) throws Exception {
    var node = new WitnessNode(words[1]);
    if (words[0].equals("scheduler")) {
      node.schedule(
          Engine.connect(words[2]), words[2].equals(words[3]) ? words[2] : words[3], words[2]);
    } else {
      node.work(Engine.connect(words[2]), Integer.parseInt(words[4]));
    }
    Files.writeString(Path.of("ready"), "" + ProcessHandle.current().pid());
    new CountDownLatch(1).await();
  }

  private ThreadLoop loop(String what) {
    return new ThreadLoop(what, time, random, broken -> {
      System.err.println(what + " broke: " + broken);
      Runtime.getRuntime().halt(3);
    });
  }

  private void schedule(Store state, String electionUri, String stateUri) {
    Store election = electionUri.equals(stateUri) ? state : Engine.connect(electionUri);
    ThreadLoop loop = loop("scheduler");
    var scheduler = new Scheduler(
        loop,
        election,
        state,
        name + "~" + incarnation,
        LeadSettings.DEFAULT,
        ReignSettings.DEFAULT,
        Strategies.builtIn(),
        Observer.NOBODY);
    loop.post(scheduler::start);
    atStop(() -> {
      var left = new CountDownLatch(1);
      loop.post(() -> {
        scheduler.stop();
        // The word that we resign is on its way; give it a moment to arrive.
        var unused = loop.in(Duration.ofMillis(300), left::countDown);
      });
      await(left);
    });
  }

  private void work(Store store, int ledger) throws IOException {
    var pen = new LedgerPen(ledger, name + "~" + incarnation);
    ThreadLoop loop = loop("worker");
    var worker = new Worker(
        loop,
        store,
        incarnation,
        WorkerSettings.of(name, CAPACITY),
        (task, ended) -> launch(pen, task, ended),
        () -> WorkerRecord.Load.NONE);
    loop.post(worker::start);
    atStop(() -> {
      var left = new CountDownLatch(1);
      loop.post(() -> worker.drain(PATIENCE, left::countDown));
      await(left);
    });
  }

  private static void atStop(Runnable orderly) {
    Runtime.getRuntime().addShutdownHook(new Thread(orderly));
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

  /** The body: START, a while of nothing, END. Stops when it is told to, or when the fence says that it is stale. */
  private Launcher.Started launch(LedgerPen pen, Task task, Consumer<Launcher.Ending> ended) {
    Thread code = Thread.ofVirtual().start(() -> {
      Launcher.Ending ending;
      try {
        if (!pen.write(What.START, task)) {
          ending = new Launcher.Ending.Failed(Failure.error("stale by the ledger's fence"));
        } else {
          TimeUnit.MILLISECONDS.sleep(random.nextInt(200));
          pen.write(What.END, task);
          ending = new Launcher.Ending.Returned(Result.OK);
        }
      } catch (IOException | InterruptedException e) {
        ending = new Launcher.Ending.Failed(Failure.error("interrupted: " + e));
      }
      ended.accept(ending);
    });
    return code::interrupt;
  }
}
