package io.belfry.tests.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.testkit.Root;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/cli.md shows what a real server answers: its commands are run in their order against one, and what they print has the shape that is
 * shown. With the system property {@code belfry.docs} set to {@code write}, the page is brought up to date instead of being judged.
 */
@SuppressWarnings("NullAway.Init") // JUnit sets the field
class CliPageTest {
  private static final Path PAGE = Root.FOLDER.resolve("docs/cli.md");
  private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final String COMMAND = "$ belfry ";
  private static final boolean WRITE = System.getProperty("belfry.docs", "").equals("write");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final String RECONCILE = """
      id: daily-reconcile
      name: 每日对账 💰
      trigger: { cron: "0 0 6 * * *", zone: Asia/Shanghai }
      executor: { type: local, handler: reconcile }
      payload: { ledger: main }
      retry: { max: 1, delay: 100ms }
      """;

  /** What is there before the page begins. */
  private static final String BEFORE = RECONCILE + """
      ---
      id: nightly-invoices
      name: Nightly invoices
      description: one invoice run per night
      trigger: { cron: "0 30 2 * * *", zone: Europe/Berlin }
      executor: { type: http, method: POST, url: "https://billing.example.org/run" }
      payload: { region: eu }
      timeout: 5m
      metadata: { team: billing }
      ---
      id: cleanup
      enabled: false
      trigger: { every: 1h }
      executor: { type: script, interpreter: bash, script: "rm -f /tmp/report-*" }
      """;

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
      %s---
      id: weekly-report
      trigger: { cron: "0 0 8 * * MON", zone: Europe/Berlin }
      executor: { type: local, handler: report }
      ---
      id: hourly-sync
      trigger: { cron: "0 61 * * * *" }
      executor: { type: local, handler: sync }
      """.formatted(RECONCILE);

  private static final String CALENDAR = """
      name: working-days
      zone: Europe/Berlin
      otherwise: exclude
      rules:
        - { include: { weekdays: [monday, tuesday, wednesday, thursday, friday] } }
        - { exclude: { dates: [2026-12-24, 2026-12-25] } }
      """;

  @TempDir
  Path folder;

  private final PageShape ids = new PageShape();

  @Test
  void the_page_shows_what_a_server_answers() throws IOException {
    Files.writeString(folder.resolve("before.yaml"), BEFORE);
    Files.writeString(folder.resolve("jobs.yaml"), JOBS);
    Files.writeString(folder.resolve("working-days.yaml"), CALENDAR);
    Files.writeString(folder.resolve("password.txt"), "hunter2\n");
    String page = Files.readString(PAGE);
    try (var installation = new Installation(folder)) {
      await("it leads, and saves jobs").atMost(LIMIT).until(() -> {
        var saved =
            installation.run("job", "apply", "-f", folder.resolve("before.yaml").toString());
        return saved.exit() == 0;
      });
      await("both workers are there")
          .atMost(LIMIT)
          .until(() -> installation.run("workers", "list").out().lines().count() == 3);
      String real = BLOCK
          .matcher(page)
          .replaceAll(block -> Matcher.quoteReplacement(
              "```console\n" + conversation(installation, block.group(1)) + "```\n"));
      if (WRITE) {
        Files.writeString(PAGE, real);
      }
    }
  }

  /** The commands of a block, each with what it printed. */
  private String conversation(Installation installation, String block) {
    var text = new StringBuilder();
    List<String> lines = block.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith(COMMAND)) {
        continue;
      }
      var shown = new StringBuilder();
      for (int j = i + 1; j < lines.size() && !lines.get(j).startsWith(COMMAND); j++) {
        shown.append(lines.get(j)).append('\n');
      }
      String typed = ids.typed(lines.get(i));
      String printed = tidy(run(installation, typed.substring(COMMAND.length())).all());
      ids.learn(shown.toString(), printed);
      if (!WRITE) {
        assertThat(PageShape.of(printed))
            .as(
                "what '%s' prints; to write the page anew: mvn -pl tests -am test -Dtest=CliPageTest -Dbelfry.docs=write",
                typed)
            .isEqualTo(PageShape.of(shown.toString()));
      }
      text.append(typed).append('\n').append(printed);
    }
    return text.toString();
  }

  /** What is secret, and what is where on this machine, does not belong on a page. */
  private String tidy(String printed) {
    return printed
        .replace(folder + "/", "")
        .replaceAll("bft_[\\w-]{43}", "bft_Zm9yLXRoZS1kb2NzLWFuZC1ub2JvZHktZWxzZQ-abcd")
        .replaceAll("(?<=code=)[\\w.-]{43,}", "Zm9yLXRoZS1kb2NzLWFuZC1ub2JvZHktZWxzZQ-abcd")
        .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:8080")
        .replaceAll("(?m)[ \\t]+$", "");
  }

  private Installation.Ran run(Installation installation, String command) {
    // The list of tasks is in the order in which they ended, so that each has to end before the
    // next begins.
    if (command.startsWith("job trigger weekly-report")) {
      awaitEnd(installation, "daily-reconcile");
    }
    if (command.startsWith("task submit --id invoice-7")) {
      awaitEnd(installation, "weekly-report");
    }
    if (command.startsWith("workers list")) {
      await("what was done again has ended")
          .atMost(LIMIT)
          .until(() -> !installation.run("workers", "list").out().contains("busy"));
    }
    return command.startsWith("cluster events")
        ? whileTasksRun(installation, words(command))
        : installation.run(words(command));
  }

  private static void awaitEnd(Installation installation, String job) {
    await("the tasks of " + job + " have ended").atMost(LIMIT).untilAsserted(() -> {
      String tasks =
          installation.run("task", "list", "--job", job, "--output", "json").out();
      assertThat(tasks)
          .contains("\"ended\"")
          .doesNotContainPattern("\"(pending|running|assigned|retrying)\"");
    });
  }

  /** Something happens while somebody listens. */
  private static Installation.Ran whileTasksRun(Installation installation, String[] command) {
    var listening = new AtomicBoolean(true);
    Thread busy = Thread.startVirtualThread(() -> {
      while (listening.get()) {
        installation.run("task", "submit", "--handler", "report", "--wait");
      }
    });
    try {
      return installation.run(command);
    } finally {
      listening.set(false);
      assertThat(join(busy)).as("the last task has ended").isTrue();
    }
  }

  private static boolean join(Thread busy) {
    try {
      return busy.join(LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
}
