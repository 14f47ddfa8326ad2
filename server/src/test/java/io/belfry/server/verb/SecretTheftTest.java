package io.belfry.server.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A caller who may define HTTP calls tries to send secrets of the namespace to its own listener, on a running server. */
class SecretTheftTest {
  private static final String NS = "/api/v1/namespaces/default";
  private static final String VALUE = "s3cr3t-of-billing";

  @TempDir
  private Path directory;

  private RunningServer server;
  private HttpServer listener;
  private final List<String> received = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws Exception {
    server = new RunningServer(directory.resolve("data"), "executors.script.enabled=true");
    listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    listener.createContext("/", exchange -> {
      received.add(exchange.getRequestURI() + " "
          + exchange.getRequestHeaders().getFirst("X-Key") + " "
          + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    listener.start();
    Reply stored = server.put(
        NS + "/secrets/billing",
        "{\"value\": \"" + VALUE + "\", \"destinations\": [\"https://billing.example.org\"]}");
    assertThat(stored.status()).isEqualTo(204);
  }

  @AfterEach
  void stop() {
    server.close();
    listener.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + listener.getAddress().getPort();
  }

  private JsonNode carriedOut(String executor) {
    Reply submitted = server.post(NS + "/tasks", "{\"executor\": " + executor + "}");
    assertThat(submitted.status()).isEqualTo(201);
    String id = submitted.body().path("id").asString();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.get(NS + "/tasks/" + id).body().has("ended"));
    return server.get(NS + "/tasks/" + id).body();
  }

  @Test
  void a_call_does_not_carry_a_secret_to_another_server() {
    for (String executor : List.of(
        "{\"type\": \"http\", \"url\": \"" + url() + "/\", \"body\": \"${secret:billing}\"}",
        "{\"type\": \"http\", \"url\": \"" + url() + "/?k=${secret:billing}\"}",
        "{\"type\": \"http\", \"url\": \"" + url()
            + "/\", \"headers\": {\"X-Key\": \"${secret:billing}\"}}")) {
      JsonNode task = carriedOut(executor);
      assertThat(task.path("state").asString()).isEqualTo("failed");
      assertThat(task.path("attempts").size()).isLessThanOrEqualTo(1);
      assertThat(task.path("error").asString())
          .contains("secret billing")
          .contains("would go to " + url())
          .doesNotContain(VALUE);
    }
    assertThat(received).isEmpty();
    assertThat(server.get("/metrics").body().path("text").asString(""))
        .contains("belfry_secrets_refused_total{namespace=\"default\"} 3.0");
  }

  @Test
  void a_script_does_not_get_a_secret_that_is_not_for_scripts() {
    JsonNode task = carriedOut("{\"type\": \"script\", \"interpreter\": \"bash\","
        + " \"script\": \"echo $KEY | rev\", \"env\": {\"KEY\": \"${secret:billing}\"}}");
    assertThat(task.path("state").asString()).isEqualTo("failed");
    assertThat(task.path("error").asString()).contains("would go to script");
  }

  @Test
  void a_secret_is_stored_with_destinations_only_and_says_whether_it_may_go_anywhere() {
    Reply without = server.put(NS + "/secrets/loose", "{\"value\": \"x\"}");
    assertThat(without.status()).isEqualTo(400);
    assertThat(without.field()).isEqualTo("destinations");
    Reply wrong = server.put(
        NS + "/secrets/loose", "{\"value\": \"x\", \"destinations\": [\"billing.example.org\"]}");
    assertThat(wrong.field()).isEqualTo("destinations[0]");
    server.put(NS + "/secrets/loose", "{\"value\": \"x\", \"destinations\": [\"*\"]}");
    JsonNode items = server.get(NS + "/secrets").body().path("items");
    assertThat(items.get(0).path("destinations").get(0).asString())
        .isEqualTo("https://billing.example.org");
    assertThat(items.get(0).path("unrestricted").asBoolean()).isFalse();
    assertThat(items.get(1).path("unrestricted").asBoolean()).isTrue();
  }
}
