package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.belfry.server.config.Config;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What docs/executors.md says that can be set on a server works there, and what it says that cannot is refused. */
class ClaimsTest {
  @TempDir
  Path data;

  private static JsonNode ended(RunningServer server, String namespace, String executor) {
    String tasks = "/api/v1/namespaces/" + namespace + "/tasks";
    Reply made = server.post(tasks, "{\"executor\": " + executor + ", \"retry\": {\"max\": 0}}");
    assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
    String task = tasks + "/" + made.body().path("id").asString();
    await().atMost(Duration.ofSeconds(30)).until(() -> server.get(task).body().has("ended"));
    return server.get(task).body();
  }

  @Test
  void scripts_run_with_the_interpreters_that_were_named_outside_of_the_data_directory() {
    String script =
        "{\"type\": \"script\", \"interpreter\": \"shell\", \"script\": \"pwd; echo var=$BELFRY_TEST; echo path=$PATH\"}";
    try (var server = new RunningServer(
        data, "executors.script.enabled=true", "executors.script.interpreters=shell=/bin/sh")) {
      JsonNode task = ended(server, "default", script);
      assertThat(task.path("state").asString()).as(task.toString()).isEqualTo("succeeded");
      String id = task.path("id").asString();
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(server
                  .get("/api/v1/namespaces/default/tasks/" + id + "/logs")
                  .body()
                  .toString())
              .contains("belfry-scripts-")
              .doesNotContain(data.toString())
              .contains("path=/"));
      Reply refused = server.post(
          "/api/v1/namespaces/default/tasks",
          "{\"executor\": {\"type\": \"script\", \"interpreter\": \"bash\", \"script\": \"true\"}}");
      assertThat(refused.status()).as("an interpreter that was not named").isEqualTo(400);
    }
  }

  @Test
  void rules_for_calls_hold_in_every_namespace() {
    try (var server =
        new RunningServer(data, "executors.http.deny=127.0.0.1", "namespaces=default,other")) {
      for (String namespace : List.of("default", "other")) {
        JsonNode task =
            ended(server, namespace, "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}");
        assertThat(task.path("state").asString()).isEqualTo("failed");
        assertThat(task.path("error").asString())
            .contains("the deny rule 127.0.0.1 matches 127.0.0.1");
      }
    }
  }

  @Test
  void rules_of_a_namespace_hold_in_that_one_only() {
    try (var server = new RunningServer(
        data,
        "executors.http.namespaceDeny=other=127.0.0.1",
        "namespaces=default,other",
        "task.retry.max=0")) {
      String executor = "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}";
      assertThat(ended(server, "other", executor).path("error").asString())
          .contains("the deny rule 127.0.0.1 matches 127.0.0.1");
      assertThat(ended(server, "default", executor).path("error").asString())
          .doesNotContain("forbids");
    }
  }

  @Test
  void what_cannot_be_set_is_refused_at_the_start() {
    for (String key : List.of(
        "executors.script.grace",
        "executors.script.environment",
        "executors.http.connectionsPerTarget",
        "namespaces.default.allow",
        "egress.default.allow",
        "etcd.connect-timeout")) {
      assertThatThrownBy(() -> Config.defaults().set(key + "=1")).as(key).hasMessageContaining(key);
    }
  }
}
