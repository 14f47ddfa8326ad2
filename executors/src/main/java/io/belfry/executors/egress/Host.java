package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host of a URL: a name, or an address in its usual spelling. Octal, hexadecimal, shortened and other numbers that some readers
 * take for addresses are refused.
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
          "must name a host of at most " + CHARS_MAX
              + " characters, because longer names do not exist",
          "Shorten it.");
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
          "must name its host by labels of letters, digits and inner '-', parted by single dots,"
              + " because readers disagree about other names",
          "Write it like billing.example.org, without a dot at the end, '_' or '%'.");
    }
    return new Host(host, Optional.empty());
  }

  private static Host four(String field, String host) {
    if (!QUAD.matcher(host).matches()) {
      throw Target.refused(
          field,
          host,
          "must write an IPv4 address as four decimal numbers from 0 to 255 without leading zeros,"
              + " because readers disagree about other spellings",
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
          "must write an IPv6 address as hexadecimal numbers and colons in brackets, without a zone,"
              + " because readers disagree about other spellings",
          "Write it like [2001:db8::10].");
    }
    return literal(field, "[" + inner + "]");
  }

  /** Spelled with the letters of an IPv6 address, so that Java takes it for one, or refuses it, and looks up nothing. */
  private static boolean isSix(String inner) {
    return inner.indexOf(':') != inner.lastIndexOf(':')
        && inner.chars().allMatch(letter -> "0123456789abcdef:.".indexOf(letter) >= 0);
  }

  /** Java looks nothing up for what is spelled as an address, and takes IPv4 in IPv6 for what it is. */
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
          "must be an address that exists, because nothing can be connected to otherwise",
          "Correct the address.");
    }
  }
}
