package io.belfry.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CheckTest {

  @Nested
  class A_refusal {
    @Test
    void says_what_got_what_why_and_what_to_do() {
      assertThatThrownBy(() -> Check.between("retry.max", -1, 0, 1000, "a task must end some day"))
          .isInstanceOf(InvalidException.class)
          .hasMessage(
              "retry.max must lie between 0 and 1000, because a task must end some day, but was -1."
                  + " Set retry.max to 0.");
    }

    @Test
    void names_the_field_for_a_form() {
      var refused = catchThrowableOfType(InvalidException.class, () -> Check.text("name", " ", 10));
      assertThat(refused.field()).isEqualTo("name");
    }

    @Test
    void proposes_the_nearest_duration() {
      Duration hour = Duration.ofHours(1);
      Duration day = Duration.ofDays(1);
      assertThatThrownBy(
              () -> Check.between("retain", Duration.ofSeconds(1), hour, day, "it is so"))
          .hasMessageEndingWith("but was PT1S. Set retain to PT1H.");
      assertThatThrownBy(() -> Check.between("retain", Duration.ofDays(2), hour, day, "it is so"))
          .hasMessageEndingWith("but was PT48H. Set retain to PT24H.");
    }

    @Test
    void quotes_text_but_never_all_of_a_long_one() {
      assertThatThrownBy(() -> Check.name("queue", "Ä".repeat(5000), 64))
          .satisfies(e -> assertThat(e.getMessage())
              .hasSizeLessThan(400)
              .contains("\"ÄÄÄ", "(5000 characters)"));
    }
  }

  @Nested
  class Bounds {
    @Test
    void are_inclusive() {
      assertThat(Check.between("n", 1, 1, 3, "")).isEqualTo(1);
      assertThat(Check.between("n", 3, 1, 3, "")).isEqualTo(3);
      assertThat(Check.atMost("t", "abc", 3)).isEqualTo("abc");
    }

    @Test
    void hold_for_long_texts() {
      assertThatThrownBy(() -> Check.atMost("description", "abcd", 3))
          .hasMessage(
              "description must have at most 3 characters, because stored values are limited,"
                  + " but was 4 characters. Shorten description.");
    }
  }

  @Nested
  class Characters {
    @Test
    void are_whole_or_the_half_is_shown_with_its_place() {
      assertThat(Check.whole("key", "a\ud83d\ude00")).hasSize(3);
      assertThatThrownBy(() -> Check.whole("key", "a\ud83d\ude00\ud83d"))
          .isInstanceOf(InvalidException.class)
          .hasMessage(
              "key must not contain an unpaired surrogate, because it becomes part of a key and keys are UTF-8,"
                  + " but was a text with the unpaired surrogate \\ud83d at index 3. Cut the text between characters, not inside one.");
      assertThat(Check.halfAt("\ude00\ud83d")).isZero();
      assertThat(Check.halfAt("")).isEqualTo(-1);
    }
  }

  @Nested
  class Labels {
    @Test
    void are_copied_and_sorted() {
      Map<String, String> given = new HashMap<>();
      given.put("b", "1");
      given.put("a", "2");
      Map<String, String> kept = Check.labels("metadata", given);
      given.put("c", "3");
      assertThat(kept.keySet()).containsExactly("a", "b");
      assertThatThrownBy(() -> kept.put("d", "4"))
          .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void are_bounded_in_number_and_length() {
      Map<String, String> many = new HashMap<>();
      for (int i = 0; i < 65; i++) {
        many.put("k" + i, "");
      }
      assertThatThrownBy(() -> Check.labels("metadata", many))
          .hasMessageContaining("but was 65 entries");
      assertThatThrownBy(() -> Check.labels("workers", Map.of("region", "x".repeat(1025))))
          .hasMessageStartingWith("workers.region must have at most 1024 characters");
      assertThatThrownBy(() -> Check.labels("workers", Map.of("", "x")))
          .hasMessageStartingWith("workers key must not");
    }
  }

  @Nested
  class Clipping {
    @Test
    void leaves_short_texts_alone() {
      assertThat(Check.clip("short", 5)).isEqualTo("short");
    }

    @Test
    void keeps_beginning_and_end_within_the_bound() {
      String clipped = Check.clip("a".repeat(500) + "z".repeat(500), 100);
      assertThat(clipped)
          .hasSize(100)
          .startsWith("aaa")
          .endsWith("zzz")
          .contains("(1000 characters)");
    }
  }

  @Nested
  class Words {
    enum Colour {
      RED,
      DEEP_BLUE
    }

    @Test
    void are_written_in_lower_case_with_dashes() {
      assertThat(WireName.of(Colour.DEEP_BLUE)).isEqualTo("deep-blue");
    }

    @Test
    void are_read_in_any_case() {
      assertThat(WireName.parse(Colour.class, "colour", " Deep-Blue ")).isEqualTo(Colour.DEEP_BLUE);
    }

    @Test
    void that_do_not_exist_are_answered_with_those_that_do() {
      assertThatThrownBy(() -> WireName.parse(Colour.class, "colour", "green"))
          .hasMessage(
              "colour must be one of red, deep-blue, because other values have no meaning here,"
                  + " but was \"green\". Choose one of them.");
    }
  }
}
