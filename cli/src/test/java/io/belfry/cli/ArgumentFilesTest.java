package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file holds never becomes a part of the command. */
class ArgumentFilesTest {
  @TempDir
  Path folder;

  @Test
  void a_payload_from_a_file_is_sent_unchanged() throws IOException {
    Path file =
        Files.writeString(folder.resolve("order.json"), "{\"text\": \"two words\", \"n\": 1}");
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server)
          .run("task", "submit", "--handler", "h", "--key", "k", "--payload", "@" + file);
      assertThat(ran.err()).isEmpty();
      assertThat(ran.exit()).isZero();
      assertThat(server.asked().getLast().body())
          .contains("\"payload\":{\"text\":\"two words\",\"n\":1}");
    }
  }

  @Test
  void a_payload_from_a_file_cannot_change_the_server() throws IOException {
    try (var server = new StandIn();
        var thief = new StandIn()) {
      Path file = Files.writeString(folder.resolve("order.json"), "1 --url " + thief.url());
      Ran ran =
          Terminal.at(server).run("task", "submit", "--handler", "h", "--payload", "@" + file);
      assertThat(thief.asked()).isEmpty();
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).startsWith("belfry: --payload must be JSON");
    }
  }

  @Test
  void an_argument_that_begins_with_an_at_sign_is_not_expanded() throws IOException {
    Path file = Files.writeString(folder.resolve("daily"), "0 0 1 1 * --count 1000");
    Ran ran = Terminal.nowhere().run("cron", "next", "@" + file);
    assertThat(ran.exit()).isEqualTo(1);
    assertThat(ran.err()).contains("@" + file);
  }
}
