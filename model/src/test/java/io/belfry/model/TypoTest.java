package io.belfry.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TypoTest {
  private static final List<String> KNOWN =
      List.of("timeout", "retry", "executors.script.enabled", "executors.http.enabled");

  @Test
  void the_nearest_word_is_named_whatever_its_case() {
    assertThat(Typo.correction("timout", KNOWN)).contains("timeout");
    assertThat(Typo.correction("Retri", KNOWN)).contains("retry");
  }

  @Test
  void two_swapped_letters_are_one_mistake() {
    assertThat(Typo.correction("RETYR", KNOWN)).contains("retry");
    assertThat(Typo.correction("jbo", List.of("audit", "job", "task"))).contains("job");
    assertThat(Typo.correction("taks", List.of("audit", "job", "task"))).contains("task");
  }

  @Test
  void the_end_of_a_longer_name_is_enough() {
    assertThat(Typo.correction("script.enabled", KNOWN)).contains("executors.script.enabled");
  }

  @Test
  void nothing_is_named_for_something_else() {
    assertThat(Typo.correction("colour", KNOWN)).isEmpty();
    assertThat(Typo.correction("", KNOWN)).isEmpty();
    assertThat(Typo.correction("x".repeat(10_000), KNOWN)).isEmpty();
  }
}
