package io.belfry.server.form;

import io.belfry.model.Check;
import io.belfry.model.Durations;
import io.belfry.model.InvalidException;
import io.belfry.model.Typo;
import io.belfry.model.WireName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the fields of one JSON object, one by one. Each refusal contains the full path of the field; {@link #end} refuses unknown fields.
 *
 * <p>Threading: confined to its owner.
 */
public final class Fields {
  /** Names of the zone UTC, which are normalized so that they compare equal. */
  private static final Set<String> UTC = Set.of("UTC", "Z");

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  private final String path;
  private final JsonNode node;
  private final Set<String> known = new LinkedHashSet<>();

  private Fields(String path, JsonNode node) {
    this.path = path;
    this.node = node;
  }

  /** The fields of a whole document. */
  public static Fields of(JsonNode document) {
    return at("", document);
  }

  static Fields at(String path, JsonNode node) {
    if (!node.isObject()) {
      String name = path.isEmpty() ? "body" : path;
      throw Check.refusal(
          name, kind(node), "must be a JSON object, because it has named fields", "Write { … }.");
    }
    return new Fields(path, node);
  }

  /** The full path of the field. */
  public String name(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /** The value of the field; null counts as absent. */
  public Optional<JsonNode> any(String field) {
    known.add(field);
    @Nullable JsonNode value = node.get(field);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value);
  }

  /** Accepts fields without reading them, so that a response can be sent back as a request. */
  public void ignore(String... fields) {
    known.addAll(List.of(fields));
  }

  public Optional<String> text(String field) {
    return any(field).map(value -> text(name(field), value));
  }

  private static String text(String name, JsonNode value) {
    if (value.isString()) {
      return value.asString();
    }
    throw Check.refusal(name, kind(value), "must be a string", "Write it in quotes.");
  }

  public Optional<Integer> whole(String field) {
    return any(field).map(value -> {
      if (value.isIntegralNumber() && value.canConvertToInt()) {
        return value.asInt();
      }
      throw Check.refusal(
          name(field),
          shown(value),
          "must be a whole number within ±2,147,483,647, because it is a count",
          "Write it without quotes and without a fraction.");
    });
  }

  /** A string or a whole number as text, for fields that are a count or a word. */
  public Optional<String> textOrWhole(String field) {
    return any(field).map(value -> {
      if (value.isString() || value.isIntegralNumber()) {
        return value.asString();
      }
      throw Check.refusal(
          name(field),
          shown(value),
          "must be a whole number or a string",
          "Write a number without a fraction, or a string in quotes.");
    });
  }

  public Optional<Double> number(String field) {
    return any(field).map(value -> {
      if (value.isNumber() && Double.isFinite(value.numberValue().doubleValue())) {
        return value.numberValue().doubleValue();
      }
      throw Check.refusal(
          name(field),
          shown(value),
          "must be a number, because it is used in calculations",
          "Write it without quotes.");
    });
  }

  public Optional<Boolean> flag(String field) {
    return any(field).map(value -> {
      if (value.isBoolean()) {
        return value.asBoolean();
      }
      throw Check.refusal(
          name(field),
          shown(value),
          "must be true or false, because it turns something on or off",
          "Write true or false, without quotes.");
    });
  }

  public Optional<Duration> duration(String field) {
    return text(field).map(text -> Durations.parse(name(field), text));
  }

  public Optional<Instant> instant(String field) {
    return text(field).map(text -> instant(name(field), text));
  }

  /** Parses an instant with an offset; Belfry's precision is milliseconds. */
  public static Instant instant(String name, String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      Check.that(
          !instant.isBefore(FIRST) && instant.isBefore(END),
          name,
          text,
          "must be within the years 1970 to 9999, because task ids contain instants",
          "Choose another instant.");
      return instant;
    } catch (DateTimeException e) {
      throw Check.refusal(
          name,
          text,
          "must be an instant with an offset, because local times are ambiguous",
          "Write for example 2027-01-01T00:00:00Z.");
    }
  }

  /** An instant, or a date, which means the start of that day in the zone. */
  public Optional<Instant> instantOrDay(String field, ZoneId zone) {
    return text(field).map(text -> {
      if (text.length() != "2027-01-01".length()) {
        return instant(name(field), text);
      }
      try {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      } catch (DateTimeException e) {
        throw Check.refusal(
            name(field),
            text,
            "must be an instant or a date, because it limits a period",
            "Write for example 2027-01-01 or 2027-01-01T08:00:00Z.");
      }
    });
  }

  public Optional<ZoneId> zone(String field) {
    return text(field).map(text -> zone(name(field), text));
  }

  public static ZoneId zone(String name, String text) {
    try {
      return UTC.contains(text) ? ZoneOffset.UTC : ZoneId.of(text);
    } catch (DateTimeException e) {
      throw Check.refusal(
          name,
          text,
          "must be a time zone, because it defines when days begin",
          "Write for example Asia/Shanghai, Europe/Berlin or UTC.");
    }
  }

  /** The display name of a zone. */
  public static String zone(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  public <E extends Enum<E>> Optional<E> word(String field, Class<E> type) {
    return text(field).map(text -> WireName.parse(type, name(field), text));
  }

  public <E extends Enum<E>> Optional<Set<E>> words(String field, Class<E> type) {
    return texts(field).map(all -> {
      EnumSet<E> found = EnumSet.noneOf(type);
      all.forEach(text -> found.add(WireName.parse(type, name(field), text)));
      return found;
    });
  }

  public Optional<List<String>> texts(String field) {
    return items(field).map(all -> {
      var texts = new ArrayList<String>();
      for (int i = 0; i < all.size(); i++) {
        texts.add(text(name(field) + "[" + i + "]", all.get(i)));
      }
      return texts;
    });
  }

  public Optional<List<JsonNode>> items(String field) {
    return any(field).map(value -> {
      if (value.isArray()) {
        return List.copyOf(value.values());
      }
      throw Check.refusal(
          name(field),
          kind(value),
          "must be a list, because it may have several values",
          "Write [ … ].");
    });
  }

  public Optional<Map<String, String>> labels(String field) {
    return any(field).map(value -> {
      Fields.at(name(field), value);
      var labels = new LinkedHashMap<String, String>();
      value
          .properties()
          .forEach(each ->
              labels.put(each.getKey(), text(name(field) + "." + each.getKey(), each.getValue())));
      return Check.labels(name(field), labels);
    });
  }

  /** Reads the field as an object without unknown fields. */
  public <T> Optional<T> object(String field, Function<Fields, T> read) {
    return any(field).map(value -> {
      Fields inner = at(name(field), value);
      T made = read.apply(inner);
      inner.end();
      return made;
    });
  }

  public RuntimeException missing(String field, String why) {
    return Check.refusal(
        name(field),
        new Check.Plain("nothing"),
        "must be given, because " + why,
        "Add the field " + name(field) + ".");
  }

  /** Refuses unknown fields, because a mistyped field would silently have no effect. */
  public void end() {
    for (String field : node.propertyNames()) {
      if (!known.contains(field)) {
        throw unknown(name(Check.clip(field, 80)), "field", field, known);
      }
    }
  }

  /** A refusal of an unknown name, with the most similar known name. */
  public static InvalidException unknown(
      String name, String kind, String given, Collection<String> known) {
    String remedy = Typo.correction(given, known)
        .map(near -> "Did you mean " + near + "?")
        .orElse(
            known.isEmpty()
                ? "None is supported here."
                : "Supported here: " + String.join(", ", known) + ".");
    return new InvalidException(name, name + " is not a " + kind + " here. " + remedy);
  }

  private static Object kind(JsonNode value) {
    return new Check.Plain(
        switch (value.getNodeType()) {
          case NULL -> "null";
          case ARRAY -> "a list";
          case OBJECT -> "an object";
          case BOOLEAN -> "true or false";
          case STRING -> "a string";
          default -> "a " + WireName.of(value.getNodeType());
        });
  }

  private static Object shown(JsonNode value) {
    return value.isValueNode() ? value.asString() : kind(value);
  }
}
