package io.belfry.simulation;

import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The calls that the engine refuses, for which reason, and for whom. A refused call is not carried out.
 *
 * <p>Threading: confined to its engine.
 */
final class Refusals {

  /** What a node can ask of the engine. */
  enum Call {
    COMMIT,
    READ,
    GRANT,
    RENEW,
    REVOKE,
    WATCH
  }

  /** Why the engine refuses. */
  enum Reason {
    /** Wrong password, missing permission, unsafe settings. */
    DENIED,
    DAMAGED,
    OVERLOADED,
    FULL;

    StoreException exception() {
      return switch (this) {
        case DENIED ->
          new StoreException.Denied("The engine denies access. Nothing was done.", null);
        case DAMAGED ->
          new StoreException.Damaged("The engine reports damaged data. Nothing was done.", null);
        case OVERLOADED ->
          new StoreException.Overloaded("The engine has too much to do. Nothing was done.");
        case FULL -> new StoreException.Full("The engine has no room. Nothing was done.", null);
      };
    }

    /** An engine without room still answers reads, renews leases and deletes. */
    Set<Call> calls() {
      return this == FULL ? EnumSet.of(Call.COMMIT, Call.GRANT) : EnumSet.allOf(Call.class);
    }
  }

  /**
   * One rule by which calls are refused.
   *
   * @param node name without incarnation; empty for all nodes
   * @param oneIn refuses one call in so many; 1 for all
   */
  record Rule(Reason reason, Set<Call> calls, Optional<String> node, int oneIn) {
    private boolean isAbout(String name, Call call) {
      return calls.contains(call) && node.filter(only -> !only.equals(name)).isEmpty();
    }
  }

  private record Active(Rule rule, long until) {}

  private final World world;
  private final RandomGenerator random;
  private final List<Active> active = new ArrayList<>();
  private final Map<String, Long> overloaded = new HashMap<>();
  private long lastEnd = Long.MIN_VALUE / 2;

  Refusals(World world, RandomGenerator random) {
    this.world = world;
    this.random = random;
  }

  void add(Rule rule, Duration length) {
    world.note("engine", "refuses for " + length.toMillis() + " ms", rule);
    active.add(new Active(rule, world.now() + length.toNanos()));
    lastEnd = Math.max(lastEnd, world.now() + length.toNanos());
  }

  /** No further call is refused. */
  void end() {
    active.clear();
    lastEnd = Math.min(lastEnd, world.now());
  }

  /** The last moment at which a call may have been refused; long ago if none ever was. */
  long troubledAt() {
    return Math.min(lastEnd, world.now());
  }

  /** When this node was last refused for overload, which is worth trying again; long ago if it never was. */
  long overloadedAt(String node) {
    return overloaded.getOrDefault(node, Long.MIN_VALUE / 2);
  }

  /** Throws what this call of this node is refused with, if it is. */
  void check(SimNode node, Call call) {
    if (active.isEmpty()) {
      return;
    }
    active.removeIf(each -> each.until <= world.now());
    for (Active each : active) {
      Rule rule = each.rule;
      if (rule.isAbout(node.name(), call) && (rule.oneIn == 1 || random.nextInt(rule.oneIn) == 0)) {
        world.count("refused: " + rule.reason + " " + call);
        if (rule.reason == Reason.OVERLOADED) {
          overloaded.put(node.name(), world.now());
        }
        throw rule.reason.exception();
      }
    }
  }
}
