package io.belfry.executors.template;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.json.Json;
import io.belfry.model.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * A text with placeholders, such as <code>Bearer &#36;{secret:billing}</code>; a doubled dollar sign escapes a placeholder.
 *
 * <p>Threading: immutable.
 */
public final class Template {
  private static final String OPEN = "${";
  private static final int SOURCE_CHARS_MAX = 300;

  sealed interface Part {
    record Text(String text) implements Part {}

    record Placeholder(Source source) implements Part {}
  }

  private final String field;
  private final List<Part> parts;

  Template(String field, List<Part> parts) {
    this.field = field;
    this.parts = List.copyOf(parts);
  }

  /**
   * Parses a template.
   *
   * @param field the path of the setting, for refusals
   * @throws io.belfry.model.InvalidException if a placeholder is not closed or is unknown
   */
  public static Template parse(String field, String text) {
    var parts = new ArrayList<Part>();
    var literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("$" + OPEN, at)) {
        literal.append(OPEN);
        at += 1 + OPEN.length();
      } else if (text.startsWith(OPEN, at)) {
        addText(parts, literal);
        int end = end(field, text, at);
        parts.add(
            new Part.Placeholder(Source.parse(field, text.substring(at + OPEN.length(), end))));
        at = end + 1;
      } else {
        literal.append(text.charAt(at++));
      }
    }
    addText(parts, literal);
    return new Template(field, parts);
  }

  private static void addText(List<Part> parts, StringBuilder literal) {
    if (!literal.isEmpty()) {
      parts.add(new Part.Text(literal.toString()));
      literal.setLength(0);
    }
  }

  private static int end(String field, String text, int at) {
    int end = text.indexOf('}', at);
    if (end < 0 || end - at > SOURCE_CHARS_MAX) {
      throw Check.refusal(
          field,
          text.substring(at),
          "has a '${' that is not closed by '}' within " + SOURCE_CHARS_MAX + " characters",
          "Close it, or write '$${' for a literal '${'.");
    }
    return end;
  }

  String field() {
    return field;
  }

  List<Part> parts() {
    return parts;
  }

  public boolean isLiteral() {
    return !holds(source -> true);
  }

  /** Whether it contains a placeholder for a secret or for the callback URL, which must be sent only to their own target. */
  public boolean hasCredential() {
    return holds(Source::isCredential);
  }

  public boolean usesCallback() {
    return holds(Source::isCallback);
  }

  private boolean holds(Predicate<Source> what) {
    return parts.stream()
        .anyMatch(part -> part instanceof Part.Placeholder(Source s) && what.test(s));
  }

  /** The source, if the whole text is exactly one placeholder. */
  Optional<Source> only() {
    return parts.size() == 1 && parts.getFirst() instanceof Part.Placeholder(Source source)
        ? Optional.of(source)
        : Optional.empty();
  }

  /** The text with all values filled in unchanged. */
  public String fill(Values values) throws AttemptException {
    return fill(values, value -> value);
  }

  String fill(Values values, UnaryOperator<String> escaped) throws AttemptException {
    var filled = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Text(String text) -> filled.append(text);
        case Part.Placeholder(Source source) ->
          filled.append(escaped.apply(values.text(field, source)));
      }
    }
    return filled.toString();
  }

  /** A string; or the value itself, with its type, if the whole template is one placeholder. */
  JsonNode fillJson(Values values) throws AttemptException {
    Optional<Source> only = only();
    return only.isPresent() ? values.json(field, only.get()) : Json.of(fill(values));
  }
}
