package io.belfry.executors.egress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The addresses of a target that passed the egress rules and may be connected to. Equal if the addresses, in any order, and the rules
 * are the same: only equal targets share connections.
 *
 * <p>Threading: immutable.
 */
public final class CheckedAddresses {
  private final EgressRules rules;
  private final Set<InetAddress> set;
  private final List<InetSocketAddress> inOrder;

  CheckedAddresses(EgressRules rules, Target target, List<InetAddress> addresses) {
    this.rules = rules;
    this.set = Set.copyOf(addresses);
    var all = new ArrayList<InetSocketAddress>();
    addresses.forEach(address -> all.add(named(target, address)));
    this.inOrder = List.copyOf(all);
  }

  /** The socket addresses, with the target's host name: TLS verifies that name, and no second lookup happens. */
  private static InetSocketAddress named(Target target, InetAddress address) {
    String host = target.address().isPresent() ? address.getHostAddress() : target.host();
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(host, address.getAddress()), target.port());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("The bytes of an address must form an address.", e);
    }
  }

  public List<InetSocketAddress> addresses() {
    return inOrder;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CheckedAddresses that && rules == that.rules && set.equals(that.set);
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(rules) + set.hashCode();
  }

  @Override
  public String toString() {
    return "CheckedAddresses" + inOrder;
  }
}
