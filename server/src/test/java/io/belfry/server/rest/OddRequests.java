package io.belfry.server.rest;

import io.belfry.server.rest.Document.Operation;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Requests after the document: right ones, and such as no client would send. Threading: confined to its owner. */
final class OddRequests {
  private static final Pattern BRACES = Pattern.compile("\\{(\\w+)}");
  private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();
  private static final List<String> STREAMS = List.of("events", "taskLogs");

  private static final List<String> SEGMENTS = List.of(
      "..",
      ".",
      "%2e%2e",
      "%2e%2e%2f%2e%2e%2fetc",
      "a%2fb",
      "a%5cb",
      "a;x=y",
      ";",
      "%00",
      "a%00b",
      "%ff%fe",
      "%c0%af",
      "%zz",
      "%",
      "%F0%9F%94%94",
      "%20",
      "%0d%0aX-Injected:%201",
      "*",
      "-",
      "@",
      "w@2027-01-01T00:00:00Z",
      "w@+999999999-01-01T00:00:00Z",
      "w!x",
      "x%27%22%3Cscript%3E",
      "$%7Bsecret:a%7D",
      "A".repeat(200),
      "a".repeat(129),
      "a".repeat(3000),
      "nobody",
      "9".repeat(30),
      "-1",
      "belfry.system");

  private static final List<String> VALUES = List.of(
      "",
      "1",
      "0",
      "-1",
      "99999999999999999999",
      "true",
      "%00",
      "%ff",
      "%zz",
      "2027-01-01T00:00:00Z",
      "%2B999999999-12-31T23:59:59Z",
      "-999999999-01-01T00:00:00Z",
      "AAAA",
      "%F0%9F%94%94",
      "default%2F0000",
      "a".repeat(2500),
      "a,b,c",
      "0+0+1+1+*",
      "H+H+*+*+*",
      "pending",
      "-id",
      "x%3Dy");

  private static final List<String> HEADER_VALUES = List.of(
      "*",
      "\"1\"",
      "W/\"1\"",
      "1",
      "-1",
      "99999999999999999999999",
      "\"",
      "1:-5",
      "1:2",
      "-7:99999",
      ":",
      "99999999999:1",
      "a-1",
      "\u00e9\u00ff",
      "x".repeat(300),
      "");

  private static final List<String> METHODS = List.of(
      "GET",
      "POST",
      "PUT",
      "DELETE",
      "PATCH",
      "HEAD",
      "OPTIONS",
      "TRACE",
      "PROPFIND",
      "FOO",
      "get");

  private static final List<String> TYPES = List.of(
      "application/json; charset=utf-8",
      "application/json;charset=latin1",
      "application/json; charset=nonsense",
      "APPLICATION/JSON",
      "application/json;",
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml",
      "*/*",
      ";",
      "json");

  private static final String UPGRADE = "Upgrade: websocket";
  private static final List<String> MORE = List.of(
      "Accept: text/html;q=x",
      "Accept-Encoding: gzip, nonsense",
      "Content-Encoding: gzip",
      "Expect: 100-continue",
      "Range: bytes=0-1",
      "X-HTTP-Method-Override: DELETE",
      "X-Forwarded-For: 1.2.3.4",
      "Cookie: belfry=\"; belfry=x; =; ;;",
      "Origin: https://elsewhere.example",
      "If-Modified-Since: yesterday",
      "Belfry-Csrf: x",
      UPGRADE,
      "Forwarded: for=\"",
      "X-Forwarded-For: " + "1.2.3.4, ".repeat(500),
      "X-Forwarded-Proto: https",
      "Content-Language: \u00ff",
      "If-None-Match: \"" + "x".repeat(2000) + "\"",
      "Cookie: " + "a=b; ".repeat(1500),
      "Cookie: __Host-belfry=" + "x".repeat(4000),
      "Last-Event-ID: -9223372036854775809",
      "X-Long: " + "x".repeat(9000));

  /**
   * One request.
   *
   * @param plain whether it surely goes to its operation, whose answers are declared then
   */
  record Request(Operation operation, String method, String target, byte[] bytes, boolean plain) {
    /** Without the zeros of UTF-16. */
    String text() {
      return new String(bytes, StandardCharsets.UTF_8).replace("\u0000", "");
    }

    boolean isForHead() {
      return method.equals("HEAD");
    }

    @Override
    public String toString() {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return text.length() > 900 ? text.substring(0, 900) + "…" : text;
    }
  }

  private final Document document;
  private final RandomGenerator random;
  private final OddJson json;
  private final List<String> ids;
  private final String token;

  OddRequests(Document document, RandomGenerator random, List<String> ids, String token) {
    this.document = document;
    this.random = random;
    this.ids = ids;
    this.token = token;
    this.json = new OddJson(document.schema(), random, ids);
  }

  private boolean rarely(int of) {
    return random.nextInt(of) == 0;
  }

