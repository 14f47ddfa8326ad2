package io.belfry.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S, 500ms",
    "30s, PT30S, 30s",
    "90s, PT1M30S, 1m30s",
    "1h30m, PT1H30M, 1h30m",
    "7d, PT168H, 7d",
    "PT30S, PT30S, 30s",
    "0s, PT0S, 0s"
  })
  void are_read_as_people_write_them_and_shown_in_the_shortest_form(
      String text, String meant, String shown) {
    Duration read = Durations.parse("wait", text);
    assertThat(read).isEqualTo(Duration.parse(meant));
    assertThat(Durations.show(read)).isEqualTo(shown);
    assertThat(Durations.parse("wait", Durations.show(read))).isEqualTo(read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "30",
        "s",
        "30 s",
        "-5s",
        "1h-5m",
        "P",
        "soon",
        "999999999999d",
        "36526d",
        "PT9999999999999999S"
      })
  void what_is_none_is_refused_by_name(String text) {
    assertThatThrownBy(() -> Durations.parse("wait", text))
        .isInstanceOfSatisfying(
            InvalidException.class, e -> assertThat(e.field()).isEqualTo("wait"));
  }

  @Test
  void what_is_finer_than_a_millisecond_is_shown_exactly() {
    assertThat(Durations.show(Duration.ofNanos(1))).isEqualTo("PT0.000000001S");
  }

  @Test
  void a_text_of_a_million_parts_is_refused_like_any_other() {
    assertThatThrownBy(() -> Durations.parse("wait", "1s".repeat(1_000_000)))
        .isInstanceOf(InvalidException.class)
        .hasMessageStartingWith("wait must be a duration");
  }

  @ParameterizedTest
  @ValueSource(strings = {"P", "PT", "P1D", "PT1H", "P9", "P-", "PT1.", "1s", "9", "p+"})
  void a_text_of_100_kb_is_refused_soon_however_it_goes_on(String beginning) {
    for (String more : List.of("9", "1s", "1D", "T", "-", ".", "1H", "ms", "P")) {
      String text = beginning + more.repeat(100_000 / more.length());
      assertThatThrownBy(() -> Durations.parse("wait", text))
          .isInstanceOf(InvalidException.class)
          .hasMessageStartingWith("wait must be");
    }
  }
}
