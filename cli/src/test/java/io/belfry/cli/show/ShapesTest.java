package io.belfry.cli.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class ShapesTest {
  private static final AnsiColors PLAIN = new AnsiColors(false);

  @Nested
  class A_table {
    private Table table() {
      var table = new Table(
          Column.key("ID"),
          Column.text("NAME", 8, 2),
          Column.key("STATE"),
          Column.number("TRIES", 3),
          Column.text("REMARK", 10, 1));
      table.add(
          Cell.of("nightly"),
          Cell.of("Nightly invoices"),
          Cell.word("succeeded"),
          Cell.of("1"),
          Cell.of(""));
      table.add(
          Cell.of("recon"),
          Cell.of("每日对账 💰"),
          Cell.word("failed"),
          Cell.of("12"),
          Cell.of("账户余额不一致, 差 5 元"));
      return table;
    }

    @Test
    void is_as_wide_as_it_needs_in_a_pipe() {
      assertThat(table().lines(0, PLAIN, "…"))
          .containsExactly(
              "ID       NAME              STATE      TRIES  REMARK",
              "nightly  Nightly invoices  succeeded      1",
              "recon    每日对账 💰       failed        12  账户余额不一致, 差 5 元");
    }

    @Test
    void cuts_long_texts_first() {
      assertThat(table().lines(60, PLAIN, "…"))
          .containsExactly(
              "ID       NAME             STATE      TRIES  REMARK",
              "nightly  Nightly invoic…  succeeded      1",
              "recon    每日对账 💰      failed        12  账户余额不一致,…");
    }

    @Test
    void then_leaves_the_least_important_columns_out() {
      assertThat(table().lines(40, PLAIN, "…"))
          .containsExactly(
              "ID       NAME      STATE      REMARK",
              "nightly  Nightly…  succeeded",
              "recon    每日对…   failed     账户余额…");
    }

    @ParameterizedTest
    @ValueSource(ints = {12, 18, 25, 33, 47, 59, 80})
    void never_wraps(int width) {
      assertThat(table().lines(width, PLAIN, "…"))
          .hasSize(3)
          .allMatch(line -> Width.of(line) <= width);
    }

    @Test
    void does_not_show_empty_columns() {
      var table = new Table(Column.key("ID"), Column.spare("LAST", 1));
      table.add(Cell.of("a"), Cell.of(""));
      assertThat(table.lines(0, PLAIN, "…")).containsExactly("ID", "a");
    }

    @Test
    void colors_words_and_keeps_them_aligned() {
      List<String> lines = table().lines(0, new AnsiColors(true), "…");
      assertThat(lines.get(1)).contains("\u001B[32msucceeded\u001B[0m");
      assertThat(lines.get(2)).contains("\u001B[31mfailed\u001B[0m        12");
    }

    @Test
    void refuses_rows_of_another_length() {
      assertThatThrownBy(() -> table().add(Cell.of("a"))).hasMessageContaining("5 cells");
    }
  }

  @Test
  void a_card_fits_too() {
    var card =
        new Card().add("id", "nightly").add("nothing", "").add("payload", "{\"text\":\"对账对账对账\"}");
    assertThat(card.lines(24, PLAIN, "…"))
        .containsExactly("id       nightly", "payload  {\"text\":\"对账…");
  }

  @Nested
  class A_time {
    private final Instant now = Instant.parse("2026-11-16T10:00:00Z");

    @ParameterizedTest
    @CsvSource({
      "2026-11-16T10:00:00.5Z, now",
      "2026-11-16T09:59:15Z, 45s ago",
      "2026-11-16T10:12:00Z, in 12m",
      "2026-11-15T11:00:00Z, 23h ago",
      "2026-11-15T09:00:00Z, 25h ago",
      "2026-11-10T10:00:00Z, 6d ago",
      "2026-01-10T10:00:00Z, 2026-01-10",
      "odd, odd"
    })
    void is_relative_to_now(String iso, String said) {
      var times = new TimeText(() -> now, TimeText.Style.RELATIVE, ZoneId.of("UTC"));
      assertThat(times.format(iso)).isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource({
      "2026-11-16T10:00:00.5Z, just now",
      "2026-11-16T09:59:59.5Z, just now",
      "2026-11-16T10:00:02Z, just now",
      "2026-11-16T10:01:00Z, just now",
      "2026-11-16T10:05:00Z, in 5m",
      "2026-11-16T09:59:59Z, 1s ago",
      "2026-11-16T09:59:15Z, 45s ago",
      "2026-01-10T10:00:00Z, 2026-01-10",
      "odd, odd"
    })
    void in_the_past_is_never_ahead_unless_a_clock_is_wrong(String iso, String said) {
      var times = new TimeText(() -> now, TimeText.Style.RELATIVE, ZoneId.of("UTC"));
      assertThat(times.formatPast(iso)).isEqualTo(said);
    }

    @Test
    void in_the_past_can_be_absolute() {
      var times = new TimeText(() -> now, TimeText.Style.UTC, ZoneId.of("UTC"));
      assertThat(times.formatPast("2026-11-16T10:00:00.5Z")).isEqualTo("2026-11-16 10:00:00Z");
    }

    @Test
    void can_be_absolute() {
      ZoneId zone = ZoneId.of("Asia/Shanghai");
      assertThat(new TimeText(() -> now, TimeText.Style.LOCAL, zone).format(now))
          .isEqualTo("2026-11-16 18:00:00");
      assertThat(new TimeText(() -> now, TimeText.Style.UTC, zone).format(now))
          .isEqualTo("2026-11-16 10:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
      "0, 0ms",
      "999, 999ms",
      "1250, 1.2s",
      "59999, 59.9s",
      "61000, 1m01s",
      "7380000, 2h03m"
    })
    void a_duration_is_short(long millis, String said) {
      assertThat(TimeText.duration(Duration.ofMillis(millis))).isEqualTo(said);
    }
  }

  @Test
  void a_document_contains_no_control_characters_and_means_the_same() {
    String seed = System.getProperty("belfry.seed", "");
    long number = seed.isEmpty() ? 43 : Long.parseLong(seed);
    var random = new Random(number);
    int[] points =
        "ab: #-'\"\\\t\r\n\u0000\u001B\u007F\u0080\u0085\u009B\u00A0\u061C\u200E\u2028\u2029\u202E\u2066\u206F\uFEFF每💰"
            .codePoints()
            .toArray();
    for (int i = 0; i < 5_000; i++) {
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        node.put(text(random, points), text(random, points));
      }
      node.putArray("list").add(text(random, points));
      String json = OutputFormat.JSON.document(node);
      assertThat(JsonMapper.shared().readTree(json))
          .as("seed %d: %s", number, json)
          .isEqualTo(node);
      assertThat(JsonMapper.shared().readTree(OutputFormat.line(node))).isEqualTo(node);
      assertThat(OutputFormat.line(node)).doesNotContain("\n");
      String yaml = OutputFormat.YAML.document(node) + "\n";
      Object read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
      JsonNode again = JsonMapper.shared().valueToTree(read);
      assertThat(again).as("seed %d: %s", number, yaml).isEqualTo(node);
      assertThat((json + yaml).codePoints().filter(c -> c != '\n').mapToObj(Integer::toString))
          .as("seed %d: %s", number, yaml)
          .noneMatch(c -> isObeyed(Integer.parseInt(c)));
    }
  }

  private static String text(Random random, int[] points) {
    var text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.appendCodePoint(points[random.nextInt(points.length)]);
    }
    return text.toString();
  }

  private static boolean isObeyed(int c) {
    return Character.getType(c) == Character.CONTROL
        || (c >= 0x2028 && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x206F)
        || c == 0x61C
        || c == 0x200E;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":\"true\",\"b\":\"123\",\"c\":\"0 30 2 * * *\",\"d\":\"null\",\"e\":\"\",\"f\":\"- x\",\"g\":\"a: b\"}",
        "{\"a\":\"1e3\",\"b\":\"0x1F\",\"c\":\"yes\",\"d\":\"~\",\"e\":\"*x\",\"f\":\"@daily\",\"g\":\"# no\",\"h\":\"1_000\"}",
        "{\"a\":1,\"b\":2.5,\"c\":true,\"d\":null,\"e\":[],\"f\":{},\"g\":[1,\"1\"],\"h\":\"2026-11-16\"}",
        "{\"a\":\"line\\nline\\n\",\"b\":\" x \",\"c\":\"每日 💰\",\"d\":\"it's \\\"q\\\"\",\"e\":\"12:30\",\"on\":\"off\"}"
      })
  void yaml_means_the_same_when_it_is_read_again(String json) {
    JsonNode node = JsonMapper.shared().readTree(json);
    String yaml = OutputFormat.YAML.document(node);
    Object read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    JsonNode again = JsonMapper.shared().valueToTree(read);
    assertThat(again).as(yaml).isEqualTo(node);
  }
}
