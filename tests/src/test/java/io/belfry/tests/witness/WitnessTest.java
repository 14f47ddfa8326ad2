package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form: real processes on real engines, a fault of each kind, and nobody doubled or lost. */
class WitnessTest {
  private static final int JOBS = 20;
  private static final int TRIALS_MAX = 4;

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "redis", "embedded"})
  void no_fire_is_doubled_or_lost_when_processes_are_killed(String engine) {
    try (var trial = new Trial(engine, Shape.APART, 7)) {
      Trial.Outcome outcome = trial.run(
          Plan.of(JOBS, 300, List.of(Fault.F1, Fault.F2, Fault.F4), Duration.ofSeconds(3)));
      System.out.println("witness on " + engine + ": " + outcome.text());
      assertThat(outcome.verdict().clean()).as(outcome.text()).isTrue();
      assertThat(outcome.verdict().expected()).isGreaterThan(250);
      assertThat(outcome.faults()).isPositive();
    }
  }

  /** Where a kill strikes is chance, so a run that strikes between two fires is followed by another. */
  @Test
  void a_bug_that_loses_fires_when_a_process_is_killed_is_found() {
    List<Verdict> verdicts = new ArrayList<>();
    while (verdicts.size() < TRIALS_MAX && verdicts.stream().allMatch(Verdict::clean)) {
      verdicts.add(withFiresThatAreNotOneStep(verdicts.size()));
    }
    Verdict last = verdicts.getLast();
    assertThat(last.of(Kind.LOST)).as(last.text()).isNotEmpty();
  }

  private static Verdict withFiresThatAreNotOneStep(int seed) {
    try (var trial = new Trial("embedded", Shape.LONE, seed, Flaw.CURSOR_FIRST)) {
      return trial
          .run(Plan.of(JOBS, 160, List.of(Fault.F1), Duration.ofMillis(2500))
              .settling(Duration.ofSeconds(5)))
          .verdict();
    }
  }
}
