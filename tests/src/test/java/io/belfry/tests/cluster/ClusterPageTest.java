package io.belfry.tests.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.belfry.server.verb.ServerVerbs;
import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page about clusters names flags and settings that there are. */
class ClusterPageTest {
  private static final Map<String, CommandLine> VERBS = Map.of(
      "server", ServerVerbs.server(Map.of()),
      "scheduler", ServerVerbs.scheduler(Map.of()),
      "worker", ServerVerbs.worker(Map.of()),
      "config", ServerVerbs.config(Map.of()));

  @Test
  void every_command_that_runs_a_node_is_understood() throws IOException {
    List<List<String>> commands = Files.readString(Root.FOLDER.resolve("docs/cluster.md"))
        .replace("\\\n", " ")
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("./belfry "))
        .map(line -> Arrays.asList(line.split("\\s+")))
        .filter(words -> VERBS.containsKey(words.get(1)))
        .toList();
    assertThat(commands).hasSizeGreaterThan(10);
    for (List<String> words : commands) {
      CommandLine verb = requireNonNull(VERBS.get(words.get(1)));
      String[] flags = words.subList(2, words.size()).toArray(String[]::new);
      assertThatCode(() -> verb.parseArgs(flags))
          .as(String.join(" ", words))
          .doesNotThrowAnyException();
      CommandLine shown =
          ServerVerbs.config(Map.of()).setOut(new java.io.PrintWriter(java.io.Writer.nullWriter()));
      assertThat(words.get(1).equals("config") ? 0 : shown.execute(show(flags)))
          .as("settings of " + String.join(" ", words))
          .isZero();
    }
  }

  private static String[] show(String[] flags) {
    String[] all = new String[flags.length + 1];
    all[0] = "show";
    System.arraycopy(flags, 0, all, 1, flags.length);
    return all;
  }
}
