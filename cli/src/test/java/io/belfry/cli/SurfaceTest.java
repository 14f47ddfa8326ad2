package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import io.belfry.cli.show.Screen;
import io.belfry.cli.show.Width;
import io.belfry.cli.verb.VerbContext;
import io.belfry.model.time.Time;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.json.JsonMapper;

/** Pipes and terminals, colors, help, suggestions, exit codes. */
class SurfaceTest {
  private static final String ESCAPE = "\u001B[";

  @Test
  void colors_are_for_terminals_unless_configured_otherwise() {
    try (var server = new StandIn()) {
      String[] list = {"task", "list"};
      assertThat(Terminal.at(server).run(list).out()).doesNotContain(ESCAPE);
      assertThat(Terminal.at(server).wide(120).run(list).out()).contains(ESCAPE + "31mfailed");
      assertThat(Terminal.at(server).wide(120).with("NO_COLOR", "1").run(list).out())
          .doesNotContain(ESCAPE);
      assertThat(Terminal.at(server).wide(120).with("TERM", "dumb").run(list).out())
          .doesNotContain(ESCAPE);
      assertThat(Terminal.at(server).run("task", "list", "--color", "always").out())
          .contains(ESCAPE);
      assertThat(Terminal.at(server)
              .wide(120)
              .run("task", "list", "--color", "never")
              .out())
          .doesNotContain(ESCAPE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "job list, 80",
    "task list, 80",
    "task list, 50",
    "workers list, 40",
    "cluster status, 60",
    "audit, 60"
  })
  void tables_fit_the_terminal(String command, int columns) {
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).wide(columns).with("NO_COLOR", "1").run(command.split(" ", -1));
      assertThat(ran.out().lines()).isNotEmpty().allMatch(line -> Width.of(line) <= columns);
    }
  }

  @Test
  void json_is_what_the_server_answered() {
    String exact =
        "{\"items\":[{\"id\":\"a\",\"odd\":1.50,\"list\":[],\"nothing\":null}],\"next\":\"c\"}";
    try (var server = new StandIn().on("GET jobs", 200, exact)) {
      Ran ran = Terminal.at(server).wide(40).run("job", "list", "-o", "json");
      assertThat(JsonMapper.shared().readTree(ran.out()))
          .isEqualTo(JsonMapper.shared().readTree(exact));
      assertThat(ran.out()).contains("1.50").doesNotContain(ESCAPE);
      assertThat(ran.err()).isEmpty();
    }
  }

  @Test
  void all_pages_make_one_document() {
    var pages = new AtomicInteger();
    try (var server = new StandIn()
        .on(
            "GET jobs",
            exchange -> StandIn.send(
                exchange,
                200,
                pages.getAndIncrement() == 0
                    ? "{\"items\":[{\"id\":\"a\"}],\"next\":\"n\"}"
                    : "{\"items\":[{\"id\":\"b\"}]}"))) {
      Ran ran = Terminal.at(server).run("job", "list", "--all", "-o", "yaml");
      assertThat(ran.out()).isEqualTo("items:\n- id: a\n- id: b\n");
      assertThat(server.asked().getFirst().address()).endsWith("jobs?limit=1000");
    }
  }

  @Test
  void times_can_be_absolute() {
    try (var server = new StandIn()) {
      assertThat(Terminal.at(server).run("job", "list", "--utc").out())
          .contains("2026-11-17 01:30:00Z");
      assertThat(Terminal.at(server).run("job", "list", "--absolute").out())
          .contains("2026-11-17 01:30:00");
    }
  }

  @Test
  void a_server_cannot_control_the_terminal() {
    String nasty = "{\"items\":[{\"id\":\"\\u001b[2Jx\",\"name\":\"a\\r\\nb\",\"enabled\":true}]}";
    try (var server = new StandIn().on("GET jobs", 200, nasty)) {
      Ran ran = Terminal.at(server).run("job", "list");
      assertThat(ran.out()).doesNotContain("\u001B").doesNotContain("\r");
      assertThat(ran.out().lines()).hasSize(2);
    }
  }

  @Test
  void a_screen_without_unicode_gets_ascii_marks() {
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).wide(80).ascii().with("NO_COLOR", "1").run("task", "list");
      assertThat(ran.out()).contains("~").doesNotContain("…");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jbo, job",
    "taks, task",
    "job aply, apply",
    "job list --enabeld, --enabled",
    "task list --sate failed, --state"
  })
  void typos_get_suggestions(String command, String meant) {
    Ran ran = Terminal.nowhere().run(command.split(" ", -1));
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err()).startsWith("belfry: ").contains("Usage: belfry").contains(meant);
    assertThat(ran.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job",
        "cluster strategy",
        "task submit",
        "job list --limit 0",
        "job list --all --limit 5",
        "job list --output xml",
        "job trigger a --at noon",
        "job trigger a --payload {",
        "task submit --handler x --in",
        "workers capacity w many",
        "token create x --role king",
        "cluster events -f --for 3s",
        "secret put x",
        "secret put x --file -",
        "task list --state odd",
        "job list --enabled --disabled",
        "task submit -f x --handler y",
        "job restore a b"
      })
  void misuse_is_exit_code_2_and_calls_no_server(String command) {
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run(command.split(" ", -1));
      assertThat(ran.exit()).isEqualTo(2);
      assertThat(ran.err()).startsWith("belfry: ").contains("Usage: belfry");
      assertThat(server.asked()).isEmpty();
    }
  }

  @Test
  void several_jobs_are_taken_one_by_one() {
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "delete", "missing", "cleanup");
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.out()).isEqualTo("Job cleanup is deleted.\n");
      assertThat(ran.err()).isEqualTo("belfry: missing: There is no job \"missing\" here.\n");
    }
  }

  @Test
  void help_is_found_in_every_way() {
    String direct = Terminal.nowhere().run("job", "apply", "--help").out();
    assertThat(direct).contains("--dry-run").contains("Examples:");
    assertThat(Terminal.nowhere().run("help", "job", "apply").out()).isEqualTo(direct);
    assertThat(Terminal.nowhere().run("help").out())
        .isEqualTo(Terminal.nowhere().run("--help").out());
    assertThat(Terminal.nowhere().run("help", "job", "aply").exit()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh"})
  void completion_knows_all_verbs(String shell) {
    Ran ran = Terminal.nowhere().run("completion", shell);
    assertThat(ran.exit()).isZero();
    assertThat(ran.out())
        .contains("_complete_belfry")
        .contains("job task workers cluster")
        .contains("--dry-run")
        .contains("login-link");
  }

  @Command(name = "server", description = "Runs.")
  static final class Other implements Runnable {
    static int runs;

    @Override
    public void run() {
      runs++;
    }
  }

  @Test
  void other_modules_can_add_verbs_which_are_created_only_when_needed() {
    var made = new AtomicInteger();
    var more = List.of(new PluggedVerb("server", "Runs a node.", () -> {
      made.incrementAndGet();
      return new CommandLine(new Other());
    }));
    var context = new VerbContext(
        Time.system(),
        ZoneOffset.UTC,
        Map.of(),
        Path.of("nowhere"),
        InputStream.nullInputStream(),
        Screen.none(),
        new Random(7),
        wait -> {});
    var out = new StringWriter();
    var writer = new PrintWriter(out, true);
    assertThat(Main.commandLine(context, more, writer, writer, "--help").execute("--help"))
        .isZero();
    assertThat(out.toString()).contains("server      Runs a node.").contains("job ");
    assertThat(made).hasValue(0);
    assertThat(Main.commandLine(context, more, writer, writer, "server").execute("server"))
        .isZero();
    assertThat(made).hasValue(1);
    assertThat(Other.runs).isEqualTo(1);
  }
}
