package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * {@code ./belfry faults}: a trial of any length, with any faults, on any engine. Exit code 1 when something was found; with a mutant, when
 * it was not.
 */
public final class FaultsMain {
  private static final String USAGE = """
      Usage: ./belfry faults --engine etcd|redis|mixed|embedded [--fault F1,F2,…] [--fires N] [--jobs N] [--every SECONDS] [--nodes N]
                             [--late SECONDS] [--seed N] [--runs N] [--mutant NAME] [--server true]
        Starts the engine (three etcd members; a Redis with two replicas and three Sentinels; etcd for the election beside Redis for
        the state; or a directory), three scheduler and three worker processes, jobs that fire every second and a few of other
        rhythms and of every policy, and a client who submits and cancels tasks. Strikes with the given faults in turn, each at
        least once, and holds a ledger that the tasks wrote against what was due and against what the client was answered.
        F1 leader killed · F2 worker killed · F3 leader or worker stands still for three leases · F4 rolling restart
        F5 a process, or all, cut off from the engine, both ways or one way · F6 members of etcd killed in turn
        F7 Redis primary killed or cut off · F8 embedded: killed anywhere, also while it starts
        F9 disk full · F13 overload: --server true --engine embedded --fault F9 (or F13) [--fires submits to be acknowledged]
        F10 clock set · F11 slow engine: answers 50, 200 or 1,000 ms later, or none for 5 s · F12 everything down while fires are due · F14 each new leader killed again, five times
        nodes: all nodes but two killed, then one more (with --nodes, 5 unless given)
        --fault   all of them, unless given; F6 and F7 only with --server true, F5 and F11 only when they are named: they
                  put a proxy between each process and its engine
        --fires   how many are due at least: 1000
        --jobs    each fires every second, so this is the rate: 20
        --every   seconds between faults: 5
        --nodes   so many processes that schedule and work, instead of three and three; embedded always has one
        --late    seconds from due to start that are soon enough while nothing is disturbed: 5
        --runs    so many runs one after the other, with the seeds from --seed on, and their sum: 1
        --server  true: the processes are real servers, started as docs/cluster.md says; jobs are saved over REST, and tasks
                  submitted over REST
        --mutant  first the same run without, which must be clean; then plants a bug into the processes, which the checker must
                  find as what it is; the bugs, and what they are found as:
      """;

  private String engine = "";
  private List<Fault> faults = List.of();
  private int fires = 1000;
  private int jobs = 20;
  private int every = 5;
  private Shape shape = Shape.APART;
  private long seed = Time.system().nanos();
  private Flaw flaw = Flaw.NONE;
  private Bounds bounds = Bounds.USUAL;
  private boolean servers;
  private int runs = 1;

  private FaultsMain() {}

  public static void main(String[] words) {
    if (List.of(words).contains("--help")) {
      tellUsage(System.out);
      System.exit(0);
    }
    var main = new FaultsMain();
    if (List.of(words).contains("F9") || List.of(words).contains("F13")) {
      System.exit(Drills.run(words));
    }
    try {
      main.read(words);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      tellUsage(System.err);
      System.exit(2);
    }
    System.exit(main.runAndCleanUp() ? 0 : 1);
  }

  private static void tellUsage(PrintStream to) {
    to.print(USAGE);
    Arrays.stream(Flaw.values())
        .filter(each -> each != Flaw.NONE)
        .forEach(each -> to.printf("            %-22s %s%n", each, each.expected));
  }

  private void read(String[] words) {
    for (int i = 0; i < words.length; i += 2) {
      if (i + 1 == words.length) {
        throw new IllegalArgumentException(words[i] + " needs a value.");
      }
      String value = words[i + 1];
      switch (words[i]) {
        case "--engine" -> engine = value;
        case "--fault" -> faults = faults(value);
        case "--fires" -> fires = number(words[i], value);
        case "--jobs" -> jobs = number(words[i], value);
        case "--every" -> every = number(words[i], value);
        case "--nodes" -> shape = Shape.together(number(words[i], value));
        case "--late" -> bounds = bounds.late(Duration.ofSeconds(number(words[i], value)));
        case "--seed" -> seed = Long.parseLong(value);
        case "--runs" -> runs = number(words[i], value);
        case "--mutant" -> flaw = flaw(value);
        case "--server" -> servers = truth(words[i], value);
        default -> throw new IllegalArgumentException("'" + words[i] + "' is not an option.");
      }
    }
    if (!Engine.NAMES.contains(engine)) {
      throw new IllegalArgumentException(
          "--engine must be one of " + Engine.NAMES + ", but was '" + engine + "'.");
    }
    complete();
  }

