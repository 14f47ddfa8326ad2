package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** An operator carries out what others have defined, and defines nothing: each test attacks with the token of one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperatorTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String SECRET = "correct-horse-battery-staple";

  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private HttpServer listener;
  private RunningServer server;
  private String operator;
  private String operatorName;
  private String developer;
  private String developerName;

  @BeforeAll
  void start(@TempDir Path own) throws IOException {
    listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    listener.createContext("/", exchange -> {
      received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    listener.start();
    server = new RunningServer(
        own.resolve("data"), "submit.handlers=allowed-one, allowed-two", "task.retry.max=0");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get(NS + "/cluster").status() == 200);
    assertThat(server
            .put(
                NS + "/secrets/billing",
                "{\"value\": \"" + SECRET + "\", \"destinations\": [\"*\"]}")
            .status())
        .isEqualTo(204);
    JsonNode ops = token("ops", "operator");
    operator = ops.path("token").asString();
    operatorName = "ops (" + ops.path("id").asString() + ")";
    JsonNode dev = token("dev", "developer");
    developer = dev.path("token").asString();
    developerName = "dev (" + dev.path("id").asString() + ")";
  }

  @AfterAll
  void stop() {
    server.close();
    listener.stop(0);
  }

  private JsonNode token(String name, String role) {
    return server
        .post(NS + "/tokens", "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"}")
        .body();
  }

  private String http(String body) {
    return "{\"type\": \"http\", \"method\": \"POST\", \"url\": \"http://127.0.0.1:"
        + listener.getAddress().getPort() + "/\", \"body\": \"" + body + "\"}";
  }

  private Reply submit(String token, String body) {
    return server.ask("POST", NS + "/tasks", body, token);
  }

  private List<JsonNode> audit(String action) {
    return server
        .get(NS + "/audit?limit=1000")
        .body()
        .path("items")
        .valueStream()
        .filter(each -> each.path("action").asString().equals(action))
        .toList();
  }

  private String taken() throws InterruptedException {
    String body = received.poll(30, TimeUnit.SECONDS);
    return body == null ? "nothing within 30 s" : body;
  }

  @Test
  void does_not_send_a_secret_to_an_address_of_its_own() {
    Reply reply = submit(operator, "{\"executor\": " + http("${secret:billing}") + "}");
    assertThat(reply.status()).as("with %s", reply.body()).isEqualTo(403);
    assertThat(reply.field()).isEqualTo("executor");
    assertThat(reply.body().path("message").asString()).contains("developer", "job");
    assertThat(received).isEmpty();
    assertThat(audit("submitTask")).anySatisfy(entry -> {
      assertThat(entry.path("who").asString()).isEqualTo(operatorName);
      assertThat(entry.path("outcome").asInt()).isEqualTo(403);
      assertThat(entry.path("target").asString()).contains("inline http executor");
    });
  }

  @Test
  void does_not_hide_an_executor_among_many_tasks() {
    save("hidden", "${payload}");
    Reply reply = submit(
        operator,
        "[{\"executor\": " + http("${secret:billing}") + "}, {\"job\": \"hidden\", \"in\": \"1h\"},"
            + " {\"executor\": {\"type\": \"script\", \"interpreter\": \"bash\", \"script\": \"env\"}},"
            + " {\"executor\": {\"type\": \"local\", \"handler\": \"allowed-two\"}, \"in\": \"1h\"},"
            + " {\"executor\": {\"type\": \"local\", \"handler\": \"other\"}, \"in\": \"1h\"}]");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply
            .body()
            .path("results")
            .valueStream()
            .map(each ->
                each.path("error").path("code").asString(each.path("outcome").asString())))
        .containsExactly("forbidden", "accepted", "forbidden", "accepted", "forbidden");
    assertThat(audit("submitTask")).anySatisfy(entry -> {
      assertThat(entry.path("outcome").asInt()).isEqualTo(403);
      assertThat(entry.path("target").asString())
          .contains("inline http executor", "inline script executor", "handler other");
    });
  }

  @Test
  void submits_for_listed_handlers_and_says_nothing_else_of_the_executor() {
    String local = "{\"executor\": {\"type\": \"local\"";
    String another = token("another", "operator").path("token").asString();
    assertThat(submit(another, local + ", \"handler\": \"allowed-one\"}, \"in\": \"1h\"}")
            .status())
        .isEqualTo(201);
    for (String more : List.of(
        "}",
        ", \"handler\": \"other\"}",
        ", \"handler\": \"allowed\"}",
        ", \"handler\": [\"allowed-one\"]}",
        ", \"handler\": \"allowed-one\", \"url\": \"http://127.0.0.1/\"}")) {
      assertThat(submit(another, local + more + ", \"in\": \"1h\"}").status())
          .as(more)
          .isEqualTo(403);
    }
    assertThat(submit(developer, local + ", \"handler\": \"other\"}, \"in\": \"1h\"}")
            .status())
        .isEqualTo(201);
  }

  @Test
  void gets_the_text_of_a_placeholder_and_not_the_secret_out_of_a_payload() throws Exception {
    save("echo", "${payload.note}");
    String payload = "\"payload\": {\"note\": \"${secret:billing} $${secret:billing}\"}";
    assertThat(submit(operator, "{\"job\": \"echo\", " + payload + "}").status())
        .isEqualTo(201);
    assertThat(taken()).isEqualTo("${secret:billing} $${secret:billing}");
    assertThat(server
            .ask("POST", NS + "/jobs/echo/trigger", "{" + payload + "}", operator)
            .status())
        .isEqualTo(201);
    assertThat(taken()).isEqualTo("${secret:billing} $${secret:billing}");
  }

  @Test
  void submits_by_job_what_the_job_says_with_a_payload_a_priority_and_a_time_of_its_own() {
    save("report", "${payload}");
    Reply reply = submit(
        operator,
        "{\"job\": \"report\", \"payload\": [7], \"priority\": \"high\", \"in\": \"1h\"}");
    assertThat(reply.status()).isEqualTo(201);
    String id = reply.body().path("id").asString();
    assertThat(id).startsWith("report!");
    JsonNode task = server.get(NS + "/tasks/" + id).body();
    assertThat(task.path("submittedBy").asString()).isEqualTo(operatorName);
    assertThat(task.path("job").asString()).isEqualTo("report");
    assertThat(task.path("executor").path("type").asString()).isEqualTo("http");
    assertThat(task.path("queue").asString()).isEqualTo("slow");
    assertThat(task.path("timeout").asString()).isEqualTo("7s");
    assertThat(task.path("priority").asString()).isEqualTo("high");
    assertThat(task.path("payload").toString()).isEqualTo("[7]");
    assertThat(task.path("state").asString()).isEqualTo("pending");
    assertThat(task.path("metadata").path("team").asString()).isEqualTo("billing");
  }

  @Test
  void is_told_which_fields_belong_to_the_definition_of_the_job() {
    save("fixed", "x");
    for (String field : List.of(
        "\"executor\": " + http("${secret:billing}"),
        "\"id\": \"own\"",
        "\"timeout\": \"1s\"",
        "\"queue\": \"other\"",
        "\"workers\": {\"a\": \"b\"}",
        "\"metadata\": {\"a\": \"b\"}")) {
      Reply reply = submit(operator, "{\"job\": \"fixed\", " + field + "}");
      assertThat(reply.status()).as(field).isEqualTo(400);
      assertThat(field).startsWith("\"" + reply.field() + "\"");
    }
    assertThat(submit(operator, "{\"job\": \"nowhere\"}").status()).isEqualTo(404);
    assertThat(submit(operator, "{\"job\": \"../up\"}").field()).isEqualTo("job");
    assertThat(submit(operator, "{\"job\": 7}").field()).isEqualTo("job");
    assertThat(submit(operator, "{\"job\": \"fixed\", \"payloat\": 1}").status())
        .isEqualTo(400);
  }

  @Test
  void gets_the_same_task_under_the_same_key_even_when_the_job_was_changed_meanwhile() {
    save("keyed", "first");
    String body =
        "{\"job\": \"keyed\", \"payload\": {\"n\": 1}, \"key\": \"order-1\", \"in\": \"1h\"}";
    Reply first = submit(operator, body);
    assertThat(first.status()).isEqualTo(201);
    save("keyed", "second");
    Reply again = submit(operator, body);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(submit(operator, body.replace("\"n\": 1", "\"n\": 2")).status()).isEqualTo(409);
  }

  @Test
  void is_named_by_what_it_triggers_retries_and_cancels() {
    save("nightly", "x");
    String job = NS + "/jobs/nightly/trigger";
    String id = server
        .ask("POST", job, "{\"at\": \"2035-01-01T00:00:00Z\"}", operator)
        .body()
        .path("id")
        .asString();
    assertThat(awaited(id).path("submittedBy").asString()).isEqualTo(operatorName);
    String waits = submit(developer, "{\"job\": \"nightly\", \"in\": \"1h\"}")
        .body()
        .path("id")
        .asString();
    assertThat(
            server.ask("POST", NS + "/tasks/" + waits + "/cancel", "", operator).status())
        .isEqualTo(202);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            server.get(NS + "/tasks/" + waits).body().path("state").asString().equals("cancelled"));
    JsonNode cancelled = server.get(NS + "/tasks/" + waits).body();
    assertThat(cancelled.path("submittedBy").asString()).isEqualTo(developerName);
    String again = server
        .ask("POST", NS + "/tasks/" + waits + "/retry", "", operator)
        .body()
        .path("id")
        .asString();
    assertThat(awaited(again).path("submittedBy").asString()).isEqualTo(operatorName);
    for (String action : List.of("triggerJob", "cancelTask", "retryTask")) {
      assertThat(audit(action))
          .as(action)
          .anySatisfy(entry -> assertThat(entry.path("who").asString()).isEqualTo(operatorName));
    }
  }

  @Test
  void is_in_the_audit_log_once_for_a_job_however_often_it_submits() {
    save("often", "x");
    for (int i = 0; i < 5; i++) {
      assertThat(submit(operator, "{\"job\": \"often\", \"in\": \"1h\"}").status())
          .isEqualTo(201);
    }
    assertThat(audit("submitTask").stream()
            .filter(entry -> entry.path("target").asString().contains("job often")))
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.path("who").asString()).isEqualTo(operatorName);
          assertThat(entry.path("target").asString()).isEqualTo("1 task by job often");
          assertThat(entry.path("from").asString()).isEqualTo("127.0.0.1");
        });
  }

  @Test
  void is_no_developer_whose_every_executor_is_in_the_audit_log() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertThat(
              submit(developer, "{\"id\": \"own-" + i + "\", \"executor\": " + http("of-dev") + "}")
                  .status())
          .isEqualTo(201);
      assertThat(taken()).isEqualTo("of-dev");
      String task = "(task own-" + i + ")";
      assertThat(audit("submitTask")).anySatisfy(entry -> {
        assertThat(entry.path("who").asString()).isEqualTo(developerName);
        assertThat(entry.path("role").asString()).isEqualTo("developer");
        assertThat(entry.path("outcome").asInt()).isEqualTo(201);
        assertThat(entry.path("target").asString())
            .startsWith("inline http executor to http://127.0.0.1:")
            .endsWith(task);
      });
    }
  }

  /** Sixty executors with long addresses, and the one that matters in the middle. */
  private static String hidden(String matters) {
    return IntStream.range(0, 60)
        .mapToObj(i -> i == 30 ? matters : "http://billing.test/" + i + "/" + "x".repeat(150))
        .map(
            url -> "{\"executor\": {\"type\": \"http\", \"url\": \"" + url + "\"}, \"in\": \"1h\"}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private String targets(String who, int outcome) {
    return audit("submitTask").stream()
        .filter(entry -> entry.path("who").asString().startsWith(who + " ("))
        .filter(entry -> entry.path("outcome").asInt() == outcome)
        .map(entry -> entry.path("target").asString())
        .collect(Collectors.joining("\n"));
  }

  @Test
  void is_no_developer_who_hides_an_executor_among_many_with_long_addresses() {
    String hides = token("hides", "developer").path("token").asString();
    Reply reply = submit(hides, hidden("http://collector.test/in"));
    assertThat(reply.status()).isEqualTo(200);
    String all = targets("hides", 200);
    assertThat(all).contains("inline http executor to http://collector.test/in (task ");
    for (int i = 0; i < 60; i++) {
      assertThat(all).contains(reply.body().path("results").get(i).path("id").asString());
    }
  }

  @Test
  void does_not_hide_what_it_tries_among_many_with_long_addresses() {
    String tries = token("tries", "operator").path("token").asString();
    assertThat(submit(tries, hidden("http://collector.test/in")).status()).isEqualTo(200);
    assertThat(targets("tries", 403))
        .contains("1 × inline http executor to http://collector.test/in");
  }

  private void save(String job, String body) {
    assertThat(server
            .ask(
                "PUT",
                NS + "/jobs/" + job,
                "{\"executor\": " + http(body)
                    + ", \"timeout\": \"7s\", \"queue\": \"slow\", \"metadata\": {\"team\": \"billing\"}}",
                developer)
            .status())
        .isIn(200, 201);
  }

  /** The leader makes it a moment after it was asked for. */
  private JsonNode awaited(String id) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> server.get(NS + "/tasks/" + id).status() == 200);
    return server.get(NS + "/tasks/" + id).body();
  }
}
