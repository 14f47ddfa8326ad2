package io.belfry.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The core in the world: its own loops, unchanged, and everything that can go wrong around them. */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("belfry.seeds", 130);

  @ParameterizedTest
  @EnumSource
  void every_law_is_kept_under_every_seed(EngineMode mode) {
    Seeds.run("core on " + mode, 1, SEEDS, seed -> CoreScenario.run(seed, mode, Set.of()));
  }

  @Test
  void every_law_is_kept_when_leaders_are_elected_on_another_engine() {
    Seeds.run("core on Redis, elections on etcd", 1, SEEDS, CoreScenario::runMixed);
  }

  @ParameterizedTest
  @EnumSource
  void something_happens_in_the_world(EngineMode mode) {
    long tasks = 0;
    for (long seed = 1; seed <= 5; seed++) {
      tasks += CoreScenario.run(seed, mode, Set.of()).laws().tasksEver();
    }
    assertThat(tasks).isGreaterThan(500);
  }
}
