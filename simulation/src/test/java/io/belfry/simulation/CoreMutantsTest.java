package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation can fail: each bug of the protocol, planted into the core or into the engine, is found. */
class CoreMutantsTest {

  static List<CoreMutants.Planted> planted() {
    return Stream.of(CoreMutants.all(), PartMutants.all(), LawMutants.all(), OutageMutants.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("planted")
  void a_planted_bug_is_found(CoreMutants.Planted planted) throws IOException {
    assertThat(Mutants.hunt(
            planted.mutant(), planted.scenario(), planted.law(), planted.first(), planted.seeds()))
        .hasValueSatisfying(caught -> System.out.println(
            "mutant '" + planted + "' caught by seed " + caught.seed() + ": " + caught.law()));
  }

  @Test
  void watchers_that_hear_too_early_are_found() {
    Set<Sabotage> early = Set.of(Sabotage.WATCH_BEFORE_REPLICATION);
    assertThat(Seeds.firstViolation(1, 10, seed -> CoreScenario.run(seed, EngineMode.REDIS, early)))
        .hasValueSatisfying(caught -> assertThat(caught.law()).startsWith("I1 "));
  }

  @Test
  void an_engine_without_epochs_is_found() {
    assertThat(Seeds.firstViolation(1, 10, new FollowScenario.WithoutEpochs()))
        .hasValueSatisfying(caught -> assertThat(caught.law()).startsWith("I7 "));
  }

  @Test
  void write_skew_in_a_batch_is_found() {
    assertThat(Seeds.firstViolation(1, 10, new EditScenario.WithSkew()))
        .hasValueSatisfying(caught -> assertThat(caught.law()).startsWith("I2 "));
  }
}
