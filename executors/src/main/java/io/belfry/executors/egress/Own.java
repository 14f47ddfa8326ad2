package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * A port of Belfry itself, or of the engine under it.
 *
 * @param host a name or an address; one of this machine stands for all of them
 */
record Own(String host, int port) {
  Own {
    String plain = host.toLowerCase(Locale.ROOT);
    host = plain.startsWith("[") && plain.endsWith("]")
        ? plain.substring(1, plain.length() - 1)
        : plain;
  }

  /** Whether one of these addresses, at this port, is this one; what cannot be looked up now might be, and counts as such. */
  boolean isAmong(Target target, List<InetAddress> addresses, Names names)
      throws InterruptedException {
    if (target.host().equals(host)) {
      return true;
    }
    try {
      List<InetAddress> its = host.equals("*") ? List.of() : addresses(names);
      boolean here = host.equals("*") || its.stream().anyMatch(Own::isLocal);
      return addresses.stream()
          .anyMatch(address -> its.contains(address) || (here && isLocal(address)));
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /** An address needs no looking up, and whoever looks up may know names only. */
  private List<InetAddress> addresses(Names names)
      throws UnknownHostException, InterruptedException {
    return host.matches("[0-9.]+|.*:.*") ? List.of(InetAddress.getByName(host)) : names.find(host);
  }

  private static boolean isLocal(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true; // nobody knows: not to be trusted
    }
  }
}
