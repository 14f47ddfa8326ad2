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
 * Where calls of one namespace may go. Some addresses are never allowed: link-local and metadata addresses, unspecified, multicast
 * and broadcast ones, and the own ports of Belfry and its engine. For the rest, a rule that denies wins; if there are rules that allow,
 * everything else is denied; without rules everything is allowed, loopback and private networks too.
 *
 * <p>Two of them are never equal, because connections made under one must not serve the other. Threading: immutable.
 */
public final class EgressRules {
  private static final int RULES_MAX = 1000;

  /** By port, because most calls go to ports at which nothing of ours listens. */
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
        "Join them to ranges.");
  }

  /** Only what is never allowed is refused. */
  public static EgressRules standard() {
    return new EgressRules(Map.of(), List.of(), List.of());
  }

  /**
   * Refuses a port of Belfry itself, or of its engine.
   *
   * @param host a name, an address, or {@code *} for all addresses of this machine
   */
  public EgressRules withOwn(String host, int port) {
    return withOwn(Map.of(port, Set.of(host)));
  }

  /**
   * Refuses ports of Belfry itself, or of its engine.
   *
   * @param hosts by port; names, addresses, or {@code *} for all addresses of this machine
   */
  public EgressRules withOwn(Map<Integer, Set<String>> hosts) {
    var more = new HashMap<>(own);
    hosts.forEach((port, each) -> {
      Check.between("egress.own.port", port, 1, 65535, "others do not exist");
      more.put(port, own.getOrDefault(port, OwnPort.NONE).with(each));
    });
    return new EgressRules(more, allowed, denied);
  }

  /** Such as {@code *.example.org:443}. */
  public EgressRules allow(String rule) {
    return new EgressRules(own, with(allowed, Rule.parse("egress.allow", rule)), denied);
  }

  /** Such as {@code 10.0.0.0/8}. */
  public EgressRules deny(String rule) {
    return new EgressRules(own, allowed, with(denied, Rule.parse("egress.deny", rule)));
  }

  private static <T> List<T> with(List<T> all, T another) {
    var more = new ArrayList<>(all);
    more.add(another);
    return more;
  }

  /** What the name alone says against the target, before anybody is asked about it. */
  public Optional<String> refusal(Target target) {
    Optional<String> never = NeverAllowed.host(target.host())
        .map(what -> target.host() + " is " + what + ", which no rule can open");
    return never
        .or(() -> denied.stream()
            .filter(rule -> rule.matchesHost(target))
            .findFirst()
            .map(rule -> "the rule deny " + rule.text() + " forbids it"))
        .or(() -> target.address().flatMap(address -> refusal(target, address)));
  }

  /** What stands against the target, given all of its addresses. */
  Optional<String> refusal(Target target, List<InetAddress> addresses, HostLookup names, Deadline until)
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
            .map(rule -> "the rule deny " + rule.text() + " forbids " + shown(address)))
        .or(() -> isAllowed(target, address)
            ? Optional.empty()
            : Optional.of("no rule allows " + shown(address) + " at port " + target.port()));
  }

  private static Optional<String> never(Target target, InetAddress address) {
    Optional<String> found = Optional.empty();
    for (InetAddress meant : EmbeddedAddresses.meanings(address)) {
      found = found.isPresent() ? found : NeverAllowed.address(meant);
    }
    return found.map(what ->
        target.host() + " leads to " + shown(address) + ", " + what + ", which no rule can open");
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
            + " is a port of Belfry itself or of its engine, which no rule can open")
        : Optional.empty();
  }

  private static String shown(InetAddress address) {
    return address.getHostAddress();
  }
}
