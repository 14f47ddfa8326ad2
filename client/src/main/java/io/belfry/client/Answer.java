package io.belfry.client;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** What came back. Threading: immutable. */
record Answer(int status, HttpHeaders headers, byte[] body) {
  private static final long WAIT_MAX_SECONDS = 60;

  boolean isGood() {
    return status >= 200 && status < 300;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The document, or nothing where there is no body. */
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
          "What answered is no Belfry server: JSON was expected, but " + kind()
              + " came. Check the address.",
          null);
    }
  }

  private String kind() {
    return headers.firstValue("Content-Type").orElse("something else");
  }

  /** The refusal that this is. */
  ApiException refusal() {
    @Nullable JsonNode problem = problem();
    if (problem == null) {
      return new ApiException(
          status,
          status == 503 ? "unavailable" : "malformed",
          "The server answered " + status
              + " without an explanation. If it is not Belfry that listens there, check the address.",
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

  /** Whether the same may be answered otherwise a little later. */
  boolean passes() {
    return status == 503 || status == 429;
  }

  /** In whole seconds, as the API does it; other forms are left to the back-off. */
  private Optional<Duration> retryAfter() {
    return headers
        .firstValue("Retry-After")
        .filter(text -> text.matches("\\d{1,9}"))
        .map(text -> Duration.ofSeconds(Math.min(WAIT_MAX_SECONDS, Long.parseLong(text))));
  }
}
