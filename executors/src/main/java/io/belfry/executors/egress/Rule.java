package io.belfry.executors.egress;

import io.belfry.model.Check;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One egress rule: an address range or host pattern, optionally with ports.
 *
 * <pre>
 *   10.0.0.0/8   192.0.2.7:443   [fd00::/8]:8000-8999   billing.example.org   *.example.org:443   *:443
 * </pre>
 */
record Rule(String text, Optional<Cidr> range, String host, int fromPort, int toPort) {
  private static final Pattern SIX = Pattern.compile("\\[([^\\]]*)\\](?::(.*))?");
  private static final Pattern PLAIN = Pattern.compile("([^:]*)(?::(.*))?");
  private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+(/.*)?");
  private static final Pattern HOST =
      Pattern.compile("\\*|(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+){0,126}");
  private static final int PORT_MAX = 65535;

  static Rule parse(String field, String written) {
    String text = written.strip().toLowerCase(Locale.ROOT);
    Matcher six = SIX.matcher(text);
    if (six.matches()) {
      return with(field, written, Optional.of(Cidr.parse(field, six.group(1))), "", six.group(2));
    }
    if (text.indexOf(':') != text.lastIndexOf(':')) {
      return with(field, written, Optional.of(Cidr.parse(field, text)), "", null);
    }
    Matcher plain = PLAIN.matcher(text);
    String who = plain.matches() ? plain.group(1) : "";
    String ports = plain.matches() ? plain.group(2) : null;
    if (ADDRESS.matcher(who).matches()) {
      return with(field, written, Optional.of(Cidr.parse(field, who)), "", ports);
    }
    Check.that(
        HOST.matcher(who).matches(),
        field,
        written,
        "must be an address range, a host, *.domain or *, optionally with ports, because calls are matched by these",
        "Write it like 10.0.0.0/8, *.example.org:443 or [fd00::/8]:8000-8999.");
    return with(field, written, Optional.empty(), who, ports);
  }

  private static Rule with(
      String field, String written, Optional<Cidr> range, String host, @Nullable String ports) {
    if (ports == null) {
      return new Rule(written, range, host, 1, PORT_MAX);
    }
    Matcher numbers = PORTS.matcher(ports);
    int from = numbers.matches() ? Integer.parseInt(numbers.group(1)) : 0;
    int to = from == 0 || numbers.group(2) == null ? from : Integer.parseInt(numbers.group(2));
    Check.that(
        from >= 1 && from <= to && to <= PORT_MAX,
        field,
        written,
        "must have a port or a port range from 1 to 65535 after the colon, because these are the valid ports",
        "Write it like :443 or :8000-8999.");
    return new Rule(written, range, host, from, to);
  }

  boolean matchesPort(int port) {
    return fromPort <= port && port <= toPort;
  }

  /** Whether the rule matches the target by its host name. */
  boolean matchesHost(Target target) {
    if (range.isPresent() || !matchesPort(target.port())) {
      return false;
    }
    return host.equals("*")
        || target.host().equals(host)
        || (host.startsWith("*.") && target.host().endsWith(host.substring(1)));
  }

  boolean matchesAddress(InetAddress address, int port) {
    return matchesPort(port) && range.filter(cidr -> cidr.contains(address)).isPresent();
  }
}
