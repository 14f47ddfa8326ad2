package io.belfry.tests.witness;

import io.belfry.tests.witness.LedgerLine.What;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
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

  private final List<Strike> strikes;
  private final long[] worst;
  private final Set<String> seen = new HashSet<>();
  private final Spread lateness = new Spread();
  private final Map<Fault, Spread> restarts = new EnumMap<>(Fault.class);
  private int passed = -1;

  private Figures(List<Strike> strikes) {
    this.strikes = strikes;
    this.worst = new long[strikes.size()];
    Arrays.fill(worst, NOTHING_BEGAN);
  }

  /**
   * Reads the ledger once.
   *
   * @param strikes in the order in which they happened, as the ledger's lines are
   */
  static Figures of(Ledger ledger, List<Strike> strikes) {
    var figures = new Figures(List.copyOf(strikes));
    ledger.forEach(figures::read);
    return figures;
  }

  private void read(LedgerLine line) {
    while (passed + 1 < strikes.size()
        && !line.at().isBefore(strikes.get(passed + 1).at())) {
      passed++;
    }
    int sign = line.task().indexOf('@');
    if (line.what() != What.START || sign < 0) {
      return;
    }
    if (seen.add(line.task())) {
      Instant due = Instant.parse(line.task().substring(sign + 1));
      long late = Duration.between(due, line.at()).toMillis();
      lateness.add(late);
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

  String text() {
    var text = new StringBuilder("start − due, all fires: %s%n".formatted(lateness));
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
