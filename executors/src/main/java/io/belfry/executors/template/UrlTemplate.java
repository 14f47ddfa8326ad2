package io.belfry.executors.template;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.template.Template.Part;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL with placeholders in its path and query.
 *
 * <pre>
 *   https://billing.local:8443 /invoices/${payload.id}/lines ?day=${scheduled.date}
 *   └──── literal, always ───┘ └ neither empty nor '..' ───┘ └ anything, encoded ──┘
 * </pre>
 *
 * <p>Threading: immutable.
 */
public final class UrlTemplate {
  private static final Pattern BASE =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{0,30}+://[^/?#]*)([/?#].*)?");
  private static final Pattern SLASHES = Pattern.compile("[/\\\\]");
  private static final int CHARS_MAX = 8192;

  private final String field;
  private final String base;
  private final Template path;
  private final Template query;
  private final Map<String, Template> parameters;

  private UrlTemplate(
      String field, String base, Template path, Template query, Map<String, Template> parameters) {
    this.field = field;
    this.base = base;
    this.path = path;
    this.query = query;
    this.parameters = parameters;
  }

  /**
   * Parses a URL.
   *
   * @param parameters further query parameters by name, with the path of their setting
   * @throws InvalidException if scheme, host or port contain a placeholder
   */
  public static UrlTemplate parse(String field, String url, Map<String, Template> parameters) {
    List<Part> parts = Template.parse(field, url).parts();
    String beginning =
        !parts.isEmpty() && parts.getFirst() instanceof Part.Text(String text) ? text : "";
    Matcher split = BASE.matcher(beginning);
    boolean literal = split.matches() && (parts.size() == 1 || split.group(2) != null);
    if (!literal) {
      throw notLiteral(field, url);
    }
    var rest = new ArrayList<>(parts);
    rest.set(0, new Part.Text(split.group(2) == null ? "" : split.group(2)));
    List<Part> sent = before(rest, '#');
    List<Part> path = before(sent, '?');
    var made = new UrlTemplate(
        field,
        split.group(1),
        new Template(field, path),
        new Template(field, after(sent, path)),
        new LinkedHashMap<>(parameters));
    made.checkLiteralDots();
    return made;
  }

  /** Scheme, host and port as written. */
  public String base() {
    return base;
  }

  public boolean hasCredential() {
    return path.hasCredential()
        || query.hasCredential()
        || parameters.values().stream().anyMatch(Template::hasCredential);
  }

  public boolean usesCallback() {
    return path.usesCallback()
        || query.usesCallback()
        || parameters.values().stream().anyMatch(Template::usesCallback);
  }

  /** Path and query, which follow {@link #base}. */
  public String fill(Values values) throws AttemptException {
    var url = new StringBuilder(filledPath(values));
    String asked = query.fill(values, Percent::encode);
    url.append(asked);
    char separator = asked.isEmpty() ? '?' : '&';
    for (var parameter : parameters.entrySet()) {
      url.append(separator).append(Percent.encode(parameter.getKey()));
      url.append('=').append(Percent.encode(parameter.getValue().fill(values)));
      separator = '&';
    }
    if (url.length() > CHARS_MAX) {
      throw AttemptException.rejected(field + " must have at most " + CHARS_MAX
          + " characters after its placeholders are filled in, because servers refuse longer URLs, but had "
          + url.length() + ". Send large values in the body.");
    }
    return url.toString();
  }

  private String filledPath(Values values) throws AttemptException {
    var filled = new StringBuilder();
    for (Part part : path.parts()) {
      switch (part) {
        case Part.Text(String text) -> filled.append(text);
        case Part.Placeholder(Source source) -> {
          String value = values.text(field, source);
          if (value.isEmpty()) {
            throw AttemptException.rejected(field + " needs a value for ${" + source
                + "} that is not empty, because an empty value changes the path. Provide a value.");
          }
          filled.append(Percent.encode(value));
        }
      }
    }
    if (!path.isLiteral() && climbs(filled.toString())) {
      throw AttemptException.rejected(field
          + " must not have '.' or '..' as a path segment after its placeholders are filled in, because the call"
          + " would go to another path. Correct the value.");
    }
    return filled.toString();
  }

  private void checkLiteralDots() {
    String literal = example(path);
    Check.that(
        !climbs(literal),
        field,
        literal,
        "must not have '.' or '..' as a path segment, because servers resolve it differently",
        "Write the final path.");
  }

  /** An example of what {@link #fill} returns: every placeholder is filled with an x. */
  public String example() {
    return example(path) + example(query);
  }

  private static String example(Template template) {
    var literal = new StringBuilder();
    for (Part part : template.parts()) {
      literal.append(part instanceof Part.Text(String text) ? text : "x");
    }
    return literal.toString();
  }

  /** Checks decoded segments too: servers may decode before they split, and some treat a backslash as a slash. */
  private static boolean climbs(String path) {
    if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
      return false;
    }
    for (String segment : SLASHES.split(Percent.decode(path), -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }

  /** The parts before the first literal occurrence of this text. */
  private static List<Part> before(List<Part> parts, char mark) {
    var head = new ArrayList<Part>();
    for (Part part : parts) {
      if (part instanceof Part.Text(String text) && text.indexOf(mark) >= 0) {
        head.add(new Part.Text(text.substring(0, text.indexOf(mark))));
        return head;
      }
      head.add(part);
    }
    return head;
  }

  /** The parts that remain after these have been removed from the front. */
  private static List<Part> after(List<Part> all, List<Part> head) {
    var tail = new ArrayList<Part>();
    for (int i = head.size() - 1; i >= 0 && i < all.size(); i++) {
      boolean cut = i == head.size() - 1;
      if (!cut) {
        tail.add(all.get(i));
      } else if (all.get(i) instanceof Part.Text(String text)
          && head.get(i) instanceof Part.Text(String kept)) {
        tail.add(new Part.Text(text.substring(kept.length())));
      }
    }
    return tail;
  }

  private static InvalidException notLiteral(String field, String url) {
    return Check.refusal(
        field,
        url,
        "must start with a literal scheme, host and port, followed by '/' or '?', before the first placeholder,"
            + " because a payload must not decide where a call goes",
        "Write it like https://billing.local/invoices/${payload.id}.");
  }
}
