package io.belfry.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WidthTest {
  @ParameterizedTest
  @CsvSource({
    "abc, 3",
    "'', 0",
    "每日对账, 8",
    "日本語, 6",
    "ｱｲｳ, 3",
    "ＡＢ, 4",
    "한국어, 6",
    "é, 1",
    "e\u0301, 1",
    "…, 1",
    "→, 1",
    "💰, 2",
    "❤, 1",
    "❤\uFE0F, 2",
    "✅, 2",
    "👩\u200D💻, 2",
    "👨\u200D👩\u200D👧\u200D👦, 2",
    "👍🏽, 2",
    "🇨🇳, 2",
    "🇨🇳🇩🇪, 4",
    "a\u200Bb, 2",
    "𠮷, 2",
    "Ünïcödé, 7"
  })
  void a_text_takes_so_many_columns(String text, int columns) {
    assertThat(Width.of(text)).isEqualTo(columns);
  }

  @ParameterizedTest
  @CsvSource({
    "nightly, 7, nightly",
    "nightly, 6, night…",
    "每日对账, 8, 每日对账",
    "每日对账, 7, 每日对…",
    "每日对账, 6, 每日…",
    "每日对账, 2, …",
    "a👩\u200D💻b, 3, a…",
    "abc, 1, …",
    "abc, 0, ''"
  })
  void a_text_is_cut_between_graphemes(String text, int columns, String cut) {
    assertThat(Width.cut(text, columns, "…")).isEqualTo(cut);
  }

  @Test
  void a_cut_text_always_fits() {
    String seed = System.getProperty("belfry.seed", "");
    long number = seed.isEmpty() ? 41 : Long.parseLong(seed);
    var random = new Random(number);
    String signs = "ab每💰é\u0301\u200D🇨👍🏽️한…\u0000";
    int[] points = signs.codePoints().toArray();
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        text.appendCodePoint(points[random.nextInt(points.length)]);
      }
      int room = random.nextInt(14);
      assertThat(Width.of(Width.cut(text.toString(), room, "…")))
          .as("seed %d, '%s' in %d", number, text, room)
          .isLessThanOrEqualTo(room);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001B[31mred",
        "a\nb",
        "a\rb",
        "bell\u0007",
        "\u202Egnp.exe",
        "\u061Cgnp.exe",
        "\u206Agnp.exe",
        "\u009B31m",
        "\uD800"
      })
  void no_control_character_reaches_the_terminal(String text) {
    assertThat(Width.plain(text).chars())
        .noneMatch(
            c -> c < ' ' || (c >= 0x7F && c < 0xA0) || c == 0x202E || c == 0x61C || c == 0x206A);
  }

  @Test
  void harmless_text_stays_as_it_is() {
    for (String text : new String[] {"plain", "每日对账 💰", "👩\u200D💻", "e\u0301"}) {
      assertThat(Width.plain(text)).isEqualTo(text);
    }
  }
}
