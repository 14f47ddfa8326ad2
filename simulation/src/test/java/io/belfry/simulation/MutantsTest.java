package io.belfry.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hunt for planted bugs works, shown on the toys. */
class MutantsTest {
  private static final String FOLDER = "io/belfry/simulation/";

  static List<Mutant> planted() {
    return List.of(
        new Mutant(
            "no term compare",
            FOLDER + "ToyScheduler.java",
            ".holds(Keys.FENCE, mine.fence)\n            .absent(",
            ".absent("),
        new Mutant("no token compare", FOLDER + "ToyWorker.java", ".unchanged(key, token)", ""),
        new Mutant(
            "term not raised",
            FOLDER + "ToyScheduler.java",
            "(number + 1) +",
            "Math.max(1, number) +"),
        new Mutant(
            "no rescue",
            FOLDER + "ToyScheduler.java",
            "loop.after(Duration.ofSeconds(1), () -> rescue(mine));",
            ""));
  }

  @ParameterizedTest
  @MethodSource("planted")
  void a_planted_bug_is_found(Mutant mutant) throws IOException {
    assertThat(Mutants.hunt(mutant, ToyScenario.class, "I", 1, 300)).hasValueSatisfying(caught -> {
      System.out.println(
          "mutant '" + mutant.name() + "' caught by seed " + caught.seed() + ": " + caught.law());
      assertThat(caught.law()).startsWith("I");
    });
  }

  @Test
  void a_mutant_that_changes_nothing_is_not_caught() throws IOException {
    var same =
        new Mutant("none", FOLDER + "ToyWorker.java", "private long ends;", "private long  ends;");
    assertThat(Mutants.hunt(same, ToyScenario.class, "", 1, 20)).isEmpty();
  }

  @Test
  void a_mutant_that_breaks_another_law_is_not_caught_by_this_one() throws IOException {
    assertThat(Mutants.hunt(planted().getLast(), ToyScenario.class, "I3", 1, 20))
        .isEmpty();
  }

  @Test
  void a_mutant_whose_text_is_gone_says_so() {
    var gone = new Mutant("gone", FOLDER + "ToyWorker.java", "no such text", "");
    assertThatThrownBy(() -> Mutants.hunt(gone, ToyScenario.class, "", 1, 1))
        .hasMessageContaining("gone")
        .hasMessageContaining("nowhere");
    var twice = new Mutant("twice", FOLDER + "ToyWorker.java", "loop.onResult(", "");
    assertThatThrownBy(() -> Mutants.hunt(twice, ToyScenario.class, "", 1, 1))
        .hasMessageContaining("more than once");
  }

  @Test
  void a_mutant_in_a_file_that_is_gone_or_that_does_not_compile_says_so() {
    var nowhere = new Mutant("nowhere", FOLDER + "Gone.java", "a", "b");
    assertThatThrownBy(() -> Mutants.hunt(nowhere, ToyScenario.class, "", 1, 1))
        .hasMessageContaining("Gone.java");
    var broken =
        new Mutant("broken", FOLDER + "ToyWorker.java", "private long ends;", "private lung ends;");
    assertThatThrownBy(() -> Mutants.hunt(broken, ToyScenario.class, "", 1, 1))
        .hasMessageContaining("must compile");
  }
}
