package io.belfry.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request before it is sent.
 *
 * <p>Threading: immutable; each method returns a new call.
 *
 * @param path encoded
 * @param repeatable whether the call is idempotent, so that it may be sent again
 * @param anonymous whether to send it without the token
 */
record Call(
    String method,
    String path,
    List<String> query,
    Map<String, String> headers,
    Optional<JsonNode> body,
    boolean repeatable,
    boolean anonymous) {

  private static Call of(String method, String path, boolean repeatable) {
    return new Call(method, path, List.of(), Map.of(), Optional.empty(), repeatable, false);
  }

  static Call get(String path) {
    return of("GET", path, true);
  }

  static Call put(String path, JsonNode body) {
    return of("PUT", path, true).body(body);
  }

  static Call delete(String path) {
    return of("DELETE", path, true);
  }

  /** A POST is sent once unless {@link #idempotent} allows retries. */
  static Call post(String path) {
    return of("POST", path, false);
  }

  static Call patch(String path, JsonNode body) {
    return of("PATCH", path, true).body(body);
  }

  Call body(JsonNode node) {
    return new Call(method, path, query, headers, Optional.of(node), repeatable, anonymous);
  }

  /** Adds a query parameter if it has a value. */
  Call with(String name, @Nullable Object value) {
    if (value == null || (value instanceof Optional<?> maybe && maybe.isEmpty())) {
      return this;
    }
    Object plain = value instanceof Optional<?> maybe ? maybe.orElseThrow() : value;
    var more = new ArrayList<>(query);
    more.add(name + "=" + URLEncoder.encode(plain.toString(), StandardCharsets.UTF_8));
    return new Call(method, path, List.copyOf(more), headers, body, repeatable, anonymous);
  }

  Call header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Call(method, path, query, Map.copyOf(more), body, repeatable, anonymous);
  }

  Call idempotent(boolean is) {
    return new Call(method, path, query, headers, body, is, anonymous);
  }

  Call withoutToken() {
    return new Call(method, path, query, headers, body, repeatable, true);
  }

  boolean deletes() {
    return method.equals("DELETE");
  }

  String address() {
    return query.isEmpty() ? path : path + "?" + String.join("&", query);
  }

  /** For messages: without query, headers and body, which may contain private data. */
  @Override
  public String toString() {
    return method + " " + path;
  }

  /** Encodes one part of a path. */
  static String part(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("The id must not be empty.");
    }
    if (text.equals(".") || text.equals("..")) {
      return text.replace(".", "%2E");
    }
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
