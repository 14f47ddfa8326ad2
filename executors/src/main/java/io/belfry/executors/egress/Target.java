package io.belfry.executors.egress;

import io.belfry.model.Check;
import io.belfry.model.InvalidException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * A URL in the canonical form that is both checked and sent. A URL that parsers could read differently is refused.
 *
 * @param scheme {@code http} or {@code https}
 * @param host a name in lower case, or an address as Java writes it, IPv6 in brackets
 * @param address the host, if it is an address
 * @param path with the query, from the first slash on
 */
public record Target(
    String scheme, String host, Optional<InetAddress> address, int port, String path) {
  private static final int PORT_MAX = 65535;
  private static final int PORT_DIGITS_MAX = 5;
  private static final String LEGAL = "-._~:/?@!$&'()*+,;=%";

  public static Target parse(String field, String url) {
    checkCharacters(field, url);
    String scheme = scheme(field, url);
    String rest = url.substring(scheme.length() + "://".length());
    int end = authorityEnd(rest);
    String authority = rest.substring(0, end);
    if (authority.contains("@")) {
      throw refused(
          field,
          new Check.Plain(
              "a URL with user information"), // without the value, which may be a password
          "must not contain user information before its host, because URLs are shown in logs",
          "Send an Authorization header with ${secret:…} instead.");
    }
    int colon = portColon(authority);
    Host host = Host.parse(field, colon < 0 ? authority : authority.substring(0, colon));
    int port = colon < 0
        ? (scheme.equals("https") ? 443 : 80)
        : port(field, authority.substring(colon + 1));
    return new Target(scheme, host.text(), host.address(), port, path(field, rest.substring(end)));
  }

  private static void checkCharacters(String field, String url) {
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || LEGAL.indexOf(c) >= 0
          || c == '['
          || c == ']'
          || c == '#';
      if (!plain) {
        throw refused(
            field,
            new Check.Plain("a URL with U+%04X at character %d".formatted((int) c, i + 1)),
            "must contain only the characters of RFC 3986, because URL parsers disagree about others",
            "Percent-encode other characters in path and query, and write international host names as xn--….");
      }
    }
  }

  private static String scheme(String field, String url) {
    int end = url.indexOf("://");
    String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw refused(
          field,
          url,
          "must start with http:// or https://, because no other protocol is supported",
          "Write https://host/path.");
    }
    return scheme;
  }

  private static int authorityEnd(String rest) {
    int end = 0;
    while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  /** The colon between host and port, never one inside brackets. */
  private static int portColon(String authority) {
    return authority.indexOf(':', authority.lastIndexOf(']') + 1);
  }

  private static int port(String field, String text) {
    boolean digits = !text.isEmpty()
        && text.length() <= PORT_DIGITS_MAX
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
    int port = digits ? Integer.parseInt(text) : 0;
    if (port < 1 || port > PORT_MAX) {
      throw refused(
          field,
          text,
          "must have a port from 1 to " + PORT_MAX
              + " after the colon, because these are the valid ports",
          "Correct the port, or remove port and colon.");
    }
    return port;
  }

  private static String path(String field, String text) {
    String sent = text.indexOf('#') < 0 ? text : text.substring(0, text.indexOf('#'));
    for (int i = sent.indexOf('%'); i >= 0; i = sent.indexOf('%', i + 1)) {
      if (i + 2 >= sent.length() || !isHex(sent.charAt(i + 1)) || !isHex(sent.charAt(i + 2))) {
        throw refused(
            field,
            sent,
            "must have two hexadecimal digits after each '%', because '%' starts an encoded byte",
            "Write %25 for a percent sign.");
      }
    }
    if (sent.indexOf('[') >= 0 || sent.indexOf(']') >= 0) {
      throw refused(
          field,
          sent,
          "must have no brackets in path and query, because they are reserved for IPv6 addresses",
          "Write %5B and %5D.");
    }
    return sent.startsWith("/") ? sent : "/" + sent;
  }

  private static boolean isHex(char c) {
    return Character.digit(c, 16) >= 0;
  }

  static InvalidException refused(String field, Object got, String rule, String remedy) {
    return Check.refusal(field, got, rule, remedy);
  }

  /** The same origin with another path and query. */
  public Target at(String field, String otherPath) {
    checkCharacters(field, otherPath);
    return new Target(scheme, host, address, port, path(field, otherPath));
  }

  /** The origin (scheme, host and port), to which credentials are bound. */
  public String origin() {
    return scheme + "://" + host + ":" + port;
  }

  public URI uri() {
    return URI.create(toString());
  }

  @Override
  public String toString() {
    boolean usual = port == (scheme.equals("https") ? 443 : 80);
    return scheme + "://" + host + (usual ? "" : ":" + port) + path;
  }
}
