package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whatever a server answers, no command prints a character that a terminal obeys: text of targets, workers and other users passes
 * through the server to whoever looks at it.
 */
class TerminalSafetyTest {
  private static final String JOBS =
      "id: nightly-invoices\n---\nid: b\n---\nid: c\n---\nid: hourly-sync\n";
  private static final String TASKS = "- {executor: {type: local}}\n- {executor: {type: magic}}\n";
  private static final String ONE_JOB = "{\"items\":[{\"id\":\"cleanup\"}]}";
  private static final String OUTCOMES =
      "{\"results\":[{\"outcome\":\"accepted\",\"id\":\"a\"},{\"outcome\":\"refused\","
          + "\"error\":{\"code\":\"invalid\",\"message\":\"must be known\",\"field\":\"executor.type\"}}]}";
  private static final String LATE =
      "{\"id\":\"l\",\"state\":\"failed\",\"rejected\":[{\"number\":1,\"worker\":\"w\",\"said\":\"done\",\"message\":\"m\"}]}";

  /** A command, and what is typed into it. */
  record Case(String command, String typed) {
    String[] words(String... more) {
      var words = new ArrayList<>(List.of(command.split(" ", -1)));
      words.addAll(List.of(more));
      return words.toArray(String[]::new);
    }

    @Override
    public String toString() {
      return command;
    }
  }

  static Stream<Case> commands() {
    Stream<Case> plain = Stream.of(RequestsTest.jobs(), RequestsTest.tasks(), RequestsTest.others())
        .flatMap(each -> each)
        .map(RequestsTest.Case::command)
        .map(command -> command.endsWith("--wait") ? command + " --wait-limit 1s" : command)
        .map(command -> new Case(command, "typed\n"));
    Stream<Case> more = Stream.of(
        new Case("job apply -f -", JOBS),
        new Case("job apply --dry-run -f -", JOBS),
        new Case("job apply --prune --label team=billing --yes -f -", "id: a\n"),
        new Case("job delete missing cleanup", ""),
        new Case("job list --all", ""),
        new Case("task list --all", ""),
        new Case("task get late", ""),
        new Case("task logs -f followed", ""),
        new Case("task submit -f -", TASKS),
        new Case("cluster events -f --count 2", ""),
        new Case("calendar apply -f -", "name: working-days\n"));
    return Stream.concat(plain, more);
  }

  private static StandIn server() {
    String event = StandIn.hostile(JsonMapper.shared()
            .readTree("{\"attempt\":2,\"text\":\"logged\",\"task\":\"t\",\"state\":\"failed\"}"))
        .toString();
    // A line of an event stream ends at what ends lines; all else may stand in the name of an
    // event.
    String type = StandIn.CONTROLS.replace("\u0085", "").replace("\u2028", "");
    return new StandIn()
        .hostile()
        .on("GET jobs", 200, hostile(ONE_JOB))
        .on("GET tasks", 200, hostile(ONE_JOB))
        .on("GET tasks/late", 200, hostile(LATE))
        .on(
            "GET tasks/followed/logs",
            StandIn.events(
                StandIn.event("1", "log" + type, event), StandIn.event("end", "end", "{}")))
        .on(
            "GET events",
            StandIn.events(
                StandIn.event("1", "taskFailed" + type, event), StandIn.event("2", "x", event)));
  }

  private static String hostile(String json) {
    return StandIn.hostile(JsonMapper.shared().readTree(json)).toString();
  }

  private static void assertHarmless(String what, String printed) {
    String withoutColours = printed.replaceAll("\u001B\\[[0-9;]*m", "");
    assertThat(withoutColours
            .codePoints()
            .filter(TerminalSafetyTest::isObeyed)
            .mapToObj(Integer::toHexString))
        .as("%s printed %s", what, withoutColours)
        .isEmpty();
  }

