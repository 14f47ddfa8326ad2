package io.belfry.tests.witness;

import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * One run: engines, processes, jobs, a customer who submits, faults one after the other until enough was due; then quiet, and the verdict.
 *
 * <p>Threading: confined to the driver; an interrupt ends it, and closing it leaves nothing behind.
 */
final class Trial implements Fault.Run, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Time time = Time.system();
  private final LedgerServer ledger = new LedgerServer();
  private final List<AutoCloseable> open = new ArrayList<>(List.of(ledger));
  private final Engine engine;
  private final Network network;
  private final Fleet fleet;
  private final Desk desk;
  private final Counter counter;
  private final RandomGenerator random;
  private final Flaw flaw;
  private final Set<String> dead = new HashSet<>();
  private boolean keep;

  Trial(String engineName, Shape shape, long seed) {
    this(engineName, shape, seed, Flaw.NONE);
  }

  Trial(String engineName, Shape shape, long seed, Flaw flaw) {
    this(engineName, shape, seed, flaw, false, false);
  }

  /** With real servers, to which tasks are submitted meanwhile, instead of processes of the core alone. */
  static Trial ofServers(String engineName, Shape shape, long seed) {
    return new Trial(engineName, shape, seed, Flaw.NONE, true, false);
  }

  /**
   * A trial that has not begun.
   *
   * @param servers the processes are real servers
   * @param proxied there is a proxy between each process and its engine, which faults can cut or slow down
   */
  Trial(String engineName, Shape shape, long seed, Flaw flaw, boolean servers, boolean proxied) {
    this.flaw = flaw;
    random = new SplittableRandom(seed);
    boolean begun = false;
    try {
      engine = Engine.start(engineName);
      open.add(engine);
      network = new Network(engine, proxied);
      open.add(network);
      fleet = new Fleet(
          engine.isLone() ? Shape.LONE : shape,
          servers
              ? new ServerMaker(network, ledger.port())
              : Fleet.bare(network, ledger.port(), flaw));
      open.add(fleet);
      if (servers) {
        var reception = new ServerDesk(engine, fleet);
        desk = reception;
        open.add(desk);
        counter = new RestCounter(reception, fleet.all(), new SplittableRandom(seed + 1));
      } else {
        desk = engine.isLone() ? new LoneDesk(engine, fleet) : new Client(engine);
        counter = new DoorCounter(fleet, new SplittableRandom(seed + 1));
        open.add(desk);
      }
      begun = true;
    } finally {
      if (!begun) {
        close();
      }
    }
  }

  /**
   * What came of it.
   *
   * @param struck how often each fault befell somebody
   */
  record Outcome(
      Verdict verdict,
      Map<Fault, Integer> struck,
      int terms,
      int restarts,
      Figures figures,
      String calls) {
    String text() {
      return verdict.text()
          + calls
          + "faults %s · terms %,d · processes started again %,d%n"
              .formatted(struck, terms, restarts)
          + figures.text();
    }
  }

  Outcome run(Plan plan) {
    return run(plan, Progress.SILENT);
  }

  Outcome run(Plan plan, Progress progress) {
    awaitLeader();
    List<Promise> promises = desk.save(now -> JobPlan.all(plan.jobs(), now));
    progress.begin(promises, ledger, fleet);
    var customer = new Customer(counter, new SplittableRandom(random.nextLong()));
    open.add(customer);
    List<Strike> strikes = strike(plan, progress);
    fleet.start(fleet.all());
    awaitLeader();
    customer.end();
    catchUp(promises, plan.settling());
    promises = desk.retire(promises);
    settle(plan.settling());
    var evidence = new Evidence(
        ledger,
        promises,
        customer.calls(),
        withTerms(desk.told()),
        strikes,
        fleet.outages(),
        fleet.acts(),
        time.wall(),
        plan.bounds());
    Verdict verdict = Checker.check(evidence);
    keep = !verdict.clean() && flaw == Flaw.NONE;
    if (keep) {
      evidence.writeBeside(ledger.file());
      fleet.keepLogs(Path.of(ledger.file() + ".logs"));
    }
    Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    strikes.stream()
        .filter(each -> !each.targets().isEmpty())
        .forEach(each -> struck.merge(each.fault(), 1, Integer::sum));
    return new Outcome(
        verdict,
        struck,
        desk.terms(),
        fleet.restarts(),
        Figures.of(ledger, strikes, waiting(promises)),
        customer.text());
  }

  private static Set<String> waiting(List<Promise> promises) {
    return promises.stream()
        .filter(promise -> !promise.policy().startsAtOnce())
        .map(Promise::job)
        .collect(Collectors.toSet());
  }

  /** One fault after the other, until enough was due and each has struck. */
  private List<Strike> strike(Plan plan, Progress progress) {
    Instant end = time.wall().plus(plan.length());
    List<Strike> strikes = new ArrayList<>();
    while (time.wall().isBefore(end) || strikes.size() < plan.faults().size()) {
      pause(plan.between());
      if (!plan.faults().isEmpty()
          && (time.wall().isBefore(end) || strikes.size() < plan.faults().size())) {
        Fault fault = plan.faults().get(strikes.size() % plan.faults().size());
        progress.struck(fault);
        fleet.takeStruck();
        Instant at = time.wall();
        fault.strike(this);
        strikes.add(new Strike(fault, fleet.takeStruck(), at, time.wall()));
      }
    }
    return strikes;
  }

  /** Who led by what the processes themselves wrote down, too. */
  private Told withTerms(Told told) {
    Map<Long, List<String>> leaders = new HashMap<>();
    told.leaders().forEach((term, all) -> leaders.put(term, new ArrayList<>(all)));
    for (String name : fleet.all()) {
      for (String line : fleet.terms(name)) {
        String[] words = line.split("\t", -1);
        leaders
            .computeIfAbsent(Long.parseLong(words[0]), term -> new ArrayList<>())
            .add(words[1]);
      }
    }
    return new Told(told.ends(), told.unfinished(), told.skips(), leaders);
  }

  /** What was missed is made up for before the jobs are switched off; but not for ever, because something may be lost. */
  private void catchUp(List<Promise> promises, Duration atMost) {
    long deadline = time.nanos() + atMost.toNanos();
    Instant soFar = time.wall();
    Map<String, Long> due = new HashMap<>();
    promises.stream()
        .filter(promise -> promise.policy().startsAll())
        .forEach(promise -> due.put(promise.job(), promise.dueBefore(soFar)));
    promises.forEach(promise -> {
      if (promise.rhythm() instanceof Rhythm.Following(String before)) {
        due.put(promise.job(), due.getOrDefault(before, 0L));
      }
    });
    while (due.entrySet().stream().anyMatch(each -> ledger.fires(each.getKey()) < each.getValue())
        && time.nanos() - deadline < 0) {
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
  public Network network() {
    return network;
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
    return leading().map(Trial::name);
  }

  /** Who leads, with its incarnation. The lease of one that was killed still names it for a while. */
  private Optional<String> leading() {
    return desk.leader().filter(id -> !dead.contains(id) && fleet.isRunning(name(id)));
  }

  private static String name(String id) {
    return id.substring(0, id.indexOf('~'));
  }

  private String awaitLeader() {
    var seen = new ArrayList<String>();
    await("somebody leads")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> leading().map(seen::add).orElse(false));
    return seen.getLast();
  }

  @Override
  public String killLeader(Duration after) {
    String id = awaitLeader();
    pause(after);
    fleet.kill(name(id));
    dead.add(id);
    return name(id);
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
