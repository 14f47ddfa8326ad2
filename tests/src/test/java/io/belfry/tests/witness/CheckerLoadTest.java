package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.LedgerLine.What;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ten minutes with 500 fires in a second, and a fault every five seconds, fit into the checker. */
class CheckerLoadTest {
  private static final Instant BEGIN = Instant.parse("2027-01-01T00:00:00Z");
  private static final int JOBS = 500;
  private static final int SECONDS = 600;

  private static LedgerLine line(What what, String job, Instant due, long token) {
    Instant at = due.plusMillis(what == What.START ? 50 : 150);
    return new LedgerLine(
        at,
        new LedgerLine.Entry(
            what,
            "witness",
            job + "@" + due,
            Optional.of(job),
            due,
            Optional.empty(),
            1,
            token,
            "w1~1",
            17,
            Optional.empty()),
        true);
  }

  @Test
  void three_hundred_thousand_fires_are_judged() {
    List<Promise> promises = new ArrayList<>();
    Map<String, List<Told.End>> ends = new HashMap<>();
    for (int job = 0; job < JOBS; job++) {
      promises.add(Promise.open(
          new JobPlan("tick-" + job, Rhythms.EVERY_SECOND, Policy.PLAIN), BEGIN, BEGIN));
      for (int second = 1; second <= SECONDS; second++) {
        ends.put(
            "tick-" + job + "@" + BEGIN.plusSeconds(second),
            List.of(new Told.End(Told.End.SUCCEEDED, second)));
      }
    }
    List<Strike> strikes = new ArrayList<>();
    for (int second = 5; second < SECONDS; second += 5) {
      Instant at = BEGIN.plusSeconds(second);
      strikes.add(new Strike(Fault.F1, Set.of("s1"), at, at.plusSeconds(1)));
    }
    Ledger ledger = reader -> {
      for (int second = 1; second <= SECONDS; second++) {
        for (What what : List.of(What.START, What.END)) {
          for (int job = 0; job < JOBS; job++) {
            reader.accept(line(what, "tick-" + job, BEGIN.plusSeconds(second), second));
          }
        }
      }
    };
    Verdict verdict = Checker.check(new Evidence(
        ledger,
        promises,
        List.of(),
        new Told(ends, List.of(), Map.of(), Map.of()),
        strikes,
        List.of(),
        List.of(),
        BEGIN.plusSeconds(SECONDS + 1),
        Bounds.USUAL));
    assertThat(verdict.clean()).as(verdict.text()).isTrue();
    assertThat(verdict.ran()).isEqualTo(JOBS * SECONDS);
  }
}
