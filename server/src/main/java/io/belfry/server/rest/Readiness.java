package io.belfry.server.rest;

import io.belfry.library.Belfry;
import io.belfry.library.ClusterStatus;
import io.belfry.library.NodeHealth;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import io.belfry.store.RefusalReason;
import io.belfry.store.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the server can do its work: it accepts changes, somebody leads, and what is due is fired. Anybody may ask, as often as they like:
 * so it names no namespace, no node and no address, and never waits for an engine. Those who may know more ask for the cluster of a namespace.
 *
 * <p>Threading: safe.
 */
final class Readiness {
  /** A loop that has not run a step for so long is stuck in one. */
  private static final Duration STUCK = Duration.ofSeconds(3);
  /** So long a leader may owe a fire before it counts as stalled; it is noticed up to two seconds late. */
  private static final Duration STALLED = Duration.ofSeconds(3);

  private final Supplier<Map<String, Belfry>> namespaces;
  private final Supplier<EngineHealth.View> system;
  private final Leaders leaders;
  /** Whether it has been ready: from then on a namespace that is opened has a moment to elect its first leader. */
  private volatile boolean settled;
  /** What the engines of namespaces last warned of. */
  private final Map<String, String> warnings = new ConcurrentHashMap<>();

  /**
   * The readiness of one server.
   *
   * @param system whether the engine accepts the server's own writes
   */
  Readiness(
      Supplier<Map<String, Belfry>> namespaces, Supplier<EngineHealth.View> system, Time time) {
    this.namespaces = namespaces;
    this.system = system;
    this.leaders = new Leaders(time, this::isLed);
  }

  /** False if it was closed a moment ago. */
  private CompletionStage<Boolean> isLed(String namespace) {
    Belfry belfry = namespaces.get().get(namespace);
    return belfry == null
        ? CompletableFuture.completedStage(false)
        : belfry.clusterAsync().thenApply(status -> {
          warn(namespace, status);
          return status.isLed();
        });
  }

  private void warn(String namespace, ClusterStatus status) {
    status
        .engine()
        .warning()
        .or(() -> status.electionEngine().flatMap(Status::warning))
        .ifPresentOrElse(words -> warnings.put(namespace, words), () -> warnings.remove(namespace));
  }

  Answer answer() {
    Map<String, Belfry> all = namespaces.get();
    leaders.refresh(all.keySet());
    warnings.keySet().retainAll(all.keySet());
    var found =
        new Found(all.size(), settled, system.get().unwritable(), new TreeSet<>(warnings.values()));
    all.forEach((name, belfry) -> found.look(belfry, leaders.of(name)));
    settled |= found.isReady();
    ObjectNode answer = Spot.node().put("ready", found.isReady());
    found.tell(answer.putArray("checks"));
    return new Answer(found.isReady() ? 200 : 503, answer);
  }

  /** Counts and reasons, which say enough to whoever has to act and nothing to anybody else. Threading: confined. */
  private static final class Found {
    private final int all;
    private final boolean settled;
    private final Optional<RefusalReason> system;
    private int whole;
    private int writable;
    private int led;
    private int starting;
    private int unknown;
    private int firing;
    private int idle;
    private final Set<RefusalReason> reasons = new TreeSet<>();
    private final Set<String> warnings;

    Found(int all, boolean settled, Optional<RefusalReason> system, Set<String> warnings) {
      this.all = all;
      this.settled = settled;
      this.system = system;
      this.warnings = warnings;
    }

    void look(Belfry belfry, Leaders.Seen leader) {
      NodeHealth health = belfry.health();
      boolean works = belfry.failure().isEmpty() && health.sinceStep().compareTo(STUCK) < 0;
      whole += works ? 1 : 0;
      Optional<RefusalReason> refused = health
          .engine()
          .unwritable()
          .or(() -> health.electionEngine().flatMap(other -> other.unwritable()));
      refused.ifPresent(reasons::add);
      writable += refused.isEmpty() ? 1 : 0;
      led += leader == Leaders.Seen.LED ? 1 : 0;
      starting += settled && leader == Leaders.Seen.STARTING ? 1 : 0;
      unknown += leader == Leaders.Seen.NOT_KNOWN ? 1 : 0;
      firing += health.overdue().compareTo(STALLED) < 0 ? 1 : 0;
      idle += health.workerLeft() ? 1 : 0;
    }

    boolean isReady() {
      return all > 0
          && whole == all
          && writable == all
          && system.isEmpty()
          && isLed()
          && firing == all
          && idle == 0;
    }

    private boolean isLed() {
      return led + starting == all;
    }

    void tell(ArrayNode checks) {
      check(checks, "namespaces", all > 0, all + " open");
      check(checks, "node", whole == all, "works in " + whole + " of " + all);
      check(
          checks,
          "engine",
          writable == all,
          "accepts writes for " + writable + " of " + all + (reasons.isEmpty() ? "" : why())
              + (warnings.isEmpty() ? "" : "; warning: " + String.join("; ", warnings)));
      check(
          checks,
          "system",
          system.isEmpty(),
          system
              .map(reason -> "writes fail: " + WireName.of(reason))
              .orElse("the server's own records can be written"));
      check(
          checks,
          "leader",
          isLed(),
          led + " of " + all + " have one"
              + (starting == 0 ? "" : ", " + starting + " elect their first")
              + (unknown == 0
                  ? ""
                  : ", not known for " + unknown + ": the engine does not answer"));
      check(checks, "fires", firing == all, "on time in " + firing + " of " + all);
      check(
          checks,
          "worker",
          idle == 0,
          idle == 0 ? "present" : "left in " + idle + " of " + all + " after its idle timeout");
    }

    private String why() {
      return "; writes fail: "
          + reasons.stream().map(WireName::of).collect(Collectors.joining(", "));
    }

    private static void check(ArrayNode checks, String name, boolean ok, String detail) {
      checks.addObject().put("name", name).put("ok", ok).put("detail", detail);
    }
  }
}
