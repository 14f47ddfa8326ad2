package io.belfry.executors.json;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Parses, navigates and writes JSON. Threading: stateless. */
public final class Json {
  private static final int INDEX_DIGITS_MAX = 6;
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private Json() {}

  /** The JSON document in the text; empty if the text is not exactly one valid document. */
  public static Optional<JsonNode> parse(String text) {
    return text.isBlank() ? Optional.empty() : read(() -> MAPPER.readTree(text));
  }

  /** The same for UTF-8 bytes. */
  public static Optional<JsonNode> parse(byte[] utf8) {
    return utf8.length == 0 ? Optional.empty() : read(() -> MAPPER.readTree(utf8));
  }

  private static Optional<JsonNode> read(Supplier<JsonNode> reading) {
    try {
      return Optional.of(reading(reading)).filter(node -> !node.isMissingNode());
    } catch (JacksonException e) {
      return Optional.empty(); // the caller decides what it means that the text is not JSON
    }
  }

  /**
   * Runs a read of any mapper, and reports every problem with the text as one exception: a number with an exponent beyond all types
   * would otherwise be a {@link NumberFormatException}.
   *
   * @throws JacksonException if it is not what is read
   */
  public static <T> T reading(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (NumberFormatException e) {
      throw new StreamReadException(null, "a number is too large for every number type", e);
    }
  }

  /** Converts a tree of maps, lists and plain values to JSON nodes. */
  public static JsonNode of(Object plain) {
    return MAPPER.valueToTree(plain);
  }

  public static byte[] bytes(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  /** The segments of a path such as {@code items.0.id}. */
  public static List<String> path(String text) {
    return List.of(text.split("\\.", -1));
  }

  /** The value at the path: fields by name, elements by index. */
  public static Optional<JsonNode> at(JsonNode root, List<String> path) {
    @Nullable JsonNode node = root;
    for (String step : path) {
      node = node.isArray() ? element(node, step) : node.get(step);
      if (node == null) {
        return Optional.empty();
      }
    }
    return Optional.of(node);
  }

  private static @Nullable JsonNode element(JsonNode array, String step) {
    boolean place = !step.isEmpty()
        && step.length() <= INDEX_DIGITS_MAX
        && step.chars().allMatch(c -> c >= '0' && c <= '9');
    return place ? array.get(Integer.parseInt(step)) : null;
  }

  /** A string without quotes, everything else as JSON. */
  public static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }

  /** Whether both values are equal; 1 equals 1.0. */
  public static boolean same(JsonNode one, JsonNode other) {
    boolean numbers = one.isNumber() && other.isNumber();
    return numbers ? one.decimalValue().compareTo(other.decimalValue()) == 0 : one.equals(other);
  }
}
