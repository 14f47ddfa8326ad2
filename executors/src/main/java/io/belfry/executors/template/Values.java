package io.belfry.executors.template;

import io.belfry.core.execute.AttemptContext;
import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.executors.secret.Destination;
import io.belfry.executors.secret.Redaction;
import io.belfry.executors.secret.SecretValue;
import io.belfry.executors.template.Source.Fact;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The placeholder values of one attempt. Every secret that it returns is added to the redaction.
 *
 * <p>Threading: confined to the attempt's thread.
 */
public final class Values {
  private static final int CHARS_MAX = 4 * 1024 * 1024;

  private final AttemptContext attempt;
  private final Scope scope;
  private final ZoneId zone;
  private final Optional<String> callback;
  private final Destination to;
  private final Redaction redaction;
  private @Nullable JsonNode payload;
  private long handedOut;

  /**
   * For one attempt.
   *
   * @param zone the time zone of {@code scheduled.date}
   * @param callback the URL for {@code callback.url}
   * @param to the destination of all values, which each secret must allow
   */
  public Values(
      AttemptContext attempt,
      Scope scope,
      ZoneId zone,
      Optional<String> callback,
      Destination to,
      Redaction redaction) {
    this.attempt = attempt;
    this.scope = scope;
    this.zone = zone;
    this.callback = callback;
    this.to = to;
    this.redaction = redaction;
    callback.ifPresent(url -> redaction.add("callback.url", url));
  }

  JsonNode json(String field, Source source) throws AttemptException {
    JsonNode value = find(field, source);
    handedOut +=
        value.isContainer() ? attempt.payload().size() : Json.text(value).length();
    if (handedOut > CHARS_MAX) {
      throw AttemptException.rejected(field + " must have at most " + CHARS_MAX
          + " characters after its placeholders are filled in, because it is held in memory, but ${"
          + source
          + "} made it longer. Use large values only once.");
    }
    return value;
  }

  String text(String field, Source source) throws AttemptException {
    JsonNode value = json(field, source);
    if (value.isNull()) {
      throw missing(field, source, "is null in the payload");
    }
    return Json.text(value);
  }

  private JsonNode find(String field, Source source) throws AttemptException {
    return switch (source) {
      case Source.Payload(var path) ->
        path.isEmpty()
            ? payload(field)
            : Json.at(payload(field), path)
                .orElseThrow(() -> missing(field, source, "is not in the payload"));
      case Source.Metadata(String name) ->
        Optional.ofNullable(attempt.metadata().get(name))
            .<JsonNode>map(Json::of)
            .orElseThrow(() -> missing(field, source, "is not in the task's metadata"));
      case Source.Secret(String name) -> Json.of(secret(field, source, name));
      case Source.Known(Fact fact) -> Json.of(known(field, source, fact));
    };
  }

  private JsonNode payload(String field) throws AttemptException {
    JsonNode known = payload;
    if (known == null) {
      known = read(field, attempt.payload());
      payload = known;
    }
    return known;
  }

  private static JsonNode read(String field, Payload payload) throws AttemptException {
    if (!payload.contentType().startsWith(Payload.JSON)) {
      return Json.of(payload.text());
    }
    if (payload.isEmpty()) {
      return Json.of(Map.of());
    }
    return Json.parse(payload.bytes())
        .orElseThrow(() -> AttemptException.rejected(field
            + " takes values from the payload, which must be JSON because of its content type, but is not."
            + " Correct the payload or its content type."));
  }

  private String secret(String field, Source source, String name) throws AttemptException {
    SecretValue found = scope
        .secrets()
        .find(name)
        .orElseThrow(() -> missing(field, source, "is not a secret of this namespace"));
    redaction.add(name, found.value());
    if (!found.destinations().allow(to)) {
      scope.secrets().refused(name, to);
      throw AttemptException.rejected(field + " must not use secret " + name
          + " here, because the secret may be sent only to its own destinations, but would go to "
          + to
          + ". Correct the executor settings, or ask an admin to store the secret again with this"
          + " destination.");
    }
    return found.value();
  }

  private Object known(String field, Source source, Fact fact) throws AttemptException {
    Instant scheduled = attempt.scheduled();
    return switch (fact) {
      case SCHEDULED -> scheduled.toString();
      case SCHEDULED_DATE -> scheduled.atZone(zone).toLocalDate().toString();
      case SCHEDULED_EPOCH_MILLIS -> scheduled.toEpochMilli();
      case TASK -> attempt.task().toString();
      case JOB -> attempt.job().map(JobId::value).orElseGet(() -> attempt.task().toString());
      case ATTEMPT -> attempt.number();
      case TOKEN -> attempt.token().value();
      case KEY -> attempt.idempotencyKey();
      case NAMESPACE -> scope.namespace();
      case CALLBACK_URL ->
        callback.orElseThrow(
            () -> missing(field, source, "is only available with complete: callback or auto"));
    };
  }

  private static AttemptException missing(String field, Source source, String how) {
    return AttemptException.rejected(field + " needs a value for ${" + source
        + "}, because a request without it would have another meaning, but the value " + how
        + ". Provide the value, or remove the placeholder.");
  }
}
