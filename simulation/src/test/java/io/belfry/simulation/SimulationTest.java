package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The core in the world: its own loops, unchanged, and everything that can go wrong around them. */
class SimulationTest {
  /** What comes a few times in a world is seen in five. */
  private static final Set<String> RARE = Set.of("leases that ran out", "refused submissions");

  private static final int SEEDS = Seeds.count(130);

  @AfterAll
  static void tell_the_totals() {
    Seeds.tellTotals();
  }

  @Test
  void every_law_is_kept_on_an_embedded_engine() {
    run("core, embedded", EngineMode.PLAIN);
  }

  @Test
  void every_law_is_kept_on_etcd() {
    run("core on etcd", EngineMode.ETCD);
  }

  @Test
  void every_law_is_kept_on_redis() {
    run("core on Redis", EngineMode.REDIS);
  }

  @Test
  void every_law_is_kept_with_elections_on_etcd_and_state_on_redis() {
    Seeds.run("core on Redis, elections on etcd", 1, SEEDS, CoreScenario::runMixed);
  }

  private static void run(String name, EngineMode mode) {
    Seeds.run(name, 1, SEEDS, seed -> CoreScenario.run(seed, mode, Set.of()));
  }

  @ParameterizedTest
  @EnumSource
  void something_happens_in_the_world(EngineMode mode) {
    long tasks = 0;
    Map<String, Long> counts = new TreeMap<>();
    for (long seed = 1; seed <= 5; seed++) {
      Simulation simulation = CoreScenario.run(seed, mode, Set.of());
      tasks += simulation.laws().tasksEver();
      simulation.world().counts().forEach((what, count) -> counts.merge(what, count, Long::sum));
    }
    System.out.println("on " + mode + ": tasks=" + tasks + ", " + counts);
    assertThat(tasks).isGreaterThan(500);
    assertThat(counts)
        .containsKeys("follow-starts", "follow-skips", "claims", "slim reads")
        .allSatisfy((what, count) ->
            assertThat(count).as(what).isGreaterThan(RARE.contains(what) ? 0 : 20));
    // In one process there is nobody else to be told.
    assertThat(counts.containsKey("remote events")).isEqualTo(mode != EngineMode.PLAIN);
  }
}
