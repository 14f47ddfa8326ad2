package io.belfry.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** An HTTP response. Threading: immutable. */
record Answer(int status, HttpHeaders headers, byte[] body) {
  private static final long WAIT_MAX_SECONDS = 60;

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The JSON document; a missing node if there is no body. */
  JsonNode json() {
    if (body.length == 0) {
      return MissingNode.getInstance();
    }
    try {
      return Json.read(body);
    } catch (JacksonException e) {
      throw new ApiException(
          status,
          "malformed",
          "The response is not from a Belfry server: expected JSON, but got " + kind()
              + ". Check the address.",
          null);
    }
  }

  private String kind() {
    return headers.firstValue("Content-Type").orElse("another type");
  }

  /** The exception for an error response. */
  ApiException refusal() {
    @Nullable JsonNode problem = problem();
    if (problem == null) {
      return new ApiException(
          status,
          status == 503 ? "unavailable" : "malformed",
          "The server answered " + status
              + " without an error document. Check whether the address is that of a Belfry server.",
          null,
          retryAfter());
    }
    JsonNode field = problem.path("field");
    return new ApiException(
        status,
        problem.path("code").asString(""),
        problem.path("message").asString(""),
        field.isString() ? field.asString() : null,
        retryAfter());
  }

  private @Nullable JsonNode problem() {
    try {
      JsonNode node = Json.read(body);
      return node.path("code").isString() && node.path("message").isString() ? node : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /** Whether the same call may succeed a little later. */
  boolean isTransient() {
    return status == 503 || status == 429;
  }

  /** Reads whole seconds, as the API sends them; other forms are ignored in favor of the backoff. */
  private Optional<Duration> retryAfter() {
    return headers
        .firstValue("Retry-After")
        .filter(text -> text.matches("\\d{1,9}"))
        .map(text -> Duration.ofSeconds(Math.min(WAIT_MAX_SECONDS, Long.parseLong(text))));
  }
}
