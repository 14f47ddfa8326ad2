package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The key of a limit, with placeholders that are filled in when a task is created.
 *
 * <pre>
 *   ${payload.customer.id}   a string, number or boolean in a JSON payload; array elements by index: ${payload.items.0}
 *   ${metadata.team}         metadata of the job or the submission
 *   ${job} ${queue}          their names
 *   $${                      a literal ${
 * </pre>
 *
 * <p>A placeholder without a value becomes the empty string, so that all tasks without the value share one limit. A key that would
 * exceed {@value #KEY_CHARS_MAX} characters is cut and ends in a hash of the whole key. Threading: immutable.
 */
public final class KeyTemplate {
  static final int KEY_CHARS_MAX = 256;
  private static final int HASH_CHARS = 17;
  private static final String OPEN = "${";

  /** The values of the placeholders. */
  public interface Values {
    /** The name of the job; for a one-off task, its own name. */
    String job();

    String queue();

    Optional<String> metadata(String name);

    /** The value at this path of the payload; empty if it is missing, an object or a list. */
    Optional<String> payload(List<String> path);
  }

  private sealed interface Part {
    record Literal(String text) implements Part {}

    record Placeholder(Function<Values, Optional<String>> value) implements Part {}
  }

  private final List<Part> parts;

  private KeyTemplate(List<Part> parts) {
    this.parts = List.copyOf(parts);
  }

  /**
   * Parses a template.
   *
   * @throws InvalidException with the position of the mistake
   */
  public static KeyTemplate parse(String text) {
    Check.text("limit.key", text, KEY_CHARS_MAX);
    var parts = new ArrayList<Part>();
    var literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("$" + OPEN, at)) {
        literal.append(OPEN);
        at += 1 + OPEN.length();
      } else if (text.startsWith(OPEN, at)) {
        int end = text.indexOf('}', at);
        if (end < 0) {
          throw wrong(text, at, "has a '${' that is not closed by '}'");
        }
        parts.add(new Part.Literal(literal.toString()));
        literal.setLength(0);
        parts.add(new Part.Placeholder(placeholder(text, at + OPEN.length(), end)));
        at = end + 1;
      } else {
        literal.append(text.charAt(at++));
      }
    }
    parts.add(new Part.Literal(literal.toString()));
    return new KeyTemplate(parts);
  }

  /** Refuses a template that cannot be parsed. */
  public static void check(String text) {
    var unused = parse(text);
  }

  /** Whether the text contains a placeholder or an escaped one. */
  public static boolean isTemplate(String text) {
    return text.contains(OPEN);
  }

  private static Function<Values, Optional<String>> placeholder(String text, int from, int to) {
    String name = text.substring(from, to);
    if (name.equals("job")) {
      return values -> Optional.of(values.job());
    }
    if (name.equals("queue")) {
      return values -> Optional.of(values.queue());
    }
    int dot = name.indexOf('.');
    String source = dot < 0 ? name : name.substring(0, dot);
    String rest = dot < 0 ? "" : name.substring(dot + 1);
    if (!source.equals("payload") && !source.equals("metadata")) {
      throw wrong(
          text,
          from,
          "may contain only the placeholders ${payload.path}, ${metadata.name}, ${job} and ${queue}");
    }
    if (source.equals("metadata")) {
      if (rest.isBlank()) {
        throw wrong(text, to, "must name a metadata entry, as in ${metadata.team}");
      }
      return values -> values.metadata(rest);
    }
    List<String> path = List.of(rest.split("\\.", -1));
    int place = from + source.length() + 1;
    for (String step : path) {
      if (step.isBlank()) {
        throw wrong(text, place, "has an empty segment in a path; write it like ${payload.a.b}");
      }
      place += step.length() + 1;
    }
    return values -> values.payload(path);
  }

  private static InvalidException wrong(String text, int at, String rule) {
    return Check.refusal(
        "limit.key",
        text,
        rule + " (at character " + (at + 1) + ")",
        "Correct the template at that character; write '$${' for a literal '${'.");
  }

  /** The key, with all placeholders filled in. */
  public String fill(Values values) {
    var key = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Literal(String text) -> key.append(text);
        case Part.Placeholder(var value) -> key.append(value.apply(values).orElse(""));
      }
    }
    return key.length() <= KEY_CHARS_MAX
        ? key.toString()
        : key.substring(0, KEY_CHARS_MAX - HASH_CHARS) + '#' + hash(key);
  }

  /** FNV-1a: the same on every node and in every version. */
  private static String hash(CharSequence text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return "%016x".formatted(hash);
  }
}
