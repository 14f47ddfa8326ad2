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
 * By which addresses other machines reach this one, at most {@value #MAX} of them: all nodes keep the addresses of all. A machine may have
 * thousands, such as those of all services of a Kubernetes cluster on one interface. So the interfaces take turns, and the address at which the
 * API listens comes first.
 *
 * <p>Threading: asked by one thread; {@link #listensAt} from any.
 */
final class MachineAddresses implements Supplier<Set<String>> {
  static final int MAX = 256;

  private static final Logger LOG = LoggerFactory.getLogger(MachineAddresses.class);
  private static final byte UNIQUE_LOCAL = (byte) 0xfc;
  private static final byte UNIQUE_LOCAL_MASK = (byte) 0xfe;

  /** The same in every run, and public addresses first: others may be of networks inside the machine. */
  private static final Comparator<InetAddress> ORDER = Comparator.comparing(
          MachineAddresses::isPrivate)
      .thenComparingInt(address -> address.getAddress().length)
      .thenComparing(InetAddress::getAddress, Arrays::compareUnsigned);

  private volatile Optional<InetAddress> listener = Optional.empty();
  private boolean warned;

  /** The API listens at this address only, or at all of them if it is unspecified or not known. */
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
          "This machine has {} addresses, of which {} are announced to the other nodes: that of server.listen, then some of each network"
              + " interface. Jobs on other nodes are not kept from calling this API at the rest; add them to executors.http.deny.",
          all,
          MAX);
    }
    return chosen;
  }

  /**
   * In order of preference.
   *
   * @param interfaces the addresses of each network interface, the first ones being those of the hardware
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

  /** Without loopback and link-local ones, which nobody else reaches, or no call may. */
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
          "The addresses of this machine cannot be listed, so that other nodes cannot refuse calls to its API.",
          e);
      return List.of();
    }
  }

  /** Without the zone, which means something on this machine only. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
