package io.belfry.server.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Puts the sample jobs and a backlog of tasks into the demo, by the API, as anybody would. Threading: confined to the start. */
final class DemoFill {
  private static final String NAMESPACE = "/api/v1/namespaces/default";
  private static final int MAILS = 60;
  private static final List<String> PRIORITIES = List.of("low", "normal", "normal", "high");
  private static final List<String> PEOPLE =
      List.of("ada", "grace", "edsger", "barbara", "leslie", "张伟", "frances");

  private final JsonMapper json = JsonMapper.builder().build();
  private final String server;
  private final String token;

  DemoFill(String server, String token) {
    this.server = server;
    this.token = token;
  }

  /** The number of created jobs and tasks. */
  record Amounts(int jobs, int tasks) {}

  Amounts fill(String target) {
    ObjectNode samples = samples(target);
    try (HttpClient http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      samples
          .path("calendars")
          .forEachEntry((name, calendar) -> send(http, "PUT", "/calendars/" + name, calendar));
      JsonNode jobs = samples.path("jobs");
      ObjectNode change = json.createObjectNode().put("action", "apply");
      change.set("jobs", jobs);
      requireAll(send(http, "POST", "/jobs", change));
      ObjectNode now = json.createObjectNode().put("action", "trigger");
      now.set("ids", samples.path("now"));
      requireAll(send(http, "POST", "/jobs", now));
      ArrayNode tasks = tasks((ObjectNode) samples.path("mail"));
      requireAll(send(http, "POST", "/tasks", tasks));
      return new Amounts(jobs.size(), tasks.size());
    }
  }

  private static ObjectNode samples(String target) {
    try (@Nullable InputStream in = DemoFill.class.getResourceAsStream("samples.yaml")) {
      if (in == null) {
        throw new IllegalStateException("samples.yaml must be on the class path");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return (ObjectNode) YAMLMapper.builder().build().readTree(text.replace("TARGET", target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tasks with fixed ids, so that a demo that is continued with its data does not have them twice. */
  private ArrayNode tasks(ObjectNode mail) {
    ArrayNode tasks = json.createArrayNode();
    for (int i = 1; i <= MAILS; i++) {
      ObjectNode task = mail.deepCopy();
      String number = String.format(Locale.ROOT, "%02d", i);
      task.put("id", "mail-" + number).put("priority", PRIORITIES.get(i % PRIORITIES.size()));
      task.putObject("payload")
          .put("to", PEOPLE.get(i % PEOPLE.size()) + "@example.org")
          .put("subject", "Invoice " + number);
      tasks.add(task);
    }
    return tasks;
  }

  private JsonNode send(HttpClient http, String method, String path, JsonNode body) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server + NAMESPACE + path))
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body.toString()))
        .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException("The server refused the demo's samples: " + answer.body());
      }
      return json.readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException("The demo's server did not respond.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The demo was stopped during its start.", e);
    }
  }

  /** Checks the response to a bulk request, which contains an error for each refused item; reports the first one. */
  private static void requireAll(JsonNode answer) {
    for (JsonNode each : answer.path("results")) {
      if (each.has("error")) {
        throw new IllegalStateException(
            "The server refused some of the demo's samples: " + each.path("error"));
      }
    }
  }
}
