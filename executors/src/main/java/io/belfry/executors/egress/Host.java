package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host of a URL: a name, or an address in its standard notation. Octal, hexadecimal, shortened and other numbers that some parsers
 * read as addresses are refused.
 */
record Host(String text, Optional<InetAddress> address) {
  private static final Pattern LABELS = Pattern.compile(
      "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){0,126}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
  private static final Pattern QUAD = Pattern.compile(
      "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}");
  private static final int CHARS_MAX = 253;

  static Host parse(String field, String written) {
    if (written.length() > CHARS_MAX) {
      throw Target.refused(
          field,
          written,
          "must have a host name of at most " + CHARS_MAX
              + " characters, because DNS allows no longer names",
          "Correct the host name.");
    }
    String host = written.toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      return six(field, host);
    }
    if (NUMBER.matcher(host.substring(host.lastIndexOf('.') + 1)).matches()) {
      return four(field, host);
    }
    if (!LABELS.matcher(host).matches()) {
      throw Target.refused(
          field,
          written,
          "must have a host name of labels with letters, digits and inner '-', separated by single dots,"
              + " because URL parsers disagree about other names",
          "Write it like billing.example.org, without a dot at the end, '_' or '%'.");
    }
    return new Host(host, Optional.empty());
  }

  private static Host four(String field, String host) {
    if (!QUAD.matcher(host).matches()) {
      throw Target.refused(
          field,
          host,
          "must have an IPv4 address of four decimal numbers from 0 to 255 without leading zeros,"
              + " because URL parsers disagree about other notations",
          "Write it like 192.0.2.10.");
    }
    return literal(field, host);
  }

  private static Host six(String field, String host) {
    String inner = host.endsWith("]") ? host.substring(1, host.length() - 1) : "";
    if (!isSix(inner)) {
      throw Target.refused(
          field,
          host,
          "must have an IPv6 address of hexadecimal numbers and colons in brackets, without a zone,"
              + " because URL parsers disagree about other notations",
          "Write it like [2001:db8::10].");
    }
    return literal(field, "[" + inner + "]");
  }

  /** Whether Java parses the text as an IPv6 address or refuses it, without a DNS lookup. */
  private static boolean isSix(String inner) {
    return inner.indexOf(':') != inner.lastIndexOf(':')
        && inner.chars().allMatch(letter -> "0123456789abcdef:.".indexOf(letter) >= 0);
  }

  /** Parses a literal address. Java makes no DNS lookup for it, and converts IPv4-mapped IPv6 addresses. */
  private static Host literal(String field, String text) {
    try {
      InetAddress address = InetAddress.getByName(text);
      String canonical = address.getHostAddress();
      return new Host(
          canonical.contains(":") ? "[" + canonical + "]" : canonical, Optional.of(address));
    } catch (UnknownHostException e) {
      throw Target.refused(
          field,
          text,
          "must be a valid IP address, because a connection needs one",
          "Correct the address.");
    }
  }
}
