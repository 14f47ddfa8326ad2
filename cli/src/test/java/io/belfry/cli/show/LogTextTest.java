package io.belfry.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTextTest {
  private static String shown(String text) {
    return new LogText().show(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain, with\ttabs\nand lines\n",
        "\u001B[31mred\u001B[0m and \u001B[38;5;200mpink\u001B[m",
        "汉字 émoji 🎉"
      })
  void text_and_colors_stay(String text) {
    assertThat(shown(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u001B[2Jb", // clears the screen
        "a\u001B[1;1Hb", // moves the cursor
        "a\u001B[6nb", // makes the terminal type an answer
        "a\u001B]0;title\u0007b",
        "a\u001B]52;c;ZXZpbA==\u001B\\b", // writes to the clipboard
        "a\u001B]8;;http://evil.example/\u001B\\b", // a link
        "a\u001BPq#0;2;0;0;0\u001B\\b",
        "a\u001B_G a=T\u001B\\b",
        "a\u001Bcb", // resets the terminal
        "a\u001B[?1049hb",
        "a\u001B[31;1;Hb",
        "a\u009Bb", // begins a sequence in one character
        "a\u0008\u0007\u0000\u007Fb",
        "a\u202Eb" // writes backwards
      })
  void control_sequences_are_removed(String text) {
    assertThat(shown(text)).isEqualTo("ab");
  }

  @Test
  void a_line_is_never_written_over() {
    assertThat(shown("rm -rf /\rls      \r\nnext\r")).isEqualTo("rm -rf /\nls      \nnext\n");
  }

  @Test
  void a_sequence_may_end_in_another_piece() {
    var text = new LogText();
    assertThat(text.show("a\u001B")
            + text.show("[3")
            + text.show("1mb\u001B]0;ti")
            + text.show("tle\u001B")
            + text.show("\\c\r")
            + text.show("\nd"))
        .isEqualTo("a\u001B[31mbc\nd");
    assertThat(text.end()).isEqualTo("\u001B[0m");
  }

  @Test
  void nothing_is_added_to_a_log_without_colors() {
    var text = new LogText();
    assertThat(text.show("plain")).isEqualTo("plain");
    assertThat(text.end()).isEmpty();
  }

  @Test
  void any_input_yields_only_color_sequences() {
    var random = new Random(7);
    String letters = "\u001B[]PX^_;:?0123mHJ\u0007\\\r\n\u009B\u0090ab ";
    for (int round = 0; round < 20_000; round++) {
      var text = new StringBuilder();
      random.ints(12, 0, letters.length()).forEach(at -> text.append(letters.charAt(at)));
      assertThat(shown(text.toString()).replaceAll("\u001B\\[[0-9;:]*m", ""))
          .doesNotContain("\u001B")
          .doesNotContain("\u009B")
          .doesNotContain("\u0090");
    }
  }
}
