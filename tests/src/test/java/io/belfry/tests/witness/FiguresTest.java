package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.LedgerLine.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private static final Instant BEGIN = Instant.parse("2027-01-01T00:00:00Z");

  private final List<LedgerLine> ledger = new ArrayList<>();

  private void start(int due, long lateMillis, long token) {
    Instant at = BEGIN.plusSeconds(due);
    ledger.add(Written.fire(What.START, at, token, at.plusMillis(lateMillis)));
  }

  private static Strike strike(Fault fault, int second) {
    Instant at = BEGIN.plusSeconds(second);
    return new Strike(fault, Set.of("s1"), at, at);
  }

  @Test
  void the_gap_of_a_fault_is_the_latest_start_until_the_next_fault() {
    start(1, 10, 1);
    start(2, 3000, 2);
    start(5, 20, 3);
    start(11, 500, 4);
    Figures figures = Figures.of(
        ledger::forEach, List.of(strike(Fault.F1, 2), strike(Fault.F2, 6), strike(Fault.F1, 9)));
    assertThat(figures.gaps(Fault.F1).size()).isEqualTo(2);
    assertThat(figures.gaps(Fault.F1).at(1)).isEqualTo(3000);
    assertThat(figures.gaps(Fault.F1).at(0)).isEqualTo(500);
    assertThat(figures.lateness().size()).isEqualTo(4);
  }

  @Test
  void a_restart_is_measured_from_the_fault() {
    start(1, 10, 1);
    start(1, 5000, 2);
    Figures figures = Figures.of(ledger::forEach, List.of(strike(Fault.F2, 2)));
    assertThat(figures.restarts(Fault.F2).size()).isEqualTo(1);
    assertThat(figures.restarts(Fault.F2).at(0.5)).isEqualTo(4000);
    assertThat(figures.text()).contains("tasks begun again: 1");
  }

  @Test
  void what_is_made_up_for_is_counted_by_seconds() {
    start(1, 20_000, 1);
    start(2, 19_500, 2);
    start(3, 20_000, 3);
    start(30, 100, 4);
    Figures figures = Figures.of(ledger::forEach, List.of());
    assertThat(figures.peak()).isEqualTo(2);
    assertThat(figures.text())
        .contains("made up for after more than 5 s: 3, at most 2 in a second");
  }
}
