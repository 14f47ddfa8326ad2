package io.belfry.executors.egress;

import io.belfry.core.execute.AttemptException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Egress control (SSRF protection): resolves a target once, and checks every address against the current egress rules.
 *
 * <p>Threading: safe.
 */
public final class Egress {
  /** How many addresses of a host are tried, one after the other. All are checked, because the DNS server chooses their order. */
  private static final int ADDRESSES_MAX = 16;

  private final Supplier<EgressRules> rules;
  private final HostLookup names;

  public Egress(Supplier<EgressRules> rules, HostLookup names) {
    this.rules = rules;
    this.names = names;
  }

  /**
   * Checks a target. Returns its first {@value #ADDRESSES_MAX} addresses.
   *
   * @throws AttemptException if the target or any of its addresses is forbidden
   * @throws TimeoutException if the lookup does not finish by the deadline
   */
  public CheckedAddresses check(String field, Target target, Deadline until)
      throws AttemptException, UnknownHostException, TimeoutException, InterruptedException {
    EgressRules now = rules.get();
    Optional<String> byName = now.refusal(target);
    if (byName.isPresent()) {
      throw forbidden(field, byName.get());
    }
    Optional<InetAddress> literal = target.address();
    List<InetAddress> addresses =
        literal.isPresent() ? List.of(literal.get()) : names.find(target.host(), until);
    if (addresses.isEmpty()) {
      throw new UnknownHostException(target.host());
    }
    Optional<String> refusal = now.refusal(target, addresses, names, until);
    if (refusal.isPresent()) {
      throw forbidden(field, refusal.get());
    }
    return new CheckedAddresses(
        now, target, addresses.subList(0, Math.min(ADDRESSES_MAX, addresses.size())));
  }

  private static AttemptException forbidden(String field, String why) {
    return AttemptException.rejected(field
        + " must be allowed by the egress rules of this namespace, because a job must not reach protected servers, but "
        + why + ". Correct the URL, or ask an administrator to change the egress rules.");
  }
}