  /** What was left open follows from what was said. */
  private void complete() {
    if (engine.equals("embedded")) {
      shape = Shape.LONE;
    } else if (faults.contains(Fault.NODES) && shape.equals(Shape.APART)) {
      shape = Shape.together(5);
    }
    if (faults.isEmpty()) {
      faults = flaw == Flaw.NONE
          ? Arrays.stream(Fault.values())
              .filter(each -> each.appliesTo(shape) && canStrike(each) && each.isUsual(servers))
              .toList()
          : List.of(flaw.fault);
    }
    faults.stream().filter(each -> !canStrike(each)).findFirst().ifPresent(fault -> {
      throw new IllegalArgumentException("--fault " + fault + " cannot strike "
          + (servers ? "servers" : "processes of the core alone") + " on " + engine + ".");
    });
    if (servers && (engine.equals("embedded") || flaw != Flaw.NONE)) {
      throw new IllegalArgumentException(
          "--server true goes with etcd, redis and mixed, and without --mutant.");
    }
    faults.stream().filter(each -> !each.appliesTo(shape)).findFirst().ifPresent(fault -> {
      throw new IllegalArgumentException(
          "--fault " + fault + " needs at least three nodes, so that some can be killed and two are"
              + " left, but there are " + shape.nodes() + ". Raise --nodes, or leave it out.");
    });
  }

  private boolean canStrike(Fault fault) {
    return fault.strikes(engine, servers);
  }

  private static boolean truth(String option, String value) {
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(
          option + " must be true or false, but was '" + value + "'.");
    }
    return value.equals("true");
  }

  private static int number(String option, String value) {
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          option + " must be a whole number from 1 on, but was '" + value + "'.");
    }
    return Integer.parseInt(value);
  }

  private static Flaw flaw(String text) {
    try {
      return Flaw.named(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--mutant knows no '" + text + "'.", e);
    }
  }

  private static List<Fault> faults(String text) {
    var all = new ArrayList<Fault>();
    for (String each : text.toUpperCase(Locale.ROOT).split(",", -1)) {
      all.add(Arrays.stream(Fault.values())
          .filter(fault -> fault.name().equals(each.strip()))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(
              "--fault knows " + Arrays.toString(Fault.values()) + ", but not '" + each + "'.")));
    }
    return all;
  }

  /** However it ends, by Ctrl-C too, no process and no directory is left. */
  private boolean runAndCleanUp() {
    Thread driver = Thread.currentThread();
    var cleanedUp = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        int tries = 30;
        do {
          driver.interrupt(); // again: somebody on the way may have swallowed it
        } while (!cleanedUp.await(1, TimeUnit.SECONDS) && --tries > 0);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }));
    try {
      return run();
    } finally {
      cleanedUp.countDown();
    }
  }

  private boolean run() {
    System.out.printf(
        "%s, %s%s, faults %s, %,d fires at %d in a second, a fault every %d s, seed %d%s%n",
        engine,
        shape,
        servers ? " of real servers" : "",
        faults,
        fires,
        jobs,
        every,
        seed,
        flaw == Flaw.NONE ? "" : ", mutant " + flaw);
    Plan plan = Plan.of(jobs, fires, faults, Duration.ofSeconds(every)).bounds(bounds);
    if (flaw == Flaw.NONE) {
      return runAll(plan);
    }
    System.out.println("first without the mutant:");
    return trial(plan, Flaw.NONE, seed).verdict().clean()
        && caught(trial(plan.settling(Flaw.SETTLING), flaw, seed).verdict());
  }

  /** Each run is a row of a table, and all of them together are another. */
  private boolean runAll(Plan plan) {
    String commit = System.getProperty("belfry.commit", "unknown");
    var all = new Summary(engine, commit);
    var rows = new ArrayList<String>();
    boolean clean = true;
    for (int i = 0; i < runs; i++) {
      var one = new Summary(engine, commit);
      Trial.Outcome outcome = trial(plan, Flaw.NONE, seed + i);
      clean &= outcome.verdict().clean();
      one.add(outcome);
      all.add(outcome);
      rows.add(one.row("" + (seed + i)));
      System.out.println(Summary.HEAD + "\n" + rows.getLast());
    }
    if (all.runs() > 1) {
      System.out.println("all runs:\n" + Summary.HEAD + "\n" + String.join("\n", rows));
      System.out.println(all.row(all.runs() + " runs"));
    }
    return clean;
  }

  private Trial.Outcome trial(Plan plan, Flaw planted, long runSeed) {
    boolean proxied = faults.stream().anyMatch(Fault::needsProxies);
    try (var trial = new Trial(engine, shape, runSeed, planted, servers, proxied);
        var progress = new Progress.Lines()) {
      Trial.Outcome outcome = trial.run(plan, progress);
      System.out.print(outcome.text());
      return outcome;
    }
  }

  private boolean caught(Verdict verdict) {
    boolean caught = !verdict.of(flaw.expected).isEmpty();
    System.out.printf(
        "mutant %s: %s as %s%n", flaw, caught ? "caught" : "NOT caught", flaw.expected);
    return caught;
  }
}
