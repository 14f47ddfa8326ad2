package io.belfry.server.rest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Documents after the schemas of the API: right ones, nearly right ones, and what is no document at all. Threading: confined to its owner. */
final class OddJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 5;

  /** Right words for fields of that name, such that nothing fires, runs or vanishes by itself. */
  private static final Map<String, List<String>> WORDS = Map.ofEntries(
      Map.entry("type", List.of("local", "local", "http", "script", "nonsense")),
      Map.entry("cron", List.of("0 0 1 1 *", "0 0 0 1 1 *", "@yearly", "0 0 30 2 *", "x")),
      Map.entry("zone", List.of("Europe/Berlin", "UTC", "Mars/Olympus")),
      Map.entry("every", List.of("1000d", "PT9000H", "5", "-1d", "0s")),
      Map.entry("at", List.of("2090-01-01T00:00:00Z", "2090-01-01T00:00:00.5+02:00", "tomorrow")),
      Map.entry("in", List.of("1h", "30d", "999999999999d", "PT-1H")),
      Map.entry("from", List.of("start", "2027-01-01", "2027-02-30")),
      Map.entry("to", List.of("2027-02-01", "https://example.org/hook")),
      Map.entry("after", List.of("nobody", "No Body")),
      Map.entry("start", List.of("2088-01-01", "2088-01-01T00:00:00Z", "soon")),
      Map.entry("end", List.of("2091-01-01", "2087-01-01")),
      Map.entry("calendar", List.of("nowhere")),
      Map.entry("rate", List.of("5/s", "100/min", "0/s", "99999999999/s", "x/y")),
      Map.entry("for", List.of("7d", "0s", "P1Y")),
      Map.entry("finishedBy", List.of("06:00", "25:00")),
      Map.entry("dates", List.of("2027-01-01", "never")),
      Map.entry("yearly", List.of("12-25", "02-30")),
      Map.entry(
          "holidays", List.of("2027-01-01\n2027-12-25\n", "BEGIN:VCALENDAR\r\nEND:VCALENDAR")),
      Map.entry("strategy", List.of("round-robin", "least-tasks", "by-height")),
      Map.entry("name", List.of("default", "a name", "Ünïcödé 鐘楼")),
      Map.entry("worker", List.of("nobody")));

  private static final List<String> STRINGS = List.of(
      "",
      " ",
      "\u0000",
      "a\u0000b",
      "../../etc/passwd",
      "a/b",
      "鐘楼 🔔",
      "\u202Eright to left",
      "'; drop table jobs; --",
      "${secret:key}",
      "${payload.x",
      "<script>alert(1)</script>",
      "%s%n%d",
      "1e999",
      "9999-99-99T99:99:99Z",
      "+999999999-12-31T23:59:59Z",
      "-999999999-01-01T00:00:00+18:00",
      "P999999999999999D",
      "999999999999d999999999999d",
      "x".repeat(5000),
      "\r\nX-Injected: 1");

  private static final List<String> RAW = List.of(
      "",
      " ",
      "{",
      "[",
      "]",
      "nul",
      "null",
      "true",
      "\"text\"",
      "42",
      "{}}",
      "{}{}",
      "{\"a\":1,\"a\":2}",
      "{\"executor\":{\"type\":\"local\"},\"executor\":{\"type\":\"local\"}}",
      "{'a': 1}",
      "{\"a\": NaN}",
      "{\"a\": 1e999999}",
      "{\"a\": 01}",
      "{\"a\": \"\\ud800\"}",
      "{\"executor\":{\"type\":\"local\"},\"payload\":\"\\ud800\",\"in\":\"1h\"}",
      "{\"executor\":{\"type\":\"local\"},\"name\":\"\\udc00x\",\"in\":\"1h\"}",
      "{\"\\udfff\": 1}",
      "{/* comment */}",
      "\uFEFF{}",
      "{\"a\": " + "9".repeat(200) + "}",
      "{\"a\": 1e2147483647}",
      "{\"a\": -1E-2147483648}",
      "{\"a\": 0." + "0".repeat(5000) + "1}",
      "{\"limit\": 1e400, \"payload\": 1e-400}",
      "{\"" + "k".repeat(60_000) + "\": 1}",
      "\"" + "\\u0000".repeat(5000) + "\"",
      "[".repeat(64) + "1" + "]".repeat(64),
      "{\"payload\":" + "[".repeat(63) + "]".repeat(63) + "}",
      "[".repeat(100_00),
      "{\"a\":".repeat(2000) + "1" + "}".repeat(2000),
      "[" + "{},".repeat(1500) + "{}]",
      "<xml/>",
      "a=1&b=2",
      "\u0000\u0000");

  private final Schema schema;
  private final RandomGenerator random;
  private final List<String> ids;

  /**
   * A source of documents.
   *
   * @param ids of jobs that its owner alone changes
   */
  OddJson(Schema schema, RandomGenerator random, List<String> ids) {
    this.schema = schema;
    this.random = random;
    this.ids = ids;
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** Something to send where that schema is expected. */
  byte[] body(JsonNode wanted) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return oneOf(RAW).getBytes(StandardCharsets.UTF_8);
    }
    JsonNode value = value(wanted, "", 0);
    if (kind < 8) {
      value = spoilt(value);
    }
    byte[] bytes = value.toString().getBytes(StandardCharsets.UTF_8);
    if (kind == 8 && bytes.length > 1) {
      return java.util.Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 1)); // cut off
    }
    if (kind == 11) {
      return spoiltCharacters(bytes);
    }
    if (kind == 9) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    if (kind == 10) {
      return value
          .toString()
          .getBytes(oneOf(List.of(
              StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.ISO_8859_1)));
    }
    return bytes;
  }

  /** With bytes in it that are no UTF-8: overlong, half a pair, cut off, out of range. */
  private byte[] spoiltCharacters(byte[] bytes) {
    byte[] bad = oneOf(List.of("c0af", "eda080", "e282", "f8888080", "f4908080", "ff", "80"))
        .transform(HexFormat.of()::parseHex);
    int at = random.nextInt(bytes.length + 1);
    var all = new ByteArrayOutputStream();
    all.write(bytes, 0, at);
    all.writeBytes(bad);
    all.write(bytes, at, bytes.length - at);
    return all.toByteArray();
  }

  private JsonNode value(JsonNode given, String name, int depth) {
    JsonNode wanted = schema.resolved(given);
    if (wanted.has("oneOf")) {
      JsonNode choices = wanted.get("oneOf");
      return value(choices.get(random.nextInt(choices.size())), name, depth);
    }
    if (wanted.has("enum")) {
      return oneOf(wanted.get("enum").valueStream().toList());
    }
    return switch (wanted.path("type").asString("")) {
      case "object" -> object(wanted, depth);
      case "array" -> array(wanted, name, depth);
      case "string" -> JSON.stringNode(word(name));
      case "integer" -> whole(wanted);
      case "number" -> JSON.numberNode(random.nextDouble() * 20 - 5);
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      default -> anything(0);
    };
  }

  private String word(String name) {
    if (name.equals("id") || name.equals("ids")) {
      return oneOf(ids);
    }
    if (random.nextInt(20) == 0) {
      return oneOf(STRINGS);
    }
    List<String> known = WORDS.getOrDefault(name, List.of("x", "1m", "abc-1"));
    // mostly the first ones, which are right
    return known.get(Math.min(random.nextInt(known.size()), random.nextInt(known.size())));
  }

  private JsonNode whole(JsonNode wanted) {
    int min = wanted.path("minimum").asInt(0);
    return random.nextInt(4) == 0
        ? oneOf(List.of(
            JSON.numberNode(-1),
            JSON.numberNode(Long.MAX_VALUE),
            JSON.numberNode(Integer.MIN_VALUE),
            JSON.numberNode(1.5)))
        : JSON.numberNode(min);
  }

  private JsonNode object(JsonNode wanted, int depth) {
    ObjectNode node = JSON.objectNode();
    List<String> required =
        wanted.path("required").valueStream().map(each -> each.asString()).toList();
    for (Map.Entry<String, JsonNode> each : wanted.path("properties").properties()) {
      boolean wished = random.nextInt(depth == 0 ? 5 : 3) == 0 && depth < DEPTH_MAX;
      if ((required.contains(each.getKey()) && random.nextInt(15) > 0) || wished) {
        node.set(each.getKey(), value(each.getValue(), each.getKey(), depth + 1));
      }
    }
    if (wanted.path("additionalProperties").isObject()) {
      for (int i = random.nextInt(3); i > 0; i--) {
        node.put(random.nextInt(10) == 0 ? oneOf(STRINGS) : "k" + i, oneOf(STRINGS));
      }
    }
    return node;
  }

  private JsonNode array(JsonNode wanted, String name, int depth) {
    var node = JSON.arrayNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      node.add(value(wanted.path("items"), name, depth + 1));
    }
    return node;
  }

  private JsonNode anything(int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 7)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.numberNode(random.nextLong());
      case 2 -> JSON.booleanNode(true);
      case 3, 4 -> JSON.stringNode(oneOf(STRINGS));
      case 5 -> JSON.arrayNode().add(anything(depth + 1)).add(anything(depth + 1));
      default -> JSON.objectNode().set(oneOf(STRINGS), anything(depth + 1));
    };
  }

  /** The same with one thing wrong in it, somewhere. */
  private JsonNode spoilt(JsonNode value) {
    if (!value.isObject() || value.isEmpty()) {
      return random.nextBoolean() ? anything(0) : value;
    }
    ObjectNode node = (ObjectNode) value;
    List<String> names = new ArrayList<>(node.propertyNames());
    String name = oneOf(names);
    switch (random.nextInt(4)) {
      case 0 -> node.set(name, anything(0));
      case 1 -> node.put(oneOf(List.of("nonsense", name + "x", "", "__proto__")), 1);
      case 2 -> node.remove(name);
      default -> node.set(name, spoilt(node.get(name)));
    }
    return node;
  }
}
