package io.belfry.tests.witness;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** {@code ./belfry faults}: a trial of any length, with any faults, on any engine. Exit code 1 when something was found. */
public final class FaultsMain {
  private static final String USAGE = """
      Usage: ./belfry faults --engine etcd|redis|mixed [--fault F1,F2,…] [--fires N] [--jobs N] [--every SECONDS] [--seed N]
        Starts the engine (three etcd members; a Redis with two replicas and three Sentinels; or etcd for the election beside
        Redis for the state), three scheduler and three worker processes, and jobs that fire every second. Strikes with the given
        faults in turn, and holds a ledger that the tasks wrote against what was due.
        F1 leader killed · F2 worker killed · F3 leader or worker stands still for three leases · F4 rolling restart
        F10 clock set · F12 everything down while fires are due · F14 each new leader killed again, five times
        Without --fault: all of them. --fires 1000, --jobs 20, --every 5 (seconds between faults).
      """;

  private String engine = "";
  private List<Fault> faults = List.of(Fault.values());
  private int fires = 1000;
  private int jobs = 20;
  private int every = 5;
  private long seed = Time.system().nanos();

  private FaultsMain() {}

  public static void main(String[] words) {
    var main = new FaultsMain();
    try {
      main.read(words);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(USAGE);
      System.exit(2);
    }
    System.exit(main.run() ? 0 : 1);
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
        case "--seed" -> seed = Long.parseLong(value);
        default -> throw new IllegalArgumentException("'" + words[i] + "' is not an option.");
      }
    }
    if (!List.of("etcd", "redis", "mixed").contains(engine)) {
      throw new IllegalArgumentException(
          "--engine must be etcd, redis or mixed, but was '" + engine + "'.");
    }
  }

  private static int number(String option, String value) {
    if (!value.matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          option + " must be a whole number from 1 on, but was '" + value + "'.");
    }
    return Integer.parseInt(value);
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

  private boolean run() {
    System.out.printf(
        "%s, faults %s, %,d fires of %d jobs, a fault every %d s, seed %d%n",
        engine, faults, fires, jobs, every, seed);
    try (var trial = new Trial(engine, 3, 3, seed)) {
      Trial.Outcome outcome = trial.run(jobs, fires, faults, Duration.ofSeconds(every));
      System.out.print(outcome.text());
      return outcome.verdict().clean();
    }
  }
}
