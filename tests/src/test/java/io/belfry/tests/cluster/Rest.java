package io.belfry.tests.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody who talks to servers, without any code of theirs. Threading: safe. */
public final class Rest implements AutoCloseable {
  public static final String NS = "/api/v1/namespaces/default";
  public static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final String token;

  public Rest(String token) {
    this.token = token;
  }

  /** What was answered. */
  public record Reply(int status, JsonNode body, Optional<String> retryAfter) {
    public boolean isFine() {
      return status / 100 == 2;
    }
  }

  public Reply get(String url) {
    return ask("GET", url, "");
  }

  public Reply post(String url, String body, String... headers) {
    return ask("POST", url, body, headers);
  }

  public Reply put(String url, String body) {
    return ask("PUT", url, body);
  }

  /** Status 0: there was no answer. */
  public Reply ask(String method, String url, String body, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
        .timeout(Duration.ofSeconds(20))
        .header("Authorization", "Bearer " + token)
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      HttpResponse<String> reply = http.send(request.build(), BodyHandlers.ofString());
      String text = reply.body();
      return new Reply(
          reply.statusCode(),
          text.startsWith("{") ? JSON.readTree(text) : JSON.createObjectNode().put("text", text),
          reply.headers().firstValue("Retry-After"));
    } catch (IOException e) {
      return new Reply(0, JSON.createObjectNode().put("text", String.valueOf(e)), Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the run was interrupted", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
