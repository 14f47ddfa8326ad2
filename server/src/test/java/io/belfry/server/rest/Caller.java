package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.Check;
import io.belfry.server.rest.Document.Operation;
import io.belfry.server.verb.RunningServer;
import io.belfry.server.verb.RunningServer.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Calls operations by their ids, and holds every answer against the document. Threading: confined to its test. */
final class Caller {
  private final RunningServer server;
  private final Document document;
  private final Set<String> good = new HashSet<>();
  private final Set<String> bad = new HashSet<>();
  private final List<String> faults = new ArrayList<>();

  Caller(RunningServer server, Document document) {
    this.server = server;
    this.document = document;
  }

  Request to(String operation) {
    return new Request(document.operation(operation));
  }

  /** Operations that were answered well at least once. */
  Set<String> good() {
    return good;
  }

  /** Operations that refused something at least once. */
  Set<String> bad() {
    return bad;
  }

  /** Answers that were not as the document says. */
  List<String> faults() {
    return faults;
  }

  /** One request to be. */
  final class Request {
    private final Operation operation;
    private final Map<String, String> values = new LinkedHashMap<>(Map.of("ns", "default"));
    private final Map<String, String> headers = new LinkedHashMap<>();
    private String body = "";
    private String token = server.admin();

    private Request(Operation operation) {
      this.operation = operation;
    }

    /** A parameter, of the path, the query or the header, as the document says. */
    Request with(String name, String value) {
      if (operation.names("header").contains(name)) {
        headers.put(name, value);
      } else {
        values.put(name, value);
      }
      return this;
    }

    Request body(String json) {
      this.body = json.replace('\'', '"');
      return this;
    }

    Request as(String other) {
      this.token = other;
      return this;
    }

    /** Sends it; writes down if the status is another, or the answer is not as the document says for it. */
    JsonNode gives(int status) {
      Reply reply = server.ask(operation.method(), path(), body, token, headers());
      var faults = new ArrayList<String>();
      if (reply.status() != status) {
        faults.add("the status must be " + status);
      }
      check(operation, reply, faults);
      if (!faults.isEmpty()) {
        Caller.this.faults.add(operation + ": " + operation.method() + " " + path() + " "
            + Check.clip(body, 500) + " gave " + reply.status() + " " + reply.body() + ", but "
            + faults);
      }
      (reply.status() < 400 ? good : bad).add(operation.id());
      return reply.body();
    }

    private String[] headers() {
      return headers.entrySet().stream()
          .flatMap(each -> java.util.stream.Stream.of(each.getKey(), each.getValue()))
          .toArray(String[]::new);
    }

    String path() {
      String path = operation.path();
      var query = new StringBuilder();
      for (Map.Entry<String, String> each : values.entrySet()) {
        String value = URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8);
        if (path.contains("{" + each.getKey() + "}")) {
          path = path.replace("{" + each.getKey() + "}", value.replace("+", "%20"));
        } else if (!each.getKey().equals("ns")) {
          query
              .append(query.isEmpty() ? "?" : "&")
              .append(each.getKey())
              .append('=')
              .append(value);
        }
      }
      assertThat(path).as("a parameter of the path is missing").doesNotContain("{");
      return path + query;
    }
  }

  private void check(Operation operation, Reply reply, List<String> faults) {
    if (!operation.responses().containsKey(String.valueOf(reply.status()))) {
      faults.add("the status is not declared");
    }
    if (!reply.header("cache-control").equals(Optional.of("no-store"))
        || !reply.header("x-content-type-options").equals(Optional.of("nosniff"))) {
      faults.add("headers are missing in " + reply.headers());
    }
    boolean json = reply.header("content-type").orElse("").startsWith("application/json");
    if (reply.status() >= 400 && !json) {
      faults.add("a refusal must be JSON");
    }
    Optional<JsonNode> schema = operation.answer(reply.status());
    if (json && schema.isEmpty()) {
      faults.add("no JSON is declared");
    } else if (json) {
      faults.addAll(document.schema().faults(schema.orElseThrow(), reply.body()));
    } else if (schema.isPresent() && reply.header("content-type").isEmpty()) {
      faults.add("JSON is declared");
    }
  }
}
