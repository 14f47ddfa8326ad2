package io.belfry.cli.verb;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Detects loopback addresses. Threading: stateless. */
final class Loopback {
  private static final Pattern IPV4 =
      Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

  private Loopback() {}

  /** Decides from the text alone. No name except {@code localhost} counts, because a DNS answer can change after the check. */
  static boolean is(URI address) {
    String host = String.valueOf(address.getHost());
    if (host.startsWith("[")) {
      try {
        return InetAddress.getByName(host).isLoopbackAddress();
      } catch (UnknownHostException e) {
        return false; // not an IPv6 address
      }
    }
    return host.equalsIgnoreCase("localhost") || IPV4.matcher(host).matches();
  }

  /** Replaces a wildcard address by the loopback address, on which such a server also listens. */
  static String ofWildcard(String url) {
    return url.replaceFirst("^(https?://)0\\.0\\.0\\.0(?=[:/]|$)", "$1127.0.0.1")
        .replaceFirst("^(https?://)\\[::](?=[:/]|$)", "$1[::1]");
  }
}
