package io.belfry.server.rest;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why a request was not carried out. Thrown by handlers, and answered as {@code {code, message, field, details}}.
 *
 * <p>Threading: immutable.
 */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A word for programs, and the status that goes with it. */
  enum Code {
    INVALID(400, "invalid"),
    UNAUTHENTICATED(401, "unauthenticated"),
    FORBIDDEN(403, "forbidden"),
    NOT_FOUND(404, "notFound"),
    NOT_ALLOWED(405, "notAllowed"),
    TIMEOUT(408, "timeout"),
    CONFLICT(409, "conflict"),
    STALE(412, "stale"),
    TOO_LARGE(413, "tooLarge"),
    UNSUPPORTED(415, "unsupported"),
    TOO_MANY(429, "tooMany"),
    BROKEN(500, "broken"),
    UNAVAILABLE(503, "unavailable"),
    UNKNOWN(503, "unknown");

    final int status;
    final String word;

    Code(int status, String word) {
      this.status = status;
      this.word = word;
    }
  }

  private final Code code;
  private final transient Optional<String> field;
  private final int seconds;
  private final transient Map<String, String> details;
  private final transient Optional<String> cause;

  private Problem(
      Code code,
      String message,
      Optional<String> field,
      int seconds,
      Map<String, String> details,
      Optional<String> cause) {
    super(message, null, false, false);
    this.code = code;
    this.field = field;
    this.seconds = seconds;
    this.details = details;
    this.cause = cause;
  }

  private Problem(
      Code code, String message, Optional<String> field, int seconds, Optional<String> cause) {
    this(code, message, field, seconds, Map.of(), cause);
  }

  static Problem of(Code code, String message) {
    return new Problem(code, message, Optional.empty(), 1, Optional.empty());
  }

  static Problem at(String field, Code code, String message) {
    return new Problem(code, message, Optional.of(field), 1, Optional.empty());
  }

  /** The same, with parts of the sentence for a page that asks its user what to do. */
  Problem with(Map<String, String> parts) {
    return new Problem(
        code, String.valueOf(getMessage()), field, seconds, Map.copyOf(parts), cause);
  }

  /** One that passes, but not before so many seconds. */
  static Problem later(Code code, String message, int seconds) {
    return new Problem(code, message, Optional.empty(), seconds, Optional.empty());
  }

  static Problem notFound(String what, String id) {
    return of(
        Code.NOT_FOUND,
        "There is no " + what + " \"" + id + "\" here. Correct it, or list what there is.");
  }

  /** With a cause that names servers and paths, which only admins are told. */
  Problem causedBy(String words) {
    return new Problem(code, String.valueOf(getMessage()), field, seconds, Optional.of(words));
  }

  /** With its cause in the message, if it has one that others are not told. */
  Problem forAdmin() {
    return cause
        .map(words ->
            new Problem(code, getMessage() + " Cause: " + words, field, seconds, Optional.empty()))
        .orElse(this);
  }

  Code code() {
    return code;
  }

  /** Whether it is worth trying again a little later. */
  boolean passes() {
    return code == Code.TOO_MANY || code == Code.UNAVAILABLE || code == Code.UNKNOWN;
  }

  /** After how many seconds it may have passed. */
  int seconds() {
    return seconds;
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("code", code.word)
        .put("message", String.valueOf(getMessage()));
    field.ifPresent(name -> node.put("field", name));
    if (!details.isEmpty()) {
      ObjectNode parts = node.putObject("details");
      new TreeMap<>(details).forEach(parts::put);
    }
    return node;
  }
}
