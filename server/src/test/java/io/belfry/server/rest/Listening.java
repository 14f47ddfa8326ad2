package io.belfry.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.server.verb.RunningServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Follows a stream, and holds each event against what the document says of its type. Threading: confined to its test. */
final class Listening implements AutoCloseable {
  private final RunningServer server;
  private final Document document;
  private final String operation;
  private final List<String> heard = new ArrayList<>();
  private Optional<BufferedReader> reader = Optional.empty();
  private String lastId = "";

  Listening(RunningServer server, Document document, String operation) {
    this.server = server;
    this.document = document;
    this.operation = operation;
  }

  /** Returns once the server has begun to tell. */
  void begin(String path, String... headers) {
    var response = server.open("GET", path, "", server.admin(), headers);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .contains("text/event-stream; charset=utf-8");
    assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
    reader = Optional.of(
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
    assertThat(line()).startsWith(":");
  }

  /** Listens until an event of that type has come. */
  void until(String type) {
    String current = "";
    while (!current.equals(type)) {
      current = next();
    }
  }

  private String next() {
    String type = "";
    String line = line();
    while (!line.isEmpty()) {
      if (line.startsWith("id: ")) {
        lastId = line.substring(4);
      } else if (line.startsWith("event: ")) {
        type = line.substring(7);
      } else if (line.startsWith("data: ")) {
        check(type, RunningServer.JSON.readTree(line.substring(6)));
      }
      line = line();
    }
    return type;
  }

  private void check(String type, JsonNode data) {
    JsonNode schema = Optional.ofNullable(document.events(operation).get(type))
        .orElseThrow(() -> new AssertionError("this type of event is not described: " + type));
    assertThat(document.schema().faults(schema, data)).as(type + " " + data).isEmpty();
    heard.add(type);
  }

  private String line() {
    try {
      return Optional.ofNullable(reader.orElseThrow().readLine())
          .orElseThrow(() -> new AssertionError("the stream has ended; heard " + heard));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> heard() {
    return heard;
  }

  String lastId() {
    return lastId;
  }

  @Override
  public void close() {
    try {
      reader.orElseThrow().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
