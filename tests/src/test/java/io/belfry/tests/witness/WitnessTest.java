package io.belfry.tests.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The short form: real processes on real engines, a fault of each kind, and nobody doubled or lost. */
class WitnessTest {
  private static final int JOBS = 10;

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "redis"})
  void no_fire_is_doubled_or_lost_when_processes_are_killed(String engine) {
    try (var trial = new Trial(engine, 3, 3, 7)) {
      Trial.Outcome outcome =
          trial.run(JOBS, 300, List.of(Fault.F1, Fault.F2), Duration.ofSeconds(4));
      System.out.println("witness on " + engine + ": " + outcome.text());
      assertThat(outcome.verdict().clean()).as(outcome.text()).isTrue();
      assertThat(outcome.verdict().expected()).isGreaterThan(200);
    }
  }
}
