package io.belfry.executors.secret;

import io.belfry.executors.egress.Target;
import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/**
 * The destinations to which one secret may be sent. Scheme, host and port of a call must match; the path is ignored.
 *
 * <pre>
 *   https://billing.example.org        this host, port 443
 *   http://10.0.0.7:8080               this address and port, without TLS
 *   https://*.example.org              every host below example.org, not example.org itself
 *   script                             arguments and environment of scripts
 *   *                                  any destination
 * </pre>
 *
 * <p>Threading: immutable.
 */
public final class Destinations {
  public static final String SCRIPT = "script";

  private static final String EVERYWHERE = "*";
  private static final String BELOW = "://*.";
  private static final int COUNT_MAX = 20;
  private static final int CHARS_MAX = 300;

  /** For secrets without restrictions. */
  public static final Destinations ANY = new Destinations(List.of(new Allowed.Everywhere()));

  private sealed interface Allowed {
    boolean allows(Destination to);

    record Everywhere() implements Allowed {
      @Override
      public boolean allows(Destination to) {
        return true;
      }

      @Override
      public String toString() {
        return EVERYWHERE;
      }
    }

    record Scripts() implements Allowed {
      @Override
      public boolean allows(Destination to) {
        return to instanceof Destination.Script;
      }

      @Override
      public String toString() {
        return SCRIPT;
      }
    }

    record Origin(Target target) implements Allowed {
      @Override
      public boolean allows(Destination to) {
        return to instanceof Destination.Server(Target called)
            && called.origin().equals(target.origin());
      }

      @Override
      public String toString() {
        return withoutPath(target);
      }
    }

    /**
     * All hosts below a domain.
     *
     * @param domain as a target of its own
     */
    record Below(Target domain) implements Allowed {
      @Override
      public boolean allows(Destination to) {
        return to instanceof Destination.Server(Target called)
            && called.address().isEmpty()
            && called.scheme().equals(domain.scheme())
            && called.port() == domain.port()
            && called.host().endsWith("." + domain.host());
      }

      @Override
      public String toString() {
        return withoutPath(domain).replaceFirst("://", BELOW);
      }
    }
  }

  private final List<Allowed> allowed;

  private Destinations(List<Allowed> allowed) {
    this.allowed = allowed;
  }

  /**
   * Parses the list.
   *
   * @param field the name of the list in refusals
   * @throws InvalidException if a destination is invalid, or if there are none or too many
   */
  public static Destinations parse(String field, List<String> written) {
    Check.that(
        !written.isEmpty() && written.size() <= COUNT_MAX,
        field,
        new Check.Amount(written.size(), "destinations"),
        "must have 1 to " + COUNT_MAX
            + " destinations, because a secret is sent only to its destinations",
        "List origins such as https://billing.example.org, script for scripts, or * for any destination.");
    var all = new LinkedHashSet<Allowed>();
    for (int i = 0; i < written.size(); i++) {
      all.add(one(field + "[" + i + "]", written.get(i)));
    }
    return new Destinations(List.copyOf(all));
  }

  private static Allowed one(String field, String written) {
    String text = Check.text(field, written, CHARS_MAX).strip();
    if (text.equals(EVERYWHERE)) {
      return new Allowed.Everywhere();
    }
    if (text.toLowerCase(Locale.ROOT).equals(SCRIPT)) {
      return new Allowed.Scripts();
    }
    int below = text.indexOf(BELOW);
    if (below < 0) {
      return new Allowed.Origin(origin(field, text, text));
    }
    Target domain = origin(
        field, text, text.substring(0, below) + "://" + text.substring(below + BELOW.length()));
    if (domain.address().isPresent()) {
      throw refused(field, text);
    }
    return new Allowed.Below(domain);
  }

  private static Target origin(String field, String written, String url) {
    Target target;
    try {
      target = Target.parse(field, url);
    } catch (InvalidException e) {
      throw refused(field, written);
    }
    if (!target.path().equals("/") || url.indexOf('#') >= 0) {
      throw refused(field, written);
    }
    return target;
  }

  private static InvalidException refused(String field, String written) {
    return Check.refusal(
        field,
        written.contains("@") ? "an address with user information" : written,
        "must be script, * or an origin without a path, because a secret is sent only to its destinations",
        "Write it like https://billing.example.org:8443 or https://*.example.org.");
  }

  private static String withoutPath(Target target) {
    String text = target.toString();
    return text.substring(0, text.length() - target.path().length());
  }

  /** Whether the secret may be sent there. */
  public boolean allow(Destination to) {
    return allowed.stream().anyMatch(one -> one.allows(to));
  }

  /** Whether the secret may be sent to any destination. */
  public boolean isUnrestricted() {
    return allowed.stream().anyMatch(one -> one instanceof Allowed.Everywhere);
  }

  /** The destinations as text, each in its canonical form. */
  public List<String> texts() {
    return allowed.stream().map(Allowed::toString).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Destinations same && allowed.equals(same.allowed);
  }

  @Override
  public int hashCode() {
    return allowed.hashCode();
  }

  @Override
  public String toString() {
    return String.join(", ", texts());
  }
}
