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
 * One request, before it is sent.
 *
 * <p>Threading: immutable; each method returns another call.
 *
 * @param path encoded
 * @param repeatable whether doing it twice is the same as doing it once
 * @param anonymous whether it goes without the token
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

  /** Not repeated, unless {@link #idempotent} says that it may. */
  static Call post(String path) {
    return of("POST", path, false);
  }

  static Call patch(String path, JsonNode body) {
    return of("PATCH", path, true).body(body);
  }

  Call body(JsonNode node) {
    return new Call(method, path, query, headers, Optional.of(node), repeatable, anonymous);
  }

  /** With a parameter, if there is a value for it. */
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

  /** For messages: without query, headers and body, which may hold what is nobody's business. */
  @Override
  public String toString() {
    return method + " " + path;
  }

  /** Encodes one part of a path. */
  static String part(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("An empty id names nothing. Give one.");
    }
    if (text.equals(".") || text.equals("..")) {
      return text.replace(".", "%2E");
    }
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