  Request next() {
    Operation operation = json.oneOf(document.operations());
    if (STREAMS.contains(operation.id()) && !rarely(4)) {
      return next();
    }
    boolean otherMethod = rarely(15);
    String method = otherMethod ? json.oneOf(METHODS) : operation.method();
    Optional<String> trick = rarely(12) ? Optional.of(path(operation, true)) : Optional.empty();
    String path = trick.map(this::tricked).orElseGet(() -> path(operation, false));
    String target = path + query(operation);
    byte[] body = operation.body().isPresent() || rarely(20)
        ? json.body(operation.body().orElse(NOTHING))
        : new byte[0];
    if (rarely(400)) {
      body = " ".repeat(70_000).getBytes(StandardCharsets.UTF_8);
    }
    boolean tooLong = rarely(150);
    List<String> headers = headers(operation, body.length, tooLong);
    byte[] bytes = bytes(method, target, headers, body);
    boolean plain = trick.isEmpty()
        && !otherMethod
        && !tooLong
        && !headers.contains(UPGRADE)
        && !target.matches("(?s).*(%2[fe]|%5c|%00|%zz|%ff|%c0|;|\\.\\.|/\\./|%$|%[^0-9A-Fa-f]).*")
        && !target.contains("/./")
        && target.length() < 2000;
    return new Request(operation, method, target, bytes, plain);
  }

  private String path(Operation operation, boolean right) {
    return BRACES
        .matcher(operation.path())
        .replaceAll(found -> Matcher.quoteReplacement(segment(found.group(1), right)));
  }

  private String segment(String name, boolean right) {
    if (!right && rarely(name.equals("ns") ? 20 : 6)) {
      return json.oneOf(SEGMENTS);
    }
    return switch (name) {
      case "ns" -> "default";
      case "generation" -> String.valueOf(1 + random.nextInt(3));
      case "job", "task", "calendar", "secret", "queue" -> json.oneOf(ids);
      default -> "nobody";
    };
  }

  private String tricked(String path) {
    return switch (random.nextInt(9)) {
      case 0 -> path.replace("/", "//");
      case 1 -> path + "/";
      case 2 -> path.replaceFirst("/", "/../");
      case 3 -> path.replaceFirst("/api", "/api/%2e%2e/api");
      case 4 -> path + ";x=y";
      case 5 -> path.toUpperCase(java.util.Locale.ROOT);
      case 6 -> path.replaceFirst("/", "/./");
      case 7 -> "http://elsewhere.example" + path;
      default -> path.replace("/v1", "/v1%2F");
    };
  }

  private String query(Operation operation) {
    var all = new ArrayList<String>();
    for (JsonNode parameter : operation.parameters()) {
      if (parameter.path("in").asString("").equals("query") && rarely(3)) {
        all.add(parameter.path("name").asString() + "=" + value(parameter.path("schema")));
      }
    }
    if (rarely(30)) {
      all.add(json.oneOf(List.of("nonsense=1", "=", "&&", "a[]=1", "limit=1&limit=2", "%00=1")));
    }
    return all.isEmpty() ? "" : "?" + String.join("&", all);
  }

  private String value(JsonNode given) {
    JsonNode schema = document.schema().resolved(given);
    if (schema.has("enum") && !rarely(3)) {
      JsonNode one = json.oneOf(schema.get("enum").valueStream().toList());
      return URLEncoder.encode(one.asString(), StandardCharsets.UTF_8);
    }
    return json.oneOf(VALUES);
  }

  private List<String> headers(Operation operation, int length, boolean tooLong) {
    var headers = new ArrayList<String>();
    headers.add("Host: 127.0.0.1");
    if (token.isEmpty() && !rarely(4)) {
      // A stranger shows nothing, mostly.
      return more(headers, operation, length, tooLong);
    }
    if (!token.isEmpty() && !rarely(60)) {
      headers.add("Authorization: Bearer " + token);
    } else {
      headers.add(
          "Authorization: " + json.oneOf(List.of("Bearer", "Basic eDp5", "", "Bearer \u00ff")));
    }
    return more(headers, operation, length, tooLong);
  }

  private List<String> more(
      List<String> headers, Operation operation, int length, boolean tooLong) {
    if (length > 0) {
      headers.add("Content-Length: " + length);
      headers.add("Content-Type: " + (rarely(15) ? json.oneOf(TYPES) : "application/json"));
    } else if (!operation.method().equals("GET")) {
      headers.add("Content-Length: 0");
    }
    for (String name : operation.names("header")) {
      if (rarely(3)) {
        headers.add(name + ": " + json.oneOf(HEADER_VALUES));
      }
    }
    if (rarely(20)) {
      headers.add(json.oneOf(MORE));
    }
    if (tooLong) {
      headers.add("X-Too-Long: " + "x".repeat(20_000));
    }
    return headers;
  }

  private static byte[] bytes(String method, String target, List<String> headers, byte[] body) {
    var all = new ByteArrayOutputStream();
    String head =
        method + " " + target + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(body);
    return all.toByteArray();
  }
}
