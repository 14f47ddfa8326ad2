package io.belfry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.cli.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JobApplyTest {
  private static final String FOUR = """
      id: nightly-invoices
      trigger: { cron: "0 0 3 * * *", zone: Europe/Berlin }
      executor: { type: http, method: POST, url: "https://billing.example.org/run" }
      timeout: 300s
      retry: { max: 5 }
      ---
      id: daily-reconcile
      executor: { type: local, handler: reconcile }
      ---
      id: weekly-report
      executor: { type: local, handler: report }
      ---
      id: hourly-sync
      executor: { type: local, handler: sync }
      """;

  @TempDir
  Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static JsonNode body(StandIn.Asked asked) {
    return JsonMapper.shared().readTree(asked.body());
  }

  @Test
  void each_outcome_is_printed_and_a_refusal_is_exit_code_1() throws IOException {
    Path file = file("jobs.yaml", FOUR);
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "apply", "-f", file.toString());
      assertThat(ran.out()).isEqualTo("""
              changed    nightly-invoices
              unchanged  daily-reconcile
              created    weekly-report
              1 created, 1 changed, 1 unchanged, 1 refused.
              """);
      assertThat(ran.err())
          .isEqualTo(
              "belfry: " + file
                  + ", document 4, job hourly-sync, trigger.cron: minute must be 0 to 59, but was 61. Correct it.\n");
      assertThat(ran.exit()).isEqualTo(1);
      JsonNode sent = body(server.asked().getFirst());
      assertThat(sent.path("action").asString()).isEqualTo("apply");
      assertThat(sent.path("jobs").size()).isEqualTo(4);
      assertThat(sent.has("dryRun")).isFalse();
      assertThat(sent.path("jobs").get(0).path("retry").path("max").asInt()).isEqualTo(5);
    }
  }

  @Test
  void a_dry_run_shows_what_would_change_also_by_what_is_left_out() throws IOException {
    Path file = file("jobs.yaml", FOUR);
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "apply", "-f", file.toString(), "--dry-run");
      assertThat(ran.out()).isEqualTo("""
              changed    nightly-invoices
                         name: Nightly invoices → nightly-invoices
                         description: one invoice run per night → (none)
                         trigger.cron: 0 30 2 * * * → 0 0 3 * * *
                         payload: {"region":"eu"} → (none)
                         retry.max: 3 → 5
                         metadata: {"team":"billing"} → (none)
              unchanged  daily-reconcile
              created    weekly-report
              Dry run, nothing was saved: 1 created, 1 changed, 1 unchanged, 1 refused.
              """);
      assertThat(body(server.asked().getFirst()).path("dryRun").asBoolean()).isTrue();
    }
  }

  @Test
  void json_lists_our_own_listings_and_folders_are_understood() throws IOException {
    file("a.json", "[{\"id\":\"a\"},{\"id\":\"b\"}]");
    file("b.yml", "items:\n  - id: c\n");
    file("notes.txt", "not for us");
    Files.createDirectory(folder.resolve("below"));
    file("below/c.yaml", "x: &x {type: local}\nid: d\nexecutor: *x\n---\n");
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "apply", "-f", folder.toString());
      JsonNode sent = body(server.asked().getFirst()).path("jobs");
      assertThat(sent.values().stream().map(job -> job.path("id").asString()))
          .containsExactly("a", "b", "c", "d");
      assertThat(sent.get(3).path("executor").path("type").asString()).isEqualTo("local");
      assertThat(ran.err()).contains("c.yaml").doesNotContainIgnoringCase("unexpected");
    }
  }

  @Test
  void standard_input_is_a_file_too_and_the_answer_can_be_json() {
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).typing(FOUR).run("job", "apply", "-f", "-", "-o", "json");
      JsonNode answer = JsonMapper.shared().readTree(ran.out());
      assertThat(answer.path("results").size()).isEqualTo(4);
      assertThat(ran.err()).contains("standard input, document 4");
    }
  }

  @Test
  void unreadable_files_are_reported_and_the_rest_is_applied() throws IOException {
    file("a.yaml", "id: a\nexecutor: [unclosed\n");
    file("b.json", "{\"id\": \"b\", \"id\": \"c\"}");
    file("c.yaml", "just a text\n---\nid: d\n---\nid: d\n");
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "apply", "-f", folder.toString());
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err())
          .contains("a.yaml: ")
          .contains("b.json: Duplicate")
          .contains("c.yaml, document 1: a job must be a map of fields, but this is string.")
          .contains("c.yaml, document 3, job d, id: the same id is used in "
              + folder.resolve("c.yaml") + ", document 2");
      assertThat(body(server.asked().getFirst()).path("jobs").size()).isEqualTo(1);
    }
  }

  @Test
  void a_link_that_leads_out_of_a_folder_is_neither_sent_nor_shown() throws IOException {
    Path jobs = Files.createDirectory(folder.resolve("jobs"));
    Path secret = file("credentials", "user: me\npassword: [hunter2\n");
    Path good = file("elsewhere.yaml", "id: elsewhere\n");
    Files.createSymbolicLink(jobs.resolve("a.yaml"), Path.of("..", "credentials"));
    Files.createSymbolicLink(jobs.resolve("b.yaml"), good);
    // As Kubernetes mounts a ConfigMap.
    Path version = Files.createDirectory(jobs.resolve("..v1"));
    Files.writeString(version.resolve("c"), "id: c\n");
    Files.createSymbolicLink(jobs.resolve("c.yaml"), Path.of("..v1", "c"));
    Files.createSymbolicLink(jobs.resolve("d.yaml"), Path.of("nowhere"));
    try (var server = new StandIn()) {
      Ran ran = Terminal.at(server).run("job", "apply", "-f", jobs.toString());
      assertThat(ran.exit()).isEqualTo(1);
      assertThat(ran.err())
          .contains(jobs.resolve("a.yaml") + ": it is a link to a file outside of " + jobs)
          .contains(jobs.resolve("b.yaml") + ": it is a link to a file outside of " + jobs)
          .doesNotContain("hunter2");
      JsonNode sent = body(server.asked().getFirst()).path("jobs");
      assertThat(sent.values().stream().map(job -> job.path("id").asString())).containsExactly("c");
      Path named = jobs.resolve("b.yaml");
      Terminal.at(server).run("job", "apply", "-f", named.toString());
      assertThat(server.asked().getLast().body()).contains("elsewhere");
      assertThat(secret).exists();
    }
  }

  @Test
  void many_go_in_batches_under_a_bar() throws IOException {
    String many = IntStream.range(0, 1200)
        .mapToObj(i -> "{\"id\":\"job-" + i + "\"}")
        .collect(Collectors.joining(",", "[", "]"));
    Path file = file("many.json", many);
    String results = IntStream.range(0, 500)
        .mapToObj(i -> "{\"id\":\"x\",\"outcome\":\"unchanged\"}")
        .collect(Collectors.joining(",", "{\"results\":[", "]}"));
    try (var server = new StandIn().on("POST jobs", 200, results)) {
      Ran ran = Terminal.at(server).wide(80).run("job", "apply", "-f", file.toString());
      assertThat(ran.out()).isEqualTo("1200 unchanged.\n");
      assertThat(ran.err()).contains("applying ").contains("500/1200").contains("1200/1200");
      assertThat(server.asked().stream().map(asked -> body(asked).path("jobs").size()))
          .containsExactly(500, 500, 200);
    }
  }

  @Test
  void large_ones_go_in_smaller_batches() throws IOException {
    String large = IntStream.range(0, 5)
        .mapToObj(i -> "{\"id\":\"job-" + i + "\",\"payload\":\"" + "对".repeat(80_000) + "\"}")
        .collect(Collectors.joining(",", "[", "]"));
    Path file = file("large.json", large);
    try (var server = new StandIn()) {
      Terminal.at(server).run("job", "apply", "-f", file.toString());
      assertThat(server.asked()).hasSize(2);
    }
  }

  @Nested
  class PruneRun {
    private static final String UNCHANGED =
        "{\"results\":[{\"id\":\"nightly-invoices\",\"outcome\":\"unchanged\"}]}";
    private static final String ONE =
        "{\"items\":[{\"id\":\"nightly-invoices\"},{\"id\":\"old-one\"}]}";

    private StandIn server() {
      return new StandIn().on("GET jobs", 200, ONE).on("POST jobs", exchange -> {
        StandIn.send(exchange, 200, UNCHANGED.replace("unchanged", "done"));
      });
    }

    private String jobs() throws IOException {
      return file("one.yaml", "id: nightly-invoices\nexecutor: {type: local}\n").toString();
    }

    @Test
    void deletes_labelled_jobs_that_are_not_in_the_files() throws IOException {
      try (var server = server()) {
        Ran ran = Terminal.at(server)
            .run("job", "apply", "-f", jobs(), "--prune", "--label", "team=billing", "--yes");
        assertThat(ran.exit()).isZero();
        assertThat(server.asked().get(1).address()).contains("jobs?label=team%3Dbilling");
        assertThat(server.asked().getLast().body())
            .isEqualTo("{\"action\":\"delete\",\"ids\":[\"old-one\"]}");
        assertThat(ran.out()).contains("delete     old-one").contains("1 deleted");
      }
    }

    @Test
    void only_shows_it_in_a_dry_run() throws IOException {
      try (var server = server()) {
        Ran ran = Terminal.at(server)
            .run("job", "apply", "-f", jobs(), "--prune", "--label", "team=billing", "--dry-run");
        assertThat(ran.out()).contains("deleted    old-one").contains("1 deleted");
        assertThat(server.asked()).noneMatch(asked -> asked.body().contains("delete"));
      }
    }

    @Test
    void asks_and_takes_no_for_an_answer() throws IOException {
      for (String answer : new String[] {"n\n", "\n", ""}) {
        try (var server = server()) {
          Ran ran = Terminal.at(server)
              .wide(80)
              .typing(answer)
              .run("job", "apply", "-f", jobs(), "--prune", "--label", "team=billing");
          assertThat(ran.err())
              .contains("Delete 1 job with team=billing that is not in the files? [y/N]");
          assertThat(server.asked()).noneMatch(asked -> asked.body().contains("delete"));
        }
      }
      try (var server = server()) {
        Terminal.at(server)
            .wide(80)
            .typing("y\n")
            .run("job", "apply", "-f", jobs(), "--prune", "--label", "team=billing");
        assertThat(server.asked().getLast().body()).contains("delete");
      }
    }

    @Test
    void does_nothing_while_a_document_is_refused() throws IOException {
      file("broken.yaml", "id: [\n");
      jobs();
      try (var server = server()) {
        Ran ran = Terminal.at(server)
            .run(
                "job",
                "apply",
                "-f",
                folder.toString(),
                "--prune",
                "--label",
                "team=billing",
                "--yes");
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("Nothing was pruned, because a document was refused.");
        assertThat(server.asked()).noneMatch(asked -> asked.body().contains("delete"));
      }
    }

    @Test
    void requires_a_label_and_a_terminal_to_ask() throws IOException {
      try (var server = server()) {
        Terminal terminal = Terminal.at(server);
        assertThat(terminal.run("job", "apply", "-f", jobs(), "--prune").exit()).isEqualTo(2);
        assertThat(terminal
                .run("job", "apply", "-f", jobs(), "--prune", "--label", "team")
                .exit())
            .isEqualTo(2);
        Ran ran = terminal.run("job", "apply", "-f", jobs(), "--prune", "--label", "team=x");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("standard input is not a terminal");
        assertThat(server.asked()).isEmpty();
      }
    }
  }

  @Test
  void a_missing_or_empty_file_is_a_sentence() throws IOException {
    try (var server = new StandIn()) {
      assertThat(Terminal.at(server).run("job", "apply", "-f", "/nowhere.yaml").err())
          .isEqualTo("belfry: There is no file /nowhere.yaml.\n");
      Path empty = file("empty.yaml", "---\n");
      assertThat(Terminal.at(server).run("job", "apply", "-f", empty.toString()).exit())
          .isEqualTo(1);
    }
  }
}
