package io.belfry.core.worker;

import io.belfry.core.commit.ShutdownCleanup;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.WorkerOrder;
import io.belfry.core.record.WorkerRecord;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Command;
import io.belfry.model.task.Failure;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.Token;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the attempts that the leader assigns through its inbox.
 *
 * <pre>
 *   inbox ──run──▶ [start written, if at most once] ──▶ code ──▶ report ──▶ slot free
 *                          │                      timeout, stop, lease in doubt: interrupt
 *                          └ lease not trusted: returned, never started
 * </pre>
 *
 * <p>Threading: confined to its loop.
 */
public final class Worker {
  /** When code has run this long, the worker reports its start to the leader. */
  private static final Duration MOMENT = Duration.ofMillis(500);
  /** How long interrupted code may take before its end is reported without it. */
  private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(5);
  /** How long a stopping worker still accepts orders: tasks assigned before the leader knew are returned, not lost. */
  private static final Duration LAST_ORDERS = Duration.ofMillis(400);

  private final Loop loop;
  private final Store store;
  private final String id;
  private final WorkerSettings settings;
  private final Launcher launcher;
  private final Supplier<WorkerRecord.Load> load;
  private final LeaseLosses losses;
  private final Registration registration;
  private final Reporter reporter;
  private final OfferClaims claiming;
  private final InboxWatch orders;
  private final WorkerInstructions instructions;
  private final Instant since;
  private final HeldAttempts held = new HeldAttempts();
  private int capacity;
  /** Attempts that were given up while their code still runs. */
  private int givenUp;

  private boolean healthy = true;
  private WorkerOrder order = WorkerOrder.NONE;
  private boolean leaving;
  private boolean lastOrders;
  private @Nullable Runnable left;

  /**
   * A worker that has not started.
   *
   * @param load the load of the machine
   * @param losses counts lost leases
   */
  public Worker(
      Loop loop,
      Store store,
      String incarnation,
      WorkerSettings settings,
      Launcher launcher,
      Supplier<WorkerRecord.Load> load,
      LeaseLosses losses) {
    this.loop = loop;
    this.store = store;
    this.id = settings.id() + "~" + incarnation;
    this.settings = settings;
    this.launcher = launcher;
    this.load = load;
    this.losses = losses;
    this.capacity = settings.capacity();
    this.since = loop.time().wall();
    this.registration = new Registration(loop, store, id, settings, this::record, this::doubted);
    this.reporter = new Reporter(loop, store, id, new Settled());
    this.orders = new InboxWatch(loop, store, id, this::run, this::cancel);
    this.instructions = new WorkerInstructions(loop, store, id, this::ordered);
    this.claiming = new OfferClaims(
        loop, store, id, settings, registration, this::room, this::run, this::leaveIfDone);
  }

  public String id() {
    return id;
  }

  public int holding() {
    return held.size();
  }

  public OptionalLong lease() {
    return registration.lease();
  }

  public void healthy(boolean is) {
    healthy = is;
    registration.tell();
    claiming.look();
  }

  public void start() {
    orders.open();
    instructions.open();
    registration.start();
    claiming.start();
  }

  private int room() {
    return isAccepting() ? capacity - held.size() : 0;
  }

  private boolean isAccepting() {
    return !leaving && !order.drained() && healthy;
  }

  public void capacity(int to) {
    capacity = to;
    registration.tell();
    claiming.look();
  }

  /**
   * Tasks that were already assigned when it is drained are still started: the leader counted on their slots. A capacity that was set
   * locally since stays, unless the order changes it.
   */
  private void ordered(WorkerOrder now) {
    if (!now.capacity().equals(order.capacity())) {
      capacity = now.capacity().orElse(settings.capacity());
    }
    order = now;
    registration.tell();
    claiming.look();
  }

  /**
   * Accepts nothing new, lets running attempts finish, returns those that do not finish in time, and leaves.
   *
   * @param then called once no attempt is held any more and the worker is unregistered
   */
  public void drain(Duration patience, Runnable then) {
    leaving = true;
    left = then;
    claiming.close();
    registration.tell();
    var unused = loop.after(LAST_ORDERS, () -> {
      lastOrders = true;
      leaveIfDone();
    });
    unused = loop.after(patience, () -> held.all().forEach(h -> stop(h, "the worker stops")));
  }

  private void leaveIfDone() {
    Runnable then = left;
    if (lastOrders && then != null && held.haveEnded() && reporter.isIdle() && claiming.isIdle()) {
      left = null;
      registration.stop();
      reporter.stop();
      claiming.stop();
      orders.close();
      instructions.close();
      // Only keys that it wrote itself: the leader deletes the inbox and the orders, which others
      // write.
      var behind = new ArrayList<Key>(reporter.leftOver());
      claiming.leftOver().ifPresent(behind::add);
      ShutdownCleanup.delete(loop, store, behind, then);
    }
  }

  private WorkerRecord record(long beat) {
    return new WorkerRecord(
        id,
        settings.name(),
        settings.address(),
        settings.labels(),
        settings.queues(),
        settings.weight(),
        Math.max(0, capacity - givenUp),
        isAccepting(),
        healthy,
        leaving,
        since,
        loop.time().wall(),
        beat,
        load.get(),
        held.marks());
  }

