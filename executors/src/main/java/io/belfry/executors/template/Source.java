package io.belfry.executors.template;

import static java.util.stream.Collectors.joining;

import io.belfry.executors.json.Json;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The source of a placeholder's value. */
sealed interface Source {
  Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** Values that every attempt has. */
  enum Fact {
    SCHEDULED("scheduled"),
    SCHEDULED_DATE("scheduled.date"),
    SCHEDULED_EPOCH_MILLIS("scheduled.epochMillis"),
    TASK("task"),
    JOB("job"),
    ATTEMPT("attempt"),
    TOKEN("token"),
    KEY("key"),
    NAMESPACE("namespace"),
    CALLBACK_URL("callback.url");

    private final String written;

    Fact(String written) {
      this.written = written;
    }
  }

  /**
   * A value from the payload.
   *
   * @param path empty for the payload as a whole
   */
  record Payload(List<String> path) implements Source {
    @Override
    public String toString() {
      return path.isEmpty() ? "payload" : "payload." + String.join(".", path);
    }
  }

  record Metadata(String name) implements Source {
    @Override
    public String toString() {
      return "metadata." + name;
    }
  }

  record Secret(String name) implements Source {
    @Override
    public String toString() {
      return "secret:" + name;
    }
  }

  record Known(Fact fact) implements Source {
    @Override
    public String toString() {
      return fact.written;
    }
  }

  /** Whether the value must not be shown, and must be sent only to its own target. */
  default boolean isCredential() {
    return this instanceof Secret || isCallback();
  }

  default boolean isCallback() {
    return this instanceof Known(Fact fact) && fact == Fact.CALLBACK_URL;
  }

  static Source parse(String field, String name) {
    if (name.equals("payload")) {
      return new Payload(List.of());
    }
    if (name.startsWith("payload.")) {
      List<String> path = Json.path(name.substring("payload.".length()));
      if (path.stream().noneMatch(String::isBlank)) {
        return new Payload(path);
      }
    }
    if (name.startsWith("metadata.") && name.length() > "metadata.".length()) {
      return new Metadata(name.substring("metadata.".length()));
    }
    if (name.startsWith("secret:")) {
      return secret(field, name.substring("secret:".length()));
    }
    return Arrays.stream(Fact.values())
        .filter(fact -> fact.written.equals(name))
        .<Source>map(Known::new)
        .findFirst()
        .orElseThrow(() -> unknown(field, name));
  }

  private static Source secret(String field, String name) {
    Check.that(
        SECRET_NAME.matcher(name).matches(),
        field,
        "${secret:" + name + "}",
        "must name a secret with 1 to 128 letters, digits, '.', '_' and '-', because secret names have no other characters",
        "Write it like ${secret:billing-token}, or '$${' for a literal '${'.");
    return new Secret(name);
  }

  private static InvalidException unknown(String field, String name) {
    String facts = Arrays.stream(Fact.values()).map(fact -> fact.written).collect(joining(", "));
    return Check.refusal(
        field,
        "${" + name + "}",
        "must be a known placeholder (payload, payload.path, metadata.name, secret:name, " + facts
            + "), because other placeholders have no value",
        "Correct the name, or write '$${' for a literal '${'.");
  }
}
