package io.belfry.server.node;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of this machine that other machines can reach, at most {@value #MAX}, because every node stores the addresses of all nodes. A
 * machine may have thousands, such as all service addresses of a Kubernetes cluster on one interface. So addresses are taken from each interface
 * in turn, after the address on which the API listens.
 *
 * <p>Threading: {@link #get} is called by one thread, {@link #listensAt} by any.
 */
final class MachineAddresses implements Supplier<Set<String>> {
  static final int MAX = 256;

  private static final Logger LOG = LoggerFactory.getLogger(MachineAddresses.class);
  private static final byte UNIQUE_LOCAL = (byte) 0xfc;
  private static final byte UNIQUE_LOCAL_MASK = (byte) 0xfe;

  /** A stable order with public addresses first, because private ones may belong to networks inside the machine. */
  private static final Comparator<InetAddress> ORDER = Comparator.comparing(
          MachineAddresses::isPrivate)
      .thenComparingInt(address -> address.getAddress().length)
      .thenComparing(InetAddress::getAddress, Arrays::compareUnsigned);

  private volatile Optional<InetAddress> listener = Optional.empty();
  private boolean warned;

  /** Sets the address on which the API listens; all addresses if it is unspecified or unknown. */
  void listensAt(Optional<InetAddress> address) {
    listener = address;
  }

  @Override
  public Set<String> get() {
    List<List<InetAddress>> interfaces = interfaces();
    Set<String> chosen = chosen(listener, interfaces);
    int all = interfaces.stream().mapToInt(each -> reachable(each).size()).sum();
    if (all > MAX && chosen.size() == MAX && !warned) {
      warned = true;
      LOG.warn(
          "This machine has {} addresses, of which only {} are announced to the other nodes: that of server.listen, then some of each network"
              + " interface. Jobs on other nodes can call this API at the remaining addresses; add those to executors.http.deny.",
          all,
          MAX);
    }
    return chosen;
  }

  /**
   * Selects addresses in order of preference.
   *
   * @param interfaces addresses of each network interface, hardware interfaces first
   */
  static Set<String> chosen(Optional<InetAddress> listener, List<List<InetAddress>> interfaces) {
    var chosen = new LinkedHashSet<String>();
    listener.filter(MachineAddresses::isReachable).ifPresent(its -> chosen.add(text(its)));
    List<List<InetAddress>> sorted =
        interfaces.stream().map(MachineAddresses::reachable).toList();
    int longest = sorted.stream().mapToInt(List::size).max().orElse(0);
    for (int turn = 0; turn < longest; turn++) {
      for (List<InetAddress> each : sorted) {
        if (chosen.size() < MAX && turn < each.size()) {
          chosen.add(text(each.get(turn)));
        }
      }
    }
    return Collections.unmodifiableSet(chosen);
  }

  /** Leaves out loopback and link-local addresses, which other machines cannot reach or which calls may not use. */
  private static List<InetAddress> reachable(List<InetAddress> addresses) {
    return addresses.stream()
        .filter(MachineAddresses::isReachable)
        .sorted(ORDER)
        .toList();
  }

  private static boolean isReachable(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress();
  }

  private static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address.isSiteLocalAddress()
        || (address instanceof Inet6Address && (bytes[0] & UNIQUE_LOCAL_MASK) == UNIQUE_LOCAL);
  }

  private static List<List<InetAddress>> interfaces() {
    try {
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .map(each -> each.inetAddresses().toList())
          .toList();
    } catch (SocketException e) {
      LOG.warn(
          "The addresses of this machine could not be listed, so other nodes do not block calls of jobs to its API.",
          e);
      return List.of();
    }
  }

  /** The address without its zone, which is meaningful only on this machine. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
