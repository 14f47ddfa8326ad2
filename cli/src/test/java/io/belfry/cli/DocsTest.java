package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/cli.md shows what the program really prints: each command in it is run against the stand-in. With the system property
 * {@code belfry.docs} set to {@code write}, the page is brought up to date instead of being judged.
 */
class DocsTest {
  private static final Path PAGE = Path.of("..", "docs", "cli.md");
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String JOBS = """
      id: nightly-invoices
      name: Nightly invoices
      description: one invoice run per night
      trigger: { cron: "0 0 3 * * *", zone: Europe/Berlin }
      executor: { type: http, method: POST, url: "https://billing.example.org/run" }
      payload: { region: eu }
      timeout: 10m
      metadata: { team: billing }
      ---
      id: daily-reconcile
      executor: { type: local, handler: reconcile }
      ---
      id: weekly-report
      executor: { type: local, handler: report }
      ---
      id: hourly-sync
      trigger: { cron: "0 61 * * * *" }
      executor: { type: local, handler: sync }
      """;

  @TempDir
  Path folder;

  @Test
  void the_page_shows_what_the_program_prints() throws IOException {
    Files.writeString(folder.resolve("jobs.yaml"), JOBS);
    Files.writeString(folder.resolve("working-days.yaml"), "name: working-days\n");
    Files.writeString(folder.resolve("password.txt"), "hunter2\n");
    String page = Files.readString(PAGE);
    try (var server = server()) {
      String real = BLOCK
          .matcher(page)
          .replaceAll(block ->
              Matcher.quoteReplacement("```console\n" + run(server, block.group(1)) + "```\n"));
      if (System.getProperty("belfry.docs", "").equals("write")) {
        Files.writeString(PAGE, real);
      } else {
        assertThat(page).isEqualTo(real);
      }
    }
  }

  private static StandIn server() {
    return new StandIn()
        .on(
            "GET events",
            StandIn.events(
                StandIn.event(
                    "node-a-71",
                    "taskCompleted",
                    "{\"type\":\"taskCompleted\",\"task\":\"nightly-invoices@2026-11-16T01:30:00Z\",\"state\":\"succeeded\",\"job\":\"nightly-invoices\",\"worker\":\"worker-2\",\"attempts\":2}"),
                StandIn.event(
                    "node-a-72",
                    "workerLeft",
                    "{\"type\":\"workerLeft\",\"worker\":\"worker-2\"}")));
  }

  private String run(StandIn server, String block) {
    var text = new StringBuilder();
    for (String line : block.split("\n", -1)) {
      if (line.startsWith("$ belfry ")) {
        Terminal.Ran ran = Terminal.at(server).run(words(line.substring("$ belfry ".length())));
        text.append(line).append('\n');
        text.append((ran.out() + ran.err()).replace(folder + "/", ""));
      }
    }
    return text.toString();
  }

  /** As a shell would take them apart; files lie in the test's own folder. */
  private String[] words(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) {
      String plain = word.group(1) != null ? word.group(1) : word.group(2);
      words.add(Files.exists(folder.resolve(plain)) ? folder.resolve(plain).toString() : plain);
    }
    return words.toArray(String[]::new);
  }

  @Test
  void the_page_names_every_verb() throws IOException {
    String page = Files.readString(PAGE);
    var help = Terminal.nowhere();
    for (String group :
        List.of("job", "task", "workers", "cluster", "calendar", "namespace", "token", "secret")) {
      String usage = help.run("help", group).out();
      String verbs = usage.substring(usage.indexOf("Commands:"));
      Matcher verb = Pattern.compile("(?m)^  ([a-z-]+)  ").matcher(verbs);
      while (verb.find()) {
        assertThat(page).contains("belfry " + group + " " + verb.group(1));
      }
    }
  }
}
