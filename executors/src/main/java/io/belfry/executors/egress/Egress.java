package io.belfry.executors.egress;

import io.belfry.core.execute.AttemptException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The way out: looks a target up once, and checks every address under the rules of the moment.
 *
 * <p>Threading: safe.
 */
public final class Egress {
  /** So many are tried of a name, one after the other. All are checked: whoever answers for the name chooses their order. */
  private static final int ADDRESSES_MAX = 16;

  private final Supplier<EgressRules> rules;
  private final HostLookup names;

  public Egress(Supplier<EgressRules> rules, HostLookup names) {
    this.rules = rules;
    this.names = names;
  }

  /**
   * The first {@value #ADDRESSES_MAX} addresses, which may be connected to.
   *
   * @throws AttemptException if the target, or any address of it, is forbidden
   * @throws TimeoutException if what must be looked up is not known by then
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
        + " must lead to where this namespace may call, because a job must not reach what its author cannot, but "
        + why + ". Correct the address, or ask whoever keeps the egress rules.");
  }
}
