package io.belfry.executors.egress;

import io.belfry.model.Check;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * The egress rules of one namespace. Some addresses are never allowed: link-local and metadata addresses, unspecified, multicast
 * and broadcast addresses, and the ports of Belfry and its engine. For other addresses, a deny rule wins. If there are allow rules,
 * everything else is denied. Without rules everything is allowed, including loopback and private networks.
 *
 * <p>Two instances are never equal, because a connection made under one must not be used under another. Threading: immutable.
 */
public final class EgressRules {
  private static final int RULES_MAX = 1000;

  /** The servers of Belfry and its engines by port, because most calls go to other ports. */
  private final Map<Integer, OwnPort> own;

  private final List<Rule> allowed;
  private final List<Rule> denied;

  private EgressRules(Map<Integer, OwnPort> own, List<Rule> allowed, List<Rule> denied) {
    this.own = Map.copyOf(own);
    this.allowed = List.copyOf(allowed);
    this.denied = List.copyOf(denied);
    Check.that(
        allowed.size() + denied.size() <= RULES_MAX,
        "egress",
        new Check.Amount(allowed.size() + denied.size(), "rules"),
        "must have at most " + RULES_MAX + " rules, because each call is compared with all of them",
        "Combine rules into address ranges.");
  }

  /** No rules: refuses only what is never allowed. */
  public static EgressRules standard() {
    return new EgressRules(Map.of(), List.of(), List.of());
  }

  /**
   * Also refuses a port of Belfry or of its engine.
   *
   * @param host a name, an address, or {@code *} for all addresses of this machine
   */
  public EgressRules withOwn(String host, int port) {
    return withOwn(Map.of(port, Set.of(host)));
  }

  /**
   * Also refuses ports of Belfry or of its engine.
   *
   * @param hosts by port; names, addresses, or {@code *} for all addresses of this machine
   */
  public EgressRules withOwn(Map<Integer, Set<String>> hosts) {
    var more = new HashMap<>(own);
    hosts.forEach((port, each) -> {
      Check.between("egress.own.port", port, 1, 65535, "these are the valid ports");
      more.put(port, own.getOrDefault(port, OwnPort.NONE).with(each));
    });
    return new EgressRules(more, allowed, denied);
  }

  /** Adds an allow rule, such as {@code *.example.org:443}. */
  public EgressRules allow(String rule) {
    return new EgressRules(own, with(allowed, Rule.parse("egress.allow", rule)), denied);
  }

  /** Adds a deny rule, such as {@code 10.0.0.0/8}. */
  public EgressRules deny(String rule) {
    return new EgressRules(own, allowed, with(denied, Rule.parse("egress.deny", rule)));
  }

  private static <T> List<T> with(List<T> all, T another) {
    var more = new ArrayList<>(all);
    more.add(another);
    return more;
  }

  /** Why the target is refused by its name alone, before any lookup; empty if it is not. */
  public Optional<String> refusal(Target target) {
    Optional<String> never = NeverAllowed.host(target.host())
        .map(what -> target.host() + " is " + what + ", which no rule can allow");
    return never
        .or(() -> denied.stream()
            .filter(rule -> rule.matchesHost(target))
            .findFirst()
            .map(rule -> "the deny rule " + rule.text() + " matches it"))
        .or(() -> target.address().flatMap(address -> refusal(target, address)));
  }

  /** Why the target with these addresses is refused; empty if it is not. */
  Optional<String> refusal(
      Target target, List<InetAddress> addresses, HostLookup names, Deadline until)
      throws TimeoutException, InterruptedException {
    Optional<String> refusal = refusal(target);
    for (int i = 0; i < addresses.size() && refusal.isEmpty(); i++) {
      refusal = refusal(target, addresses.get(i));
    }
    return refusal.isPresent() ? refusal : own(target, addresses, names, until);
  }

  private Optional<String> refusal(Target target, InetAddress address) {
    return never(target, address)
        .or(() -> denied.stream()
            .filter(rule -> EmbeddedAddresses.meanings(address).stream()
                .anyMatch(meant -> rule.matchesAddress(meant, target.port())))
            .findFirst()
            .map(rule -> "the deny rule " + rule.text() + " matches " + shown(address)))
        .or(() -> isAllowed(target, address)
            ? Optional.empty()
            : Optional.of("no allow rule matches " + shown(address) + " at port " + target.port()));
  }

  private static Optional<String> never(Target target, InetAddress address) {
    Optional<String> found = Optional.empty();
    for (InetAddress meant : EmbeddedAddresses.meanings(address)) {
      found = found.isPresent() ? found : NeverAllowed.address(meant);
    }
    return found.map(what -> target.host() + " resolves to " + shown(address) + ", " + what
        + ", which no rule can allow");
  }

  private boolean isAllowed(Target target, InetAddress address) {
    return allowed.isEmpty()
        || allowed.stream()
            .anyMatch(
                rule -> rule.matchesHost(target) || rule.matchesAddress(address, target.port()));
  }

  private Optional<String> own(
      Target target, List<InetAddress> addresses, HostLookup names, Deadline until)
      throws TimeoutException, InterruptedException {
    OwnPort ours = own.get(target.port());
    if (ours == null) {
      return Optional.empty();
    }
    List<InetAddress> meant = addresses.stream()
        .flatMap(address -> EmbeddedAddresses.meanings(address).stream())
        .toList();
    return ours.isAmong(target, meant, names, until)
        ? Optional.of(target.host() + ":" + target.port()
            + " is a port of Belfry or of its engine, which no rule can allow")
        : Optional.empty();
  }

  private static String shown(InetAddress address) {
    return address.getHostAddress();
  }
}
