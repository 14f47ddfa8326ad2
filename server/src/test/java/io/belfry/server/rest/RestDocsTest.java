package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/rest.md shows what a server really answers: its commands are run by bash, in order, against a server. {@code …} stands for what
 * is different every time. With the system property {@code belfry.docs} set to {@code write}, the page is brought up to date instead.
 */
class RestDocsTest {
  private static final Path PAGE = Path.of("..", "docs", "rest.md");
  private static final String MARK = "@@@ next";
  private static final Pattern VOLATILE = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z"
      + "|bft_[\\w-]{43}|(?<=\"id\":\")[0-9a-f]{16}(?=\")|\\([0-9a-f]{16}\\)|http://127.0.0.1:\\d+"
      + "|(?<=\"(?:worker|node|token|version|next)\":\")[^\"]+|(?<=\"message\":\"200 )[^\"]*"
      + "|(?<=id: )\\S+");
  /** Instants that the page itself names are the same every time. */
  private static final Pattern NAMED = Pattern.compile("20(27|30)-[0-9-]+T00:00:00Z");

  /** A command, and what the page says it prints; those in comments print nothing that anybody sees. */
  private record Step(String command, int first, int end) {}

  @Test
  void the_page_shows_what_the_server_answers(@TempDir Path own) throws Exception {
    requireTools(own);
    List<String> page = Files.readAllLines(PAGE);
    List<Step> steps = steps(page);
    assertThat(steps).as("commands on the page").hasSizeGreaterThan(40);
    List<String> printed;
    try (var target = new Target();
        var server = new RunningServer(own.resolve("data"))) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      printed = run(own, steps, server, target);
    }
    assertThat(printed).as("answers").hasSize(steps.size());
    if (System.getProperty("belfry.docs", "").equals("write")) {
      Files.write(PAGE, rewritten(page, steps, printed));
      return;
    }
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      String shown = String.join("\n", page.subList(step.first, step.end));
      assertThat(printed.get(i).strip())
          .as("what this prints: " + step.command)
          .matches(pattern(shown.strip()));
    }
  }

  @Test
  void the_page_names_every_code_of_a_refusal_with_its_status() throws IOException {
    String page = Files.readString(PAGE);
    for (Problem.Code code : Problem.Code.values()) {
      assertThat(page).contains("| `" + code.word + "` | " + code.status);
    }
  }

  private static void requireTools(Path own) throws Exception {
    for (String tool : List.of("bash", "curl", "grep", "sed")) {
      Process found = start(own, "command -v " + tool, List.of());
      assertThat(found.waitFor())
          .as("this test runs the commands of docs/rest.md, and needs " + tool
              + ": install it (apt-get install curl grep sed, or what your system has for that)")
          .isZero();
    }
  }

  private static Process start(Path own, String script, List<String> environment)
      throws IOException {
    var builder = new ProcessBuilder("bash", "-c", script).directory(own.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    for (String pair : environment) {
      int equals = pair.indexOf('=');
      builder.environment().put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return builder
        .redirectError(own.resolve("errors").toFile())
        .redirectOutput(own.resolve("output").toFile())
        .start();
  }

  private static List<Step> steps(List<String> page) {
    var steps = new ArrayList<Step>();
    boolean inside = false;
    for (int i = 0; i < page.size(); i++) {
      String line = page.get(i);
      if (line.startsWith("```")) {
        inside = line.equals("```console");
      } else if (line.startsWith("<!-- $ ")) {
        steps.add(new Step(line.substring(7, line.length() - 4), i, i));
      } else if (inside && line.startsWith("$ ")) {
        int end = i + 1;
        var command = new StringBuilder(line.substring(2));
        while (isOpen(command)) {
          command.append('\n').append(page.get(end));
          end++;
        }
        int first = end;
        while (!page.get(end).startsWith("$ ") && !page.get(end).startsWith("```")) {
          end++;
        }
        steps.add(new Step(command.toString(), first, end));
        i = end - 1;
      }
    }
    return steps;
  }

  /** Whether a quote is still open: then the command goes on in the next line. */
  private static boolean isOpen(CharSequence command) {
    return command.chars().filter(c -> c == '\'').count() % 2 == 1;
  }

  private static List<String> run(Path own, List<Step> steps, RunningServer server, Target target)
      throws Exception {
    String script = steps.stream()
        .map(step -> step.command + "\necho; echo '" + MARK + "'\n")
        .collect(Collectors.joining("", "", "kill $(jobs -p) 2> /dev/null\n"));
    Process bash = start(
        own,
        script,
        List.of("URL=" + server.address(), "TOKEN=" + server.admin(), "SERVICE=" + target.url("")));
    try {
      assertThat(bash.waitFor(120, TimeUnit.SECONDS)).as("the commands end").isTrue();
    } finally {
      bash.descendants().forEach(ProcessHandle::destroyForcibly);
      bash.destroyForcibly();
    }
    assertThat(Files.readString(own.resolve("errors")))
        .as("what curl complained of")
        .isEmpty();
    String output = Files.readString(own.resolve("output"));
    List<String> parts = new ArrayList<>(List.of(output.split(MARK + "\n", -1)));
    parts.removeLast();
    return parts;
  }

  private static String pattern(String shown) {
    return Pattern.compile("…")
        .splitAsStream(shown)
        .map(Pattern::quote)
        .collect(Collectors.joining("[^\\n]*?", "(?s)", shown.endsWith("…") ? "[^\\n]*" : ""));
  }

  private static List<String> rewritten(List<String> page, List<Step> steps, List<String> printed) {
    var lines = new ArrayList<String>();
    int at = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      lines.addAll(page.subList(at, step.first));
      String text = VOLATILE
          .matcher(printed.get(i).strip())
          .replaceAll(found -> NAMED.matcher(found.group()).matches() ? found.group() : "…");
      if (!text.isEmpty() && !isHidden(page, step)) {
        lines.addAll(text.lines().toList());
      }
      at = step.end;
    }
    lines.addAll(page.subList(at, page.size()));
    return lines;
  }

  private static boolean isHidden(List<String> page, Step step) {
    return page.get(step.first).startsWith("<!--");
  }
}
