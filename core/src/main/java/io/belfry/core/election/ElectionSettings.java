package io.belfry.core.election;

import io.belfry.model.Check;
import java.time.Duration;

/**
 * How leadership is held.
 *
 * @param lease how long a leader that went silent keeps others from trying
 * @param renew how often it is renewed
 */
public record ElectionSettings(Duration lease, Duration renew) {
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(2);
  private static final Duration LONGEST_LEASE = Duration.ofMinutes(5);

  public static final ElectionSettings DEFAULT =
      new ElectionSettings(Duration.ofSeconds(3), Duration.ofSeconds(1));

  public ElectionSettings {
    Check.between(
        "leader.lease",
        lease,
        SHORTEST_LEASE,
        LONGEST_LEASE,
        "shorter ones end by a pause of the engine, longer ones leave jobs unfired");
    if (renew.isNegative() || renew.isZero() || renew.multipliedBy(3).compareTo(lease) > 0) {
      throw Check.refusal(
          "leader.renew",
          renew,
          "must be positive and fit three times into leader.lease (" + lease
              + "), so that one lost renewal does not end a leader",
          "Set leader.renew to " + lease.dividedBy(3) + " or less, or raise leader.lease.");
    }
  }

  /** What is taken off the trust, for clocks that do not run alike and for steps that come late. */
  Duration margin() {
    return lease.dividedBy(10);
  }
}
