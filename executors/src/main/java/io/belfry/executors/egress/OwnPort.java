package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The servers of Belfry and its engines that listen on one port. Addresses are in a hash set, so that the check costs the same in a
 * cluster of a hundred nodes. Host names are resolved for each call.
 *
 * <p>Threading: immutable.
 *
 * @param here whether all addresses of this machine are included
 * @param addresses with all embedded addresses, see {@link EmbeddedAddresses}
 * @param names in lower case
 */
record OwnPort(boolean here, Set<InetAddress> addresses, Set<String> names) {
  private static final String THIS_MACHINE = "*";

  static final OwnPort NONE = new OwnPort(false, Set.of(), Set.of());

  OwnPort {
    addresses = Set.copyOf(addresses);
    names = Set.copyOf(names);
  }

  /**
   * Adds servers.
   *
   * @param hosts names, addresses, or {@code *} for all addresses of this machine
   */
  OwnPort with(Collection<String> hosts) {
    boolean all = here;
    var numbers = new HashSet<>(addresses);
    var words = new HashSet<>(names);
    for (String each : hosts) {
      String host = plain(each);
      if (host.equals(THIS_MACHINE)) {
        all = true;
      } else {
        literal(host)
            .ifPresentOrElse(
                address -> numbers.addAll(EmbeddedAddresses.meanings(address)),
                () -> words.add(host));
      }
    }
    return new OwnPort(all, numbers, words);
  }

  private static String plain(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    boolean brackets = lower.startsWith("[") && lower.endsWith("]");
    return brackets ? lower.substring(1, lower.length() - 1) : lower;
  }

  /** Java makes no DNS lookup for a literal address. An invalid one is kept as a name, which never resolves. */
  private static Optional<InetAddress> literal(String host) {
    if (host.indexOf(':') < 0 && !host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether one of these servers is among the addresses of the target. A server whose name cannot be resolved counts as a match.
   *
   * @param meant the addresses of the target, with all embedded addresses
   * @throws TimeoutException if the names of the servers are not resolved by the deadline
   */
  boolean isAmong(Target target, List<InetAddress> meant, HostLookup lookup, Deadline until)
      throws TimeoutException, InterruptedException {
    if (names.contains(target.host()) || meant.stream().anyMatch(addresses::contains)) {
      return true;
    }
    boolean targetIsHere = meant.stream().anyMatch(OwnPort::isLocal);
    if (targetIsHere && (here || addresses.stream().anyMatch(OwnPort::isLocal))) {
      return true;
    }
    for (String name : names) {
      try {
        Set<InetAddress> its = lookup.find(name, until).stream()
            .flatMap(address -> EmbeddedAddresses.meanings(address).stream())
            .collect(Collectors.toSet());
        if (meant.stream().anyMatch(its::contains)
            || (targetIsHere && its.stream().anyMatch(OwnPort::isLocal))) {
          return true;
        }
      } catch (UnknownHostException e) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLocal(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true; // unknown, so refused
    }
  }
}
