package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.belfry.model.time.Time;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** A viewer who sends texts that keep careless readers busy for hours, several for each processor, does not stop a server. */
class AdversarialTextTest {
  private static final String PREVIEW = "/api/v1/namespaces/default/jobs/preview";
  private static final int LONG = 100_000;

  @TempDir
  Path data;

  private static String http(String url) {
    ObjectNode job = RunningServer.JSON.createObjectNode().put("id", "a");
    job.putObject("executor").put("type", "http").put("url", url);
    return job.toString();
  }

  private static String with(String field, String text) {
    ObjectNode job = RunningServer.JSON.createObjectNode().put("id", "a").put(field, text);
    job.putObject("executor").put("type", "local").put("handler", "h");
    return job.toString();
  }

  private static String trigger(String field, String text) {
    ObjectNode job = RunningServer.JSON.createObjectNode().put("id", "a");
    job.putObject("trigger").put(field, text);
    job.putObject("executor").put("type", "local").put("handler", "h");
    return job.toString();
  }

  private static List<String> bodies() {
    var all = new ArrayList<String>();
    for (String letter :
        List.of(":", "a:", "0", "1.", "a.", "a-", "[", "]", "%31", "@", "${", "}")) {
      String text = letter.repeat(LONG / letter.length());
      all.add(http("http://[" + text + "]/"));
      all.add(http("http://" + text + "/"));
      all.add(http("http://[" + text));
      all.add(http("http://h/" + text));
    }
    for (String part : List.of("1s", "9", "1m1", "P1D", "1h30m")) {
      String text = part.repeat(LONG / part.length());
      all.add(with("timeout", text));
      all.add(trigger("every", text));
    }
    for (String part : List.of("*", "*/1,", "1-2,", "H ", "L", "#", "? ", "@every 1s")) {
      all.add(trigger("cron", part.repeat(LONG / part.length())));
    }
    return all;
  }

  @Test
  void previews_of_100_kb_answer_within_a_second_and_health_checks_meanwhile() throws Exception {
    try (RunningServer server = new RunningServer(data, "limit.rate=100000");
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> server.ask("GET", "/readyz", "", "").status() == 200);
      String viewer = server
          .post("/api/v1/namespaces/default/tokens", "{\"name\": \"t\", \"role\": \"viewer\"}")
          .body()
          .path("token")
          .asString();
      var warm = server.ask("POST", PREVIEW, with("description", "a"), viewer);
      assertThat(warm.status()).as(warm.body().toString()).isEqualTo(200);
      List<String> bodies = bodies();
      var unmeasured =
          attack(server, viewer, bodies, 0, 1); // a server that has just begun compiles
      assertThat(unmeasured.took).isLessThan(Duration.ofSeconds(5));
      int attackers = 4 * Runtime.getRuntime().availableProcessors();
      var attacks = new ArrayList<Future<Slowest>>();
      for (int i = 0; i < attackers; i++) {
        int from = i;
        attacks.add(callers.submit(() -> attack(server, viewer, bodies, from, attackers)));
      }
      var checks = new ArrayList<Duration>();
      while (attacks.stream().anyMatch(each -> !each.isDone()) || checks.size() < 20) {
        long begun = Time.system().nanos();
        assertThat(server.ask("GET", "/healthz", "", "").status()).isEqualTo(200);
        checks.add(Duration.ofNanos(Time.system().nanos() - begun));
      }
      for (Future<Slowest> attack : attacks) {
        assertThat(attack.get().took).as(attack.get().text).isLessThan(Duration.ofSeconds(1));
      }
      List<Duration> sorted = checks.stream().sorted().toList();
      assertThat(sorted.get(sorted.size() / 2))
          .as("half of " + sorted.size() + " health checks, the slowest took " + sorted.getLast())
          .isLessThan(Duration.ofMillis(100));
      assertThat(sorted.getLast()).isLessThan(Duration.ofSeconds(1));
    }
  }

  private record Slowest(Duration took, String text) {}

  /** Each attacker sends its part of the texts; the slowest answer. */
  private static Slowest attack(
      RunningServer server, String token, List<String> bodies, int from, int step) {
    var slowest = new Slowest(Duration.ZERO, "");
    for (int i = from; i < bodies.size(); i += step) {
      long begun = Time.system().nanos();
      Reply reply = server.ask("POST", PREVIEW, bodies.get(i), token);
      Duration took = Duration.ofNanos(Time.system().nanos() - begun);
      slowest = took.compareTo(slowest.took) > 0
          ? new Slowest(took, bodies.get(i).substring(0, 80))
          : slowest;
      assertThat(reply.status())
          .as(bodies.get(i).substring(0, 80) + " " + reply.body())
          .isIn(200, 400);
    }
    return slowest;
  }
}
