package io.belfry.server.verb;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server as its users see it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerTest {
  private static final String NS = "/api/v1/namespaces/default";

  private Path directory;
  private RunningServer server;
  private HttpServer target;
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @BeforeAll
  void start(@TempDir Path own) throws Exception {
    directory = own;
    server = new RunningServer(directory.resolve("data"));
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext("/", exchange -> {
      heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
          + exchange.getRequestHeaders().getFirst("Belfry-Task") + " "
          + new String(
              exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
      byte[] answer = "{\"done\":true}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    target.start();
  }

  @AfterAll
  void stop() {
    server.close();
    target.stop(0);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + target.getAddress().getPort() + path;
  }

  @Nested
  class First {
    @Test
    void a_token_is_made_which_only_its_owner_can_read() throws Exception {
      assertThat(server.admin()).startsWith("bft_").hasSize(4 + 43);
      assertThat(Files.getPosixFilePermissions(directory.resolve("data/admin.token")))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(server.get("/api/v1/me").body().path("allNamespaces").asBoolean())
          .isTrue();
    }

    @Test
    void health_and_readiness_can_be_asked_by_anybody() {
      assertThat(server.ask("GET", "/healthz", "", "").status()).isEqualTo(200);
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(
                  server.ask("GET", "/readyz", "", "").body().path("ready").asBoolean())
              .isTrue());
    }

    @Test
    void everything_else_needs_a_token() {
      assertThat(server.ask("GET", NS + "/jobs", "", "").code()).isEqualTo("unauthenticated");
      assertThat(server.ask("GET", NS + "/jobs", "", "bft_wrong").status()).isEqualTo(401);
      assertThat(server.get("/nothing/here").code()).isEqualTo("notFound");
    }
  }

  @Nested
  class Jobs {
    @Test
    void are_saved_read_changed_by_their_tag_and_deleted() {
      String body =
          "{\"trigger\": {\"cron\": \"@daily\"}, \"executor\": {\"type\": \"local\", \"handler\": \"h\"}}";
      Reply made = server.put(NS + "/jobs/crud", body);
      assertThat(made.status()).isEqualTo(201);
      assertThat(made.headers().get("etag")).isEqualTo(List.of("\"1\""));
      assertThat(server.get(NS + "/jobs/crud").body().path("next").asString("")).isNotEmpty();
      Reply changed = server.ask(
          "PUT", NS + "/jobs/crud", made.body().toString(), server.admin(), "If-Match", "\"1\"");
      assertThat(changed.status()).isEqualTo(200);
      Reply stale = server.ask("PUT", NS + "/jobs/crud", body, server.admin(), "If-Match", "\"1\"");
      assertThat(stale.code()).isEqualTo("stale");
      assertThat(server.get(NS + "/jobs/crud/versions").body().path("items").size())
          .isEqualTo(2);
      assertThat(server.delete(NS + "/jobs/crud").status()).isEqualTo(204);
      assertThat(server.get(NS + "/jobs/crud").code()).isEqualTo("notFound");
    }

    @Test
    void that_are_wrong_are_refused_with_the_field() {
      Reply wrong = server.put(
          NS + "/jobs/wrong",
          "{\"trigger\": {\"cron\": \"0 0 30 2 *\"}, \"executor\": {\"type\": \"local\"}}");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.field()).isEqualTo("trigger.cron");
      Reply address = server.put(
          NS + "/jobs/wrong", "{\"executor\": {\"type\": \"http\", \"url\": \"ftp://x\"}}");
      assertThat(address.field()).isEqualTo("executor.url");
      assertThat(server.get(NS + "/jobs/wrong").status()).isEqualTo(404);
    }

    @Test
    void call_services_when_they_are_triggered() throws Exception {
      server.put(
          NS + "/jobs/caller",
          "{\"executor\": {\"type\": \"http\", \"method\": \"POST\", \"url\": \""
              + url("/run?job=${job}")
              + "\", \"body\": {\"region\": \"${payload.region}\"}}, \"payload\": {\"region\": \"eu\"}}");
      Reply triggered =
          server.post(NS + "/jobs/caller/trigger", "{\"payload\": {\"region\": \"us\"}}");
      assertThat(triggered.status()).isEqualTo(201);
      String id = triggered.body().path("id").asString();
      assertThat(heard.poll(20, TimeUnit.SECONDS))
          .isEqualTo("POST /run?job=caller " + id + " {\"region\":\"us\"}");
      JsonNode task = ended(id);
      assertThat(task.path("state").asString()).isEqualTo("succeeded");
      assertThat(task.path("result").path("data").path("done").asBoolean()).isTrue();
      JsonNode logs = server.get(NS + "/tasks/" + id + "/logs").body();
      assertThat(logs.toString()).contains("200");
    }

    @Test
    void may_not_call_the_server_itself() {
      Reply submitted = server.post(
          NS + "/tasks",
          "{\"executor\": {\"type\": \"http\", \"url\": \"" + server.program().address()
              + "/healthz\"}}");
      JsonNode task = ended(submitted.body().path("id").asString());
      assertThat(task.path("state").asString()).isEqualTo("failed");
      assertThat(task.path("error").asString()).contains("is a port of Belfry or of its engine");
    }
  }

  private JsonNode ended(String id) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.get(NS + "/tasks/" + id).body().has("ended"));
    return server.get(NS + "/tasks/" + id).body();
  }

  @Nested
  class Tasks {
    @Test
    void submitted_under_the_same_key_are_one() {
      String body =
          "{\"executor\": {\"type\": \"local\", \"handler\": \"nobody\"}, \"in\": \"1h\"}";
      Reply first =
          server.ask("POST", NS + "/tasks", body, server.admin(), "Idempotency-Key", "k1");
      Reply second =
          server.ask("POST", NS + "/tasks", body, server.admin(), "Idempotency-Key", "k1");
      assertThat(first.status()).isEqualTo(201);
      assertThat(second.status()).isEqualTo(200);
      assertThat(second.body()).isEqualTo(first.body());
      Reply other = server.ask(
          "POST",
          NS + "/tasks",
          body.replace("1h", "2h").replace("nobody", "x"),
          server.admin(),
          "Idempotency-Key",
          "k1");
      assertThat(other.code()).isEqualTo("conflict");
    }

    @Test
    void in_an_array_have_each_their_own_outcome() {
      Reply reply = server.post(
          NS + "/tasks",
          "[{\"executor\": {\"type\": \"local\"}, \"in\": \"1h\"}, {\"executor\": {}}, {\"in\": 5}]");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply
              .body()
              .path("results")
              .valueStream()
              .map(each -> each.path("outcome").asString())
              .toList())
          .containsExactly("accepted", "refused", "refused");
      assertThat(reply.body().at("/results/1/error/field").asString()).isEqualTo("executor.type");
    }

    @Test
    void that_wait_can_be_cancelled_and_done_again() {
      String id = server
          .post(NS + "/tasks", "{\"executor\": {\"type\": \"local\"}, \"in\": \"1h\"}")
          .body()
          .path("id")
          .asString();
      assertThat(server
              .post(NS + "/tasks/" + id + "/cancel", "{\"reason\": \"not needed\"}")
              .status())
          .isEqualTo(202);
      assertThat(ended(id).path("state").asString()).isEqualTo("cancelled");
      assertThat(server.post(NS + "/tasks/" + id + "/cancel", "").code()).isEqualTo("conflict");
      assertThat(server.post(NS + "/tasks/" + id + "/retry", "").status()).isEqualTo(201);
    }
  }

  @Nested
  class Access {
    @Test
    void of_a_viewer_ends_where_changes_begin_and_at_other_namespaces() {
      server.post("/api/v1/namespaces", "{\"name\": \"other\"}");
      Reply made = server.post(NS + "/tokens", "{\"name\": \"looker\", \"role\": \"viewer\"}");
      String viewer = made.body().path("token").asString();
      assertThat(server.ask("GET", NS + "/jobs", "", viewer).status()).isEqualTo(200);
      assertThat(server.ask("POST", NS + "/tasks", "{}", viewer).code()).isEqualTo("forbidden");
      assertThat(server.ask("GET", "/api/v1/namespaces/other/jobs", "", viewer).code())
          .isEqualTo("forbidden");
      assertThat(
              server.delete(NS + "/tokens/" + made.body().path("id").asString()).status())
          .isEqualTo(204);
      assertThat(server.ask("GET", NS + "/jobs", "", viewer).status()).isEqualTo(401);
    }

    @Test
    void is_written_down() {
      server.put(
          NS + "/secrets/api-key", "{\"value\": \"hush hush\", \"destinations\": [\"script\"]}");
      Reply secrets = server.get(NS + "/secrets");
      assertThat(secrets.body().toString()).contains("api-key").doesNotContain("hush");
      JsonNode audit = server.get(NS + "/audit").body();
      assertThat(audit.toString())
          .contains("putSecret")
          .contains("secret api-key")
          .doesNotContain("hush");
    }

    @Test
    void by_a_link_works_once() throws Exception {
      String url = server.post("/api/v1/login-links", "").body().path("url").asString();
      String code = url.substring(url.indexOf("code=") + 5);
      Reply first = server.ask("POST", "/api/v1/login", "{\"code\": \"" + code + "\"}", "");
      assertThat(first.status()).isEqualTo(200);
      String cookie = requireNonNull(first.headers().get("set-cookie")).getFirst();
      assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict");
      assertThat(server
              .ask("POST", "/api/v1/login", "{\"code\": \"" + code + "\"}", "")
              .status())
          .isEqualTo(401);
      String session = cookie.substring(0, cookie.indexOf(';'));
      assertThat(server.ask("GET", "/api/v1/me", "", "", "Cookie", session).status())
          .isEqualTo(200);
      assertThat(server
              .ask("POST", NS + "/cluster/resume", "", "", "Cookie", session)
              .code())
          .isEqualTo("forbidden");
      String csrf = first.body().path("csrf").asString();
      assertThat(server
              .ask("POST", NS + "/cluster/resume", "", "", "Cookie", session, "Belfry-Csrf", csrf)
              .status())
          .isEqualTo(204);
    }
  }
}
