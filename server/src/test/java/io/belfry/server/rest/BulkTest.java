package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the audit log says of a change of many jobs. */
class BulkTest {
  @Test
  void every_id_stands_there_even_if_it_is_none() {
    assertThat(Bulk.asked("apply", List.of("a", "", "b")))
        .isEqualTo("apply of 3 jobs: a, (no id), b");
  }

  @Test
  void ids_are_whole_and_what_does_not_fit_is_counted() {
    String text = Bulk.asked("delete", Collections.nCopies(1000, "x".repeat(128)));
    assertThat(text)
        .startsWith("delete of 1000 jobs: xxx")
        .endsWith("x and 987 more")
        .hasSizeLessThan(2000);
  }

  @Test
  void a_token_that_was_taken_for_an_id_is_not_shown() {
    assertThat(Bulk.asked("enable", List.of("bft_secret"))).doesNotContain("secret");
  }
}
