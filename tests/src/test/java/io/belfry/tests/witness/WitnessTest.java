package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.tests.witness.Verdict.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form: real processes on real engines, a fault of each kind, and nobody doubled or lost. */
class WitnessTest {
  private static final int JOBS = 20;

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

  @Test
  void a_bug_that_loses_fires_when_a_process_is_killed_is_found() {
    try (var trial = new Trial("embedded", Shape.LONE, 7, Flaw.CURSOR_FIRST)) {
      Verdict verdict = trial
          .run(Plan.of(JOBS, 160, List.of(Fault.F1), Duration.ofMillis(1500))
              .settling(Duration.ofSeconds(5)))
          .verdict();
      assertThat(verdict.of(Kind.LOST)).as(verdict.text()).isNotEmpty();
    }
  }
}