  private static boolean isObeyed(int c) {
    return (c < ' ' && c != '\n')
        || (c >= 0x7F && c <= 0x9F)
        || c == 0x61C
        || c == 0x200E
        || c == 0x200F
        || (c >= 0x2028 && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x206F);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void no_answer_reaches_the_terminal_as_more_than_text(Case each) {
    for (String[] look :
        new String[][] {{}, {"--color", "always"}, {"-o", "json"}, {"-o", "yaml"}, {"--utc"}}) {
      try (var server = server()) {
        if (each.command().equals("task submit -f -")) {
          server.on("POST tasks", 200, hostile(OUTCOMES));
        }
        Ran ran = Terminal.at(server).wide(100).typing(each.typed()).run(each.words(look));
        assertThat(server.asked()).as("asked by %s", each).isNotEmpty();
        assertThat(ran.out() + ran.err()).isNotBlank();
        assertHarmless(each + " " + String.join(" ", look), ran.out());
        assertHarmless(each + " " + String.join(" ", look), ran.err());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void no_refusal_reaches_the_terminal_as_more_than_text(Case each) {
    String refusal =
        hostile("{\"code\":\"conflict\",\"message\":\"It is not so\",\"field\":\"trigger\"}");
    try (var server = server()) {
      server.refusing(409, refusal);
      Ran ran = Terminal.at(server).wide(100).typing(each.typed()).run(each.words());
      assertThat(ran.exit()).isEqualTo(1);
      assertHarmless(each.command(), ran.out());
      assertHarmless(each.command(), ran.err());
    }
  }

  /** A new command must be tested here, too. */
  @Test
  void every_command_is_among_them() {
    var writer = new PrintWriter(new StringWriter());
    CommandLine program = Terminal.nowhere().program(writer, "help");
    var all = new TreeSet<String>();
    leaves(program, "", all);
    // These ask no server.
    all.removeAll(List.of("cron next", "completion", "help"));
    assertThat(all)
        .hasSizeGreaterThan(30)
        .allSatisfy(command -> assertThat(commands().map(Case::command))
            .anyMatch(each -> (each + " ").startsWith(command + " ")));
  }

  private static void leaves(CommandLine line, String name, Set<String> all) {
    if (line.getSubcommands().isEmpty()) {
      all.add(name);
    }
    line.getSubcommands()
        .forEach((word, each) -> leaves(each, name.isEmpty() ? word : name + " " + word, all));
  }

  @Test
  void json_and_yaml_mean_what_the_server_sent() {
    try (var server = server()) {
      Ran json = Terminal.at(server).run("task", "get", "late", "-o", "json");
      JsonNode said = JsonMapper.shared().readTree(hostile(LATE));
      assertThat(JsonMapper.shared().readTree(json.out())).isEqualTo(said);
      assertThat(json.out()).contains("\\u009b2J").contains("\\u202egnp.exe");
      Ran event = Terminal.at(server).run("cluster", "events", "--count", "1", "-o", "json");
      assertThat(JsonMapper.shared()
              .readTree(event.out())
              .path("data")
              .path("text")
              .asString())
          .isEqualTo("logged" + StandIn.CONTROLS);
      Ran logged = Terminal.at(server).run("task", "logs", "-f", "followed", "-o", "json");
      assertThat(JsonMapper.shared().readTree(logged.out()).path("text").asString())
          .isEqualTo("logged" + StandIn.CONTROLS);
    }
  }

  @Test
  void a_command_that_is_shown_to_be_copied_runs_nothing_else() {
    String id = "n'; touch x; '$(touch x)`touch x`!x";
    String quoted = "'n'\\''; touch x; '\\''$(touch x)`touch x`!x'";
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.putArray("items").addObject().put("id", "a");
    answer.put("next", id);
    try (var server = new StandIn()
        .on(
            "POST jobs/a/trigger",
            201,
            JsonNodeFactory.instance.objectNode().put("id", id).toString())
        .on("GET jobs", 200, answer.toString())) {
      assertThat(Terminal.at(server).run("job", "trigger", "a").out())
          .endsWith("Follow its log with: belfry task logs -f " + quoted + "\n");
      assertThat(Terminal.at(server).run("job", "list").err())
          .endsWith("--cursor " + quoted + "\n");
    }
  }

  @Test
  void what_was_typed_is_shown_as_text_too() {
    Ran ran = Terminal.nowhere().run("cron", "next", "0 0 * \u009B2J *");
    assertThat(ran.exit()).isEqualTo(1);
    assertHarmless("cron next", ran.err());
    Ran unknown = Terminal.nowhere().run("job", "\u009B2J");
    assertHarmless("job", unknown.err());
  }

  @Test
  void a_raw_log_is_printed_unchanged_if_requested() {
    try (var server = server()) {
      Ran ran = Terminal.at(server).run("task", "logs", "-f", "followed", "--raw");
      assertThat(ran.out()).isEqualTo("logged" + StandIn.CONTROLS + "\n");
    }
  }
}
