package io.belfry.tests.witness;

import io.belfry.core.leader.term.LeaderSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long things took, by the ledger's clock.
 *
 * <pre>
 *   fault ───────── gap ────────▶ the latest start of a fire, against its due instant, until the next fault
 *   fault ─── restart ──▶ the next start of a task that had begun before
 * </pre>
 *
 * <p>Threading: confined.
 */
final class Figures {
  private static final long NOTHING_BEGAN = Long.MIN_VALUE;
  /** Up to this age a fire is on time; what is older is made up for, at a rate that is bounded. */
  private static final Duration GRACE = LeaderSettings.DEFAULT.grace();

  private final List<Strike> strikes;
  private final Set<String> waiting;
  private final long[] worst;
  private final Set<String> seen = new HashSet<>();
  private final Spread lateness = new Spread();
  private final Map<Fault, Spread> restarts = new EnumMap<>(Fault.class);
  private final Map<Long, Integer> inSecond = new HashMap<>();
  private int overdue;
  private int peak;
  private int passed = -1;

  private Figures(List<Strike> strikes, Set<String> waiting) {
    this.strikes = strikes;
    this.waiting = waiting;
    this.worst = new long[strikes.size()];
    Arrays.fill(worst, NOTHING_BEGAN);
  }

  /**
   * Reads the ledger once.
   *
   * @param strikes in the order in which they happened, as the ledger's lines are
   */
  static Figures of(Ledger ledger, List<Strike> strikes) {
    return of(ledger, strikes, Set.of());
  }

  /**
   * The same.
   *
   * @param waiting jobs whose tasks wait for others of them, and are no measure of how soon a fire begins
   */
  static Figures of(Ledger ledger, List<Strike> strikes, Set<String> waiting) {
    var figures = new Figures(List.copyOf(strikes), Set.copyOf(waiting));
    ledger.forEach(figures::read);
    return figures;
  }

  private void read(LedgerLine line) {
    while (passed + 1 < strikes.size()
        && !line.at().isBefore(strikes.get(passed + 1).at())) {
      passed++;
    }
    if (!line.isStart()
        || line.entry().job().filter(job -> !waiting.contains(job)).isEmpty()) {
      return;
    }
    if (seen.add(line.entry().task())) {
      long late = Duration.between(line.entry().scheduled(), line.at()).toMillis();
      lateness.add(late);
      if (late > GRACE.toMillis()) {
        overdue++;
        peak = Math.max(peak, inSecond.merge(line.at().getEpochSecond(), 1, Integer::sum));
      }
      if (passed >= 0) {
        worst[passed] = Math.max(worst[passed], late);
      }
    } else if (passed >= 0) {
      Strike strike = strikes.get(passed);
      restarts
          .computeIfAbsent(strike.fault(), fault -> new Spread())
          .add(Duration.between(strike.at(), line.at()).toMillis());
    }
  }

  Spread lateness() {
    return lateness;
  }

  /** One length for every time that this fault struck and something began before the next. */
  Spread gaps(Fault fault) {
    var gaps = new Spread();
    for (int i = 0; i < worst.length; i++) {
      if (strikes.get(i).fault() == fault && worst[i] != NOTHING_BEGAN) {
        gaps.add(worst[i]);
      }
    }
    return gaps;
  }

  Spread restarts(Fault fault) {
    return restarts.getOrDefault(fault, new Spread());
  }

  /** How many fires that were overdue began in one second at most. */
  int peak() {
    return peak;
  }

  String text() {
    var text = new StringBuilder("start − due, all fires: %s%n".formatted(lateness));
    text.append(
        "made up for after more than %d s: %,d, at most %,d in a second, where the leader lets %,d overdue jobs go%n"
            .formatted(GRACE.toSeconds(), overdue, peak, LeaderSettings.DEFAULT.releaseRate()));
    for (Fault fault : Fault.values()) {
      Spread gaps = gaps(fault);
      long times = strikes.stream().filter(strike -> strike.fault() == fault).count();
      if (times > 0) {
        Spread again = restarts(fault);
        text.append("  %-6s %,d times · latest start after it: %s · tasks begun again: %,d%s%n"
            .formatted(
                fault,
                times,
                gaps,
                again.size(),
                again.size() == 0 ? "" : ", fault to restart: " + again));
      }
    }
    return text.toString();
  }
}