  private void run(Task task, long revision) {
    Token token = task.token();
    var attempt = new AttemptId(task.id(), token);
    boolean sure = registration.trusted() && registration.registeredAt() != Revision.NONE;
    if (held.isKnown(attempt) || !sure) {
      return; // the leader sends it again, because our heartbeats do not name it
    }
    var holding = new HeldAttempt(task, revision, loop.time().wall());
    holding.cancel = held.add(attempt, holding);
    if (holding.cancel.isPresent()) {
      end(holding, HeldAttempt.notBegun(token, "it was cancelled before it began"));
    } else if (leaving) {
      end(holding, new Command.HandBack(token, "the worker stops"));
    } else if (token.value() < registration.registeredAt()) {
      end(holding, new Command.HandBack(token, "the worker lost its lease before it began"));
    } else if (givenUp > 0 && held.size() > capacity) { // the leader did not know it yet
      end(holding, new Command.HandBack(token, "code that was given up still holds the slot"));
    } else if (task.work().atMostOnce()) {
      report(holding, new Command.Start(token, holding.byLeader(loop.time().wall())));
    } else {
      launch(holding);
    }
  }

  private void launch(HeldAttempt holding) {
    if (!registration.trusted()) {
      end(
          holding,
          new Command.HandBack(holding.token, "the worker lost its lease before it began"));
      return;
    }
    holding.started = Optional.of(holding.byLeader(loop.time().wall()));
    holding.codeEnded = false;
    holding.timeout = loop.timeout(holding.task.work().timeout(), () -> timedOut(holding));
    holding.announcement = loop.after(MOMENT, () -> announce(holding));
    holding.code =
        launcher.start(holding.task, ending -> loop.post(() -> codeEnded(holding, ending)));
  }

  private void announce(HeldAttempt holding) {
    if (!holding.ending && !holding.over && !holding.task.work().atMostOnce()) {
      report(holding, new Command.Start(holding.token, began(holding)));
    }
  }

  private void timedOut(HeldAttempt holding) {
    if (!holding.ending) {
      holding.overdue = true;
      interrupt(holding);
    }
  }

  private void cancel(AttemptId attempt, CancelRequest request) {
    if (!held.isKnown(attempt)) {
      held.stopAhead(attempt, request);
      return;
    }
    held.find(attempt)
        .filter(holding -> !holding.ending && holding.cancel.isEmpty())
        .ifPresent(holding -> {
          holding.cancel = Optional.of(request);
          interrupt(holding);
        });
  }

  private void doubted(String why) {
    losses.lost(held.all().stream().filter(HeldAttempt::maySucceed).count());
    for (HeldAttempt holding : held.all()) {
      holding.leaseLost |= holding.stopped.isEmpty();
      stop(holding, "the worker lost its lease: " + why);
    }
  }

  private void stop(HeldAttempt holding, String why) {
    if (holding.maySucceed()) {
      holding.stopped = Optional.of(why);
      interrupt(holding);
    }
  }

  private void interrupt(HeldAttempt holding) {
    holding.interrupt();
    var unused = loop.timeout(INTERRUPT_GRACE, () -> {
      holding.deaf = !holding.codeEnded;
      if (holding.deaf && !holding.ending && !holding.over) {
        giveUp(holding);
        end(
            holding,
            holding.interrupted(Failure.error("the code did not stop when it was interrupted")));
      } else {
        leaveIfDone();
      }
    });
  }

  /**
   * Reports the outcome without waiting for the code, which may run on forever: its slot is not free before that has ended. The leader
   * learns that first, so that it does not fill the slot when it receives the end.
   */
  private void giveUp(HeldAttempt holding) {
    if (!holding.codeEnded && !holding.givenUp) {
      holding.givenUp = true;
      givenUp++;
      registration.tellSoon();
    }
  }

  private void codeEnded(HeldAttempt holding, Launcher.Ending ending) {
    holding.codeEnded = true;
    if (holding.givenUp) {
      givenUp--;
      registration.tellSoon();
    }
    if (holding.over) {
      free(holding);
    } else if (!holding.ending) {
      end(
          holding,
          switch (ending) {
            case Launcher.Ending.Returned(Result result) ->
              new Command.Complete(holding.token, began(holding), result);
            case Launcher.Ending.Failed(Failure failure) -> holding.interrupted(failure);
          });
    }
  }

  private Instant began(HeldAttempt holding) {
    return holding.started.orElseGet(() -> holding.byLeader(loop.time().wall()));
  }

  private void end(HeldAttempt holding, Command how) {
    holding.ending = true;
    holding.cancelTimers();
    holding.cancel.ifPresent(
        request -> holding.reports.add(new Command.Cancel(request.by(), request.reason())));
    report(holding, how);
  }

  private void report(HeldAttempt holding, Command command) {
    holding.reports.add(command);
    reporter.report(holding);
  }

  private void over(HeldAttempt holding) {
    holding.over = true;
    holding.cancelTimers();
    if (holding.codeEnded) {
      free(holding);
    } else {
      giveUp(holding);
      leaveIfDone();
    }
  }

  private void free(HeldAttempt holding) {
    held.free(holding);
    claiming.look();
    leaveIfDone();
  }

  private final class Settled implements Reporter.Owner {
    @Override
    public void accepted(HeldAttempt holding) {
      if (holding.ending && holding.reports.isEmpty()) {
        over(holding);
      } else if (holding.task.work().atMostOnce() && holding.started.isEmpty()) {
        begin(holding);
      }
    }

    /** Its start is written. If it was stopped meanwhile, the code is not started. */
    private void begin(HeldAttempt holding) {
      if (holding.stopped.isPresent() || holding.cancel.isPresent()) {
        end(holding, holding.interrupted(Failure.error("it was stopped before it began")));
      } else {
        launch(holding);
      }
    }

    @Override
    public void rejected(HeldAttempt holding) {
      if (!holding.codeEnded) {
        interrupt(holding);
      }
      over(holding);
    }

    /** The last end frees its slot while its report is still being answered: only now is the worker done. */
    @Override
    public void idle() {
      leaveIfDone();
    }
  }
}
