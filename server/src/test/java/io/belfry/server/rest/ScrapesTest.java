package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.server.verb.RunningServer;
import io.belfry.testkit.engine.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus scrapes from all nodes adds up, also if some of them follow the events of the leader. */
@Timeout(90)
class ScrapesTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final int TASKS = 20;

  @TempDir
  Path data;

  private static double sum(List<RunningServer> servers, String series) {
    Pattern line = Pattern.compile("(?m)^" + Pattern.quote(series) + " (\\S+)$");
    return servers.stream()
        .flatMap(
            server -> line.matcher(exposed(server, servers.getFirst().admin())).results())
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  @Test
  void tasks_are_counted_once_while_every_node_follows_the_events() throws Exception {
    try (RedisServer redis = RedisServer.start();
        var one =
            new RunningServer(data.resolve("1"), "store.uri=" + redis.uri(), "node.name=one");
        var two =
            new RunningServer(data.resolve("2"), "store.uri=" + redis.uri(), "node.name=two")) {
      List<RunningServer> both = List.of(one, two);
      for (RunningServer each : both) {
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> each.ask("GET", "/readyz", "", "").status() == 200);
      }
      try (var here = one.open("GET", NS + "/events", "", one.admin()).body();
          var there = two.open("GET", NS + "/events", "", one.admin()).body()) {
        assertThat(here.read()).isEqualTo(':');
        assertThat(there.read()).isEqualTo(':');
        for (int i = 0; i < TASKS; i++) {
          assertThat(one.post(
                      NS + "/tasks",
                      "{\"executor\": {\"type\": \"http\", \"url\": \"http://127.0.0.1:9/\"}, \"retry\": {\"max\": 0}}")
                  .status())
              .isEqualTo(201);
        }
        String failed = "belfry_tasks_ended_total{namespace=\"default\",state=\"failed\"}";
        await().atMost(Duration.ofSeconds(30)).until(() -> sum(both, failed) >= TASKS);
        // Events of all ends have reached the follower once one that was submitted later has.
        var heard = new java.io.BufferedReader(
            new java.io.InputStreamReader(there, java.nio.charset.StandardCharsets.UTF_8));
        int ends = 0;
        while (ends < TASKS) {
          ends += "event: taskFailed".equals(heard.readLine()) ? 1 : 0;
        }
        assertThat(sum(both, failed)).isEqualTo(TASKS);
        assertThat(sum(both, "belfry_tasks_submitted_total{namespace=\"default\"}"))
            .isEqualTo(TASKS);
      }
    }
  }

  @Test
  void a_lost_lease_is_counted_with_the_attempts_that_were_stopped_for_it() {
    String lost = "belfry_worker_leases_lost_total{namespace=\"default\"}";
    String stopped = "belfry_worker_attempts_stopped_total{namespace=\"default\"}";
    try (RedisServer redis = RedisServer.start();
        var server = new RunningServer(
            data,
            "store.uri=" + redis.uri(),
            "executors.script.enabled=true",
            "executors.script.interpreters=shell=/bin/sh")) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      for (int i = 0; i < 3; i++) {
        assertThat(server
                .post(
                    NS + "/tasks",
                    "{\"executor\": {\"type\": \"script\", \"interpreter\": \"shell\", \"script\": \"sleep 60\"}}")
                .status())
            .isEqualTo(201);
      }
      List<RunningServer> one = List.of(server);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> sum(one, "belfry_attempts_running{namespace=\"default\"}") == 3);
      assertThat(exposed(server, server.admin()))
          .contains(lost + " 0.0\n")
          .contains(stopped + " 0.0\n");
      redis.pause();
      try {
        await().atMost(Duration.ofSeconds(30)).until(() -> sum(one, lost) == 1);
        assertThat(sum(one, stopped)).isEqualTo(3);
      } finally {
        redis.resume();
      }
    }
  }

  private static String exposed(RunningServer server, String admin) {
    return server.ask("GET", "/metrics", "", admin).body().path("text").asString();
  }
}
