package io.belfry.cli.verb;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses of this machine that no other machine can have. Threading: stateless. */
final class Loopback {
  private static final Pattern IPV4 =
      Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)){3}");

  private Loopback() {}

  /** By what is written: no name but {@code localhost} is looked up, because whoever answers for it may change the answer. */
  static boolean is(URI address) {
    String host = String.valueOf(address.getHost());
    if (host.startsWith("[")) {
      try {
        return InetAddress.getByName(host).isLoopbackAddress();
      } catch (UnknownHostException e) {
        return false; // no IPv6 address after all
      }
    }
    return host.equalsIgnoreCase("localhost") || IPV4.matcher(host).matches();
  }

  /** A server that listens on all addresses of this machine listens on loopback, too. */
  static String ofWildcard(String url) {
    return url.replaceFirst("^(https?://)0\\.0\\.0\\.0(?=[:/]|$)", "$1127.0.0.1")
        .replaceFirst("^(https?://)\\[::](?=[:/]|$)", "$1[::1]");
  }
}
