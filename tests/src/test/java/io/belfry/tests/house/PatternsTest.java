package io.belfry.tests.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.belfry.testkit.Root;
import io.belfry.tests.house.Patterns.Expression;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No text that anybody may send keeps a regular expression busy, or overflows its stack. */
class PatternsTest {
  @Test
  void every_expression_is_done_soon_with_100_kb_of_the_worst() throws IOException {
    assertThat(Patterns.all(Root.FOLDER))
        .hasSizeGreaterThan(60)
        .flatMap(each -> Patterns.complaint(each).map(complaint -> each + " " + complaint).stream()
            .toList())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*",
        "(\\d{1,12}(ms|s|m|h|d))+",
        "(a+)+b",
        "(a|aa)*",
        "[a-z0-9-]+(\\.[a-z0-9-]+)*"
      })
  void a_careless_expression_is_noticed(String expression) {
    assertThat(Patterns.complaint(new Expression("Some.java", expression, false)))
        .isPresent();
  }

  @Test
  void a_search_that_starts_again_at_each_character_is_noticed() {
    assertThat(Patterns.complaint(new Expression("Some.java", "[^:]+:", true))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Pattern.compile(FORM)",
        "text.replaceAll(FORM, \"\")",
        "text.split(FORM)",
        "text.matches(FORM)"
      })
  void an_expression_that_cannot_be_tried_is_noticed(String source) {
    assertThatThrownBy(() -> Patterns.in("Some.java", source)).hasMessageContaining("Some.java");
  }

  /** Where an expression is looked for inside a text, it is tried so, in whatever way it is looked for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FORM.matcher(text).find(3)",
        "FORM.matcher(text).lookingAt()",
        "FORM.split(text)",
        "FORM.splitAsStream(text)",
        "FORM.asPredicate()",
        "FORM.matcher(text).replaceAll(\"\")"
      })
  void a_search_is_noticed(String use) {
    assertThat(Patterns.in("Some.java", "FORM = Pattern.compile(\"[^:]+:\"); " + use))
        .anyMatch(each -> each.text().equals("[^:]+:") && each.searched());
  }

  /** Each module whose programs read what others send. */
  @Test
  void all_modules_are_tried() throws IOException {
    assertThat(Patterns.all(Root.FOLDER).stream()
            .map(each -> each.place().substring(0, each.place().indexOf('/'))))
        .contains(
            "cli", "client", "core", "executors", "model", "server", "store-etcd", "store-redis");
  }
}
