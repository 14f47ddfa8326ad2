package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A request that changes many jobs ends with the token or session that it came with. */
@Timeout(120)
class BulkRevokedTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int JOBS = 1000;

  private static final String APPLY = IntStream.range(0, JOBS)
      .mapToObj(i -> "{\"id\": \"j%04d\", \"executor\": {\"type\": \"local\", \"handler\": \"h\"}}"
          .formatted(i))
      .collect(Collectors.joining(",", "{\"action\": \"apply\", \"jobs\": [", "]}"));

  @TempDir
  Path data;

  private RunningServer server;

  @BeforeEach
  void start() {
    server = new RunningServer(data);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private JsonNode token() {
    return server
        .post(NS + "/tokens", "{\"name\": \"build\", \"role\": \"developer\"}")
        .body();
  }

  private Reply during(Runnable whenBegun, String token, String... headers) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var bulk = threads.submit(() -> server.ask("POST", NS + "/jobs", APPLY, token, headers));
      await()
          .atMost(LIMIT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> server.get(NS + "/jobs/j0000").status() == 200);
      whenBegun.run();
      return bulk.get(60, TimeUnit.SECONDS);
    }
  }

  private void requireRestRefused(Reply reply) {
    assertThat(reply.status()).isEqualTo(200);
    List<String> outcomes = reply
        .body()
        .path("results")
        .valueStream()
        .map(each -> each.at("/error/code").asString(each.path("outcome").asString()))
        .toList();
    assertThat(outcomes).hasSize(JOBS);
    int done = outcomes.indexOf("unauthenticated");
    assertThat(done).as("something was done before").isPositive();
    assertThat(outcomes.subList(0, done)).containsOnly("created");
    assertThat(outcomes.subList(done, JOBS)).containsOnly("unauthenticated");
    assertThat(server.get(NS + "/jobs/j0999").status()).isEqualTo(404);
    String target = server
        .get(NS + "/audit?limit=100")
        .body()
        .path("items")
        .valueStream()
        .filter(each -> each.path("action").asString().equals("changeJobs"))
        .map(each -> each.path("target").asString())
        .collect(Collectors.joining("; "));
    assertThat(target)
        .startsWith("apply of " + (done == 1 ? "1 job" : done + " jobs") + ": j0000")
        .contains("; apply of " + (JOBS - done) + " job")
        .endsWith("(refused)");
  }

  @Test
  void jobs_that_it_has_not_come_to_when_its_token_is_revoked_are_refused() throws Exception {
    JsonNode made = token();
    String id = made.path("id").asString();
    Reply reply = during(
        () -> assertThat(server.delete(NS + "/tokens/" + id).status()).isEqualTo(204),
        made.path("token").asString());
    requireRestRefused(reply);
  }

  @Test
  void and_when_its_session_is_logged_out() throws Exception {
    String token = token().path("token").asString();
    Reply login = server.ask("POST", "/api/v1/login", "{\"token\": \"" + token + "\"}", "");
    String cookie = login.header("set-cookie").orElseThrow();
    String[] session = {
      "Cookie",
      cookie.substring(0, cookie.indexOf(';')),
      "Belfry-Csrf",
      login.body().path("csrf").asString()
    };
    Reply reply = during(
        () -> assertThat(server.ask("POST", "/api/v1/logout", "", "", session).status())
            .isEqualTo(204),
        "",
        session);
    requireRestRefused(reply);
  }
}
