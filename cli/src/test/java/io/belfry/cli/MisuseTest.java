package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Usage errors are in plain words, and values are sent as they were written. */
class MisuseTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nope | Unknown command 'nope' for 'belfry'.",
        "job nope | Unknown command 'nope' for 'belfry job'.",
        "job get a b | Unexpected argument 'b' for 'belfry job get'.",
        "job list --limit x | --limit must be a whole number, but was 'x'.",
        "job restore a x | GENERATION must be a whole number, but was 'x'.",
        "workers capacity w 1.5 | N must be a whole number, but was '1.5'.",
        "token create x --role boss | --role must be one of viewer, operator, developer, admin, but was 'boss'.",
        "task priority t wrong | PRIORITY must be one of low, normal, high, urgent, but was 'wrong'.",
        "task list --state done | --state must be one of pending, retrying, assigned, running, succeeded, failed, cancelled, skipped, but was 'done'.",
        "job list --nope | Unknown option: '--nope'"
      })
  void is_reported_in_plain_words(String command, String said) {
    Terminal.Ran ran = Terminal.nowhere().run(command.split(" ", -1));
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err()).startsWith("belfry: " + said + "\n").contains("Usage: belfry");
  }

  private static Terminal.Ran submit(StandIn server, String payload) {
    return Terminal.at(server).run("task", "submit", "--handler", "h", "--payload", payload);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1E+999", "1.50", "0.10000000000000000000000000001"})
  void a_number_of_a_payload_is_sent_as_it_was_written(String number) {
    try (var server = new StandIn()) {
      assertThat(submit(server, number).exit()).isZero();
      assertThat(server.asked().getLast().body()).contains("\"payload\":" + number);
    }
  }

  @Test
  void a_payload_that_is_no_json_is_refused_without_the_parsers_own_affairs() {
    try (var server = new StandIn()) {
      for (String payload :
          new String[] {"{", "1e9999999999", "1 2", "{\"a\":1,\"a\":2}", "text"}) {
        Terminal.Ran ran = submit(server, payload);
        assertThat(ran.exit()).as(payload).isEqualTo(2);
        assertThat(ran.err())
            .startsWith("belfry: --payload must be JSON, but ")
            .doesNotContain("REDACTED")
            .doesNotContain("Source:");
      }
      assertThat(server.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999", ".inf", "-.inf", ".nan"})
  void a_number_of_a_file_that_json_cannot_hold_is_refused(String number, @TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(
        folder.resolve("job.yaml"),
        "id: a\nexecutor: {type: local, handler: h}\npayload: {n: " + number + "}\n");
    try (var server = new StandIn()) {
      Terminal.Ran ran = Terminal.at(server).run("job", "apply", "-f", file.toString());
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err()).contains("has a number that JSON cannot hold");
      assertThat(server.asked()).noneMatch(each -> each.method().equals("PUT"));
    }
  }
}
