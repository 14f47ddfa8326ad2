package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * One run: engines, processes, jobs that fire every second, faults one after the other until enough was due; then quiet, and the verdict.
 *
 * <p>Threading: confined to the driver; an interrupt ends it, and closing it leaves nothing behind.
 */
final class Trial implements Fault.Run, AutoCloseable {
  private static final Duration CLOCK_ERROR = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Time time = Time.system();
  private final LedgerServer ledger = new LedgerServer();
  private final List<AutoCloseable> open = new ArrayList<>(List.of(ledger));
  private final Engine engine;
  private final Fleet fleet;
  private final Desk desk;
  private final Optional<Submits> submits;
  private final RandomGenerator random;
  private final Flaw flaw;
  private boolean keep;

  Trial(String engineName, Shape shape, long seed) {
    this(engineName, shape, seed, Flaw.NONE);
  }

  Trial(String engineName, Shape shape, long seed, Flaw flaw) {
    this(engineName, shape, seed, flaw, false);
  }

  /** With real servers, to which tasks are submitted meanwhile, instead of processes of the core alone. */
  static Trial ofServers(String engineName, Shape shape, long seed) {
    return new Trial(engineName, shape, seed, Flaw.NONE, true);
  }

  private Trial(String engineName, Shape shape, long seed, Flaw flaw, boolean servers) {
    this.flaw = flaw;
    random = new SplittableRandom(seed);
    boolean begun = false;
    try {
      engine = Engine.start(engineName);
      open.add(engine);
      fleet = new Fleet(
          engine.isLone() ? Shape.LONE : shape,
          servers
              ? new ServerMaker(engine, ledger.port())
              : Fleet.bare(engine, ledger.port(), flaw));
      open.add(fleet);
      if (servers) {
        var reception = new ServerDesk(engine, fleet);
        desk = reception;
        open.add(desk);
        submits = Optional.of(new Submits(reception));
        submits.ifPresent(open::add);
      } else {
        desk = engine.isLone() ? new LoneDesk(engine, fleet) : new Client(engine);
        submits = Optional.empty();
        open.add(desk);
      }
      begun = true;
    } finally {
      if (!begun) {
        close();
      }
    }
  }

  /** What came of it. */
  record Outcome(
      Verdict verdict, int faults, int terms, int restarts, Figures figures, String submits) {
    String text() {
      return verdict.text()
          + submits
          + "faults %,d · terms %,d · processes started again %,d%n"
              .formatted(faults, terms, restarts)
          + figures.text();
    }
  }

  Outcome run(Plan plan) {
    return run(plan, Progress.SILENT);
  }

  Outcome run(Plan plan, Progress progress) {
    awaitLeader();
    List<Promise> promises = desk.save(plan.jobs());
    progress.begin(promises, ledger, fleet);
    Instant end = time.wall().plus(plan.length());
    List<Strike> strikes = new ArrayList<>();
    while (time.wall().isBefore(end)) {
      pause(shorter(plan.between(), Duration.between(time.wall(), end)));
      if (!plan.faults().isEmpty() && time.wall().isBefore(end)) {
        Fault fault = plan.faults().get(strikes.size() % plan.faults().size());
        strikes.add(new Strike(fault, time.wall()));
        progress.struck(fault);
        fault.strike(this);
      }
    }
    fleet.start(fleet.all());
    awaitLeader();
    catchUp(promises, plan.settling());
    promises = desk.retire(promises);
    submits.ifPresent(Submits::end);
    settle(plan.settling());
    Told told = desk.told();
    Verdict verdict = Checker.check(
        ledger, promises, told, CLOCK_ERROR, submits.map(Submits::acknowledged).orElse(Set.of()));
    keep = !verdict.clean() && flaw == Flaw.NONE;
    return new Outcome(
        verdict,
        strikes.size(),
        desk.terms(),
        fleet.restarts(),
        Figures.of(ledger, strikes),
        submits.map(Submits::text).orElse(""));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** What was missed is made up for before the jobs are switched off; but not for ever, because something may be lost. */
  private void catchUp(List<Promise> promises, Duration atMost) {
    long deadline = time.nanos() + atMost.toNanos();
    Instant soFar = time.wall();
    long due = promises.stream().mapToLong(promise -> promise.dueBefore(soFar)).sum();
    while (ledger.count().fires() < due && time.nanos() - deadline < 0) {
      pause(Duration.ofMillis(250));
    }
  }

  private void settle(Duration atMost) {
    long deadline = time.nanos() + atMost.toNanos();
    pause(Duration.ofSeconds(1));
    while (!desk.isSettled() && time.nanos() - deadline < 0) {
      pause(Duration.ofSeconds(2));
    }
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public Fleet fleet() {
    return fleet;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public Optional<String> leader() {
    return desk.leader();
  }

  @Override
  public Optional<String> awaitLeader() {
    await("somebody leads")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> desk.leader().isPresent());
    return desk.leader();
  }

  @Override
  public void awaitFires() {
    int before = ledger.count().fires();
    await("something fires")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> ledger.count().fires() > before);
  }

  /** Time passes: that is what a fault needs. */
  @Override
  public void pause(Duration length) {
    long until = time.nanos() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = until - time.nanos()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("the run was interrupted");
      }
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    for (AutoCloseable each : open.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        System.err.println("could not be closed: " + e);
      }
    }
    if (keep) {
      System.out.println("the ledger is kept: " + ledger.file());
    } else {
      ledger.delete();
    }
  }
}
