package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.access.RefusalAudit;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The audit log names who was refused, and all that was changed. Each test has a namespace of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuditTest {
  private static final String ROOT = "/api/v1/namespaces";
  private static final String LOCAL = "\"executor\": {\"type\": \"local\", \"handler\": \"h\"}";

  private RunningServer server;

  @BeforeAll
  void start(@TempDir Path own) {
    server = new RunningServer(own.resolve("data"), "limit.loginRate=100000", "node.name=tower");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String namespace(String name) {
    assertThat(server.post(ROOT, "{\"name\": \"" + name + "\"}").status()).isEqualTo(201);
    return ROOT + "/" + name;
  }

  private JsonNode token(String ns, String more) {
    return server
        .post(ns + "/tokens", "{\"name\": \"ci\", \"role\": \"viewer\"" + more + "}")
        .body();
  }

  private List<JsonNode> audit(String ns, String action) {
    return server
        .get(ns + "/audit?limit=1000")
        .body()
        .path("items")
        .valueStream()
        .filter(each -> each.path("action").asString().equals(action))
        .toList();
  }

  @Test
  void a_token_that_is_not_known_is_written_down_but_not_what_it_was() {
    String ns = namespace("guess");
    String guess = "bft_" + "x".repeat(43);
    assertThat(server.ask("GET", ns + "/secrets", "", guess).status()).isEqualTo(401);
    assertThat(audit(ns, "listSecrets")).singleElement().satisfies(entry -> {
      assertThat(entry.path("who").asString()).isEqualTo("anonymous");
      assertThat(entry.path("outcome").asInt()).isEqualTo(401);
      assertThat(entry.path("from").asString()).isEqualTo("127.0.0.1");
      assertThat(entry.path("node").asString()).isEqualTo("tower");
    });
    assertThat(server.get(ns + "/audit").body().toString()).doesNotContain(guess);
  }

  @Test
  void whoever_shows_no_token_at_all_tries_nothing() {
    String ns = namespace("open");
    assertThat(server.ask("GET", ns + "/jobs", "", "").status()).isEqualTo(401);
    assertThat(audit(ns, "listJobs")).isEmpty();
  }

  @Test
  void a_token_that_has_run_out_is_named() {
    String ns = namespace("late");
    JsonNode made = token(ns, ", \"expiresIn\": \"1s\"");
    String token = made.path("token").asString();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.ask("GET", ns + "/jobs", "", token).status() == 401);
    assertThat(audit(ns, "listJobs").getFirst().path("who").asString())
        .isEqualTo("ci (" + made.path("id").asString() + "), expired");
  }

  @Test
  void a_role_or_a_namespace_that_is_not_enough_is_written_down_with_the_token() {
    String ns = namespace("narrow");
    JsonNode made = token(ns, "");
    String token = made.path("token").asString();
    String who = "ci (" + made.path("id").asString() + ")";
    assertThat(server.ask("PUT", ns + "/jobs/a", "{" + LOCAL + "}", token).status())
        .isEqualTo(403);
    assertThat(server.ask("GET", ROOT + "/default/jobs", "", token).status()).isEqualTo(403);
    assertThat(audit(ns, "putJob")).singleElement().satisfies(entry -> {
      assertThat(entry.path("who").asString()).isEqualTo(who);
      assertThat(entry.path("role").asString()).isEqualTo("viewer");
      assertThat(entry.path("target").asString()).isEqualTo("job a");
      assertThat(entry.path("outcome").asInt()).isEqualTo(403);
    });
    assertThat(audit(ROOT + "/default", "listJobs"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.path("who").asString()).isEqualTo(who));
  }

  @Test
  void a_failed_login_is_written_down_for_admins_of_all_namespaces() {
    int before = audit(ROOT + "/belfry.system", "login").size();
    assertThat(server
            .ask("POST", "/api/v1/login", "{\"code\": \"guessed-it\"}", "")
            .status())
        .isEqualTo(401);
    List<JsonNode> logins = audit(ROOT + "/belfry.system", "login");
    assertThat(logins).hasSize(before + 1);
    assertThat(logins.getFirst().path("outcome").asInt()).isEqualTo(401);
    assertThat(logins.getFirst().toString()).doesNotContain("guessed-it");
  }

  @Test
  void one_who_tries_again_and_again_does_not_fill_the_log() {
    String ns = namespace("flooded");
    JsonNode made = token(ns, "");
    for (int i = 0; i < 100; i++) {
      server.ask("DELETE", ns + "/jobs/a" + i, "", made.path("token").asString());
    }
    assertThat(audit(ns, "deleteJob")).hasSize(RefusalAudit.OF_ONE_MAX);
  }

  @Test
  void a_change_of_many_jobs_names_them() {
    String ns = namespace("many");
    server.put(ns + "/jobs/a", "{" + LOCAL + "}");
    server.put(ns + "/jobs/b", "{" + LOCAL + "}");
    server.post(ns + "/jobs", "{\"action\": \"disable\", \"ids\": [\"a\", \"b\", \"missing\"]}");
    assertThat(audit(ns, "changeJobs"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.path("target").asString())
            .isEqualTo("disable of 2 jobs: a, b; disable of 1 job: missing (refused)"));
    JsonNode viewer = token(ns, "");
    Reply refused = server.ask(
        "POST",
        ns + "/jobs",
        "{\"action\": \"delete\", \"ids\": [\"a\"]}",
        viewer.path("token").asString());
    assertThat(refused.status()).isEqualTo(403);
    assertThat(audit(ns, "changeJobs").getFirst().path("outcome").asInt()).isEqualTo(403);
  }

  @Test
  void a_change_of_very_many_jobs_names_the_first_and_counts_the_others() {
    String ns = namespace("very-many");
    String ids = IntStream.range(0, 1000)
        .mapToObj(i -> "\"job-with-a-name-" + i + "\"")
        .collect(Collectors.joining(","));
    assertThat(server
            .post(ns + "/jobs", "{\"action\": \"enable\", \"ids\": [" + ids + "]}")
            .status())
        .isEqualTo(200);
    String target = audit(ns, "changeJobs").getFirst().path("target").asString();
    assertThat(target)
        .startsWith("enable of 1000 jobs: job-with-a-name-0, job-with-a-name-1, ")
        .matches(".* and [89]\\d\\d more \\(refused\\)");
    assertThat(target.length()).isLessThan(2000);
  }

  @Test
  void a_namespace_that_is_gone_is_named_for_admins_of_all_of_them() {
    String ns = namespace("passing");
    assertThat(server.delete(ns).status()).isEqualTo(204);
    assertThat(server.delete(ROOT + "/never-there").status()).isEqualTo(404);
    assertThat(audit(ROOT + "/belfry.system", "deleteNamespace"))
        .extracting(entry -> entry.path("target").asString())
        .contains("namespace passing", "namespace never-there");
  }

  @Test
  void what_was_made_is_named_where_the_address_does_not() {
    String ns = namespace("named");
    JsonNode made = token(ns, "");
    assertThat(audit(ns, "createToken").getFirst().path("target").asString())
        .isEqualTo("token " + made.path("id").asString() + " (ci, viewer)");
    assertThat(audit(ROOT + "/belfry.system", "createNamespace"))
        .anySatisfy(
            entry -> assertThat(entry.path("target").asString()).isEqualTo("namespace named"));
  }
}
