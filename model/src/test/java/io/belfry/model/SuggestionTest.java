package io.belfry.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
  private static final List<String> KNOWN =
      List.of("timeout", "retry", "executors.script.enabled", "executors.http.enabled");

  @Test
  void the_nearest_word_is_named_whatever_its_case() {
    assertThat(Suggestion.of("timout", KNOWN)).contains("timeout");
    assertThat(Suggestion.of("RETYR", KNOWN)).isEmpty();
    assertThat(Suggestion.of("Retri", KNOWN)).contains("retry");
  }

  @Test
  void the_end_of_a_longer_name_is_enough() {
    assertThat(Suggestion.of("script.enabled", KNOWN)).contains("executors.script.enabled");
  }

  @Test
  void nothing_is_named_for_something_else() {
    assertThat(Suggestion.of("colour", KNOWN)).isEmpty();
    assertThat(Suggestion.of("", KNOWN)).isEmpty();
    assertThat(Suggestion.of("x".repeat(10_000), KNOWN)).isEmpty();
  }
}
