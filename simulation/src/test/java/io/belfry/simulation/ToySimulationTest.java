package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The world with toys in it: good ones pass, whatever happens to them. */
class ToySimulationTest {
  private static final int SEEDS = 700;

  @ParameterizedTest
  @EnumSource
  void a_sound_scheduler_keeps_every_law_under_every_seed(EngineMode mode) {
    Seeds.run("toys on " + mode, 1, SEEDS, seed -> ToyScenario.run(seed, mode, Set.of()));
  }

  @ParameterizedTest
  @EnumSource
  void something_happens_in_the_world(EngineMode mode) {
    long tasks = 0;
    long runs = 0;
    for (long seed = 1; seed <= 20; seed++) {
      Simulation simulation = ToyScenario.run(seed, mode, Set.of());
      tasks += simulation.laws().tasksEver();
      runs += simulation.ledger().all().stream().mapToInt(lines -> lines.size()).sum();
    }
    assertThat(tasks).isGreaterThan(200);
    assertThat(runs).as("some tasks are carried out again after a crash").isGreaterThan(tasks);
  }

  @Test
  void a_watch_that_tells_too_early_is_found() {
    assertThat(Seeds.firstViolation(
            1,
            50,
            seed ->
                ToyScenario.run(seed, EngineMode.REDIS, Set.of(Sabotage.WATCH_BEFORE_REPLICATION))))
        .hasValueSatisfying(violation -> assertThat(violation.law()).startsWith("I1"));
  }
}
