package io.belfry.server.verb;

import io.belfry.server.config.Config;
import io.belfry.server.rest.Api;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole server with its own data directory, and a client for it. */
public final class RunningServer implements AutoCloseable {
  public static final JsonMapper JSON = JsonMapper.builder().build();

  private final Program program;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final Path data;

  public RunningServer(Path data, String... pairs) {
    this.data = data;
    Config config = Config.defaults()
        .set("data", data.toString(), "the test")
        .set("server.listen", "127.0.0.1:0", "the test");
    for (String pair : pairs) {
      config = config.set(pair);
    }
    this.program = Program.start(config);
  }

  public Program program() {
    return program;
  }

  public Api api() {
    return program.api();
  }

  public String address() {
    return program.address();
  }

  public String admin() {
    try {
      return Files.readString(data.resolve("admin.token")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was answered; what is no JSON object stands in its field {@code text}. */
  public record Reply(int status, JsonNode body, Map<String, List<String>> headers) {
    public String code() {
      return body.path("code").asString("");
    }

    public String field() {
      return body.path("field").asString("");
    }

    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name)).map(List::getFirst);
    }
  }

  public Reply get(String path) {
    return ask("GET", path, "", admin());
  }

  public Reply post(String path, String body) {
    return ask("POST", path, body, admin());
  }

  public Reply put(String path, String body) {
    return ask("PUT", path, body, admin());
  }

  public Reply delete(String path) {
    return ask("DELETE", path, "", admin());
  }

  /** Asks, and reads the answer; of one that goes on without end, only how it begins. */
  public Reply ask(String method, String path, String body, String token, String... headers) {
    HttpResponse<InputStream> reply = open(method, path, body, token, headers);
    try (InputStream in = reply.body()) {
      boolean endless =
          reply.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
      String text = endless ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      JsonNode json =
          text.startsWith("{") ? JSON.readTree(text) : JSON.createObjectNode().put("text", text);
      return new Reply(reply.statusCode(), json, reply.headers().map());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request; the caller must close the body. */
  public HttpResponse<InputStream> open(
      String method, String path, String body, String token, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + program.api().port() + path))
        .timeout(Duration.ofSeconds(30))
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    try {
      return http.send(request.build(), BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    program.close();
  }
}
