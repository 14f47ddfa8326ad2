package io.belfry.executors.http;

import io.belfry.core.execute.AttemptException;
import io.belfry.executors.template.Template;
import io.belfry.executors.template.Values;
import io.belfry.model.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The headers that a job adds. It cannot set headers that control the transport, nor those that Belfry sends itself.
 *
 * <p>Threading: immutable.
 */
record HeaderRules(List<HeaderRules.Wanted> wanted) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  private static final int VALUE_CHARS_MAX = 8192;
  private static final Set<String> TAKEN = Set.of(
      "host",
      "content-length",
      "transfer-encoding",
      "connection",
      "keep-alive",
      "upgrade",
      "te",
      "trailer",
      "expect",
      "http2-settings");
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "cookie", "proxy-authorization");

  record Wanted(String name, String field, Template value) {
    boolean isCredential() {
      return value.hasCredential() || CREDENTIALS.contains(name.toLowerCase(Locale.ROOT));
    }
  }

  /** A header as it is sent. */
  record Header(String name, String value) {
    boolean is(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  static HeaderRules of(String field, Map<String, String> headers) {
    var wanted = new ArrayList<Wanted>();
    headers.forEach((name, value) -> {
      String at = field + "." + name;
      checkName(at, name);
      Template template = Template.parse(at, value);
      if (template.isLiteral() && !isSendable(value)) {
        throw Check.refusal(at, new Check.Amount(value.length(), "characters"), RULE, REMEDY);
      }
      wanted.add(new Wanted(name, at, template));
    });
    return new HeaderRules(List.copyOf(wanted));
  }

  private static void checkName(String field, String name) {
    Check.that(
        NAME.matcher(name).matches(),
        field,
        name,
        "must be a header name of letters, digits and '-', because HTTP allows no other names",
        "Correct the name.");
    String lower = name.toLowerCase(Locale.ROOT);
    Check.that(
        !TAKEN.contains(lower) && !lower.startsWith("belfry-") && !lower.startsWith("proxy-"),
        field,
        name,
        "must not be a header that controls the transport, or one that Belfry sends itself,"
            + " because targets rely on them",
        "Remove the header, or use another name.");
  }

  private static final String RULE = "must be one line of at most " + VALUE_CHARS_MAX
      + " printable ASCII characters, because a line break would start another header";
  private static final String REMEDY = "Encode the value, or send it in the body.";

  static boolean isSendable(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if ((c < ' ' || c > '~') && c != '\t') {
        return false;
      }
    }
    return value.length() <= VALUE_CHARS_MAX;
  }

  List<Header> fill(Values values) throws AttemptException {
    var filled = new ArrayList<Header>();
    for (Wanted one : wanted) {
      String value = one.value.fill(values);
      if (!isSendable(value)) {
        throw AttemptException.rejected(
            one.field + " " + RULE + ", but the filled-in value was not. " + REMEDY);
      }
      filled.add(new Header(one.name, value));
    }
    return filled;
  }

  /** Whether a header contains a secret or the callback URL, or is a credential itself. */
  boolean hasCredential() {
    return wanted.stream().anyMatch(Wanted::isCredential);
  }

  boolean usesCallback() {
    return wanted.stream().anyMatch(one -> one.value.usesCallback());
  }
}
