package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.execute.Executor;
import io.belfry.core.history.RetainSettings;
import io.belfry.core.leader.term.BackpressureSettings;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.model.job.Payload;
import io.belfry.model.job.WorkDefaults;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The values behind {@link Settings}, with their defaults.
 *
 * <p>Threading: modified only right after a copy, before it is shared.
 */
final class Options implements Cloneable {
  Engine store = Engine.at("embedded:belfry-data");
  Optional<Engine> election = Optional.empty();
  String namespace = "default";
  String prefix = "belfry";
  Optional<String> node = Optional.empty();
  Optional<String> address = Optional.empty();
  Set<Role> roles = Set.of(Role.SCHEDULER, Role.WORKER);
  Duration callTimeout = Duration.ofSeconds(10);
  Duration stopPatience = Duration.ofSeconds(10);

  Duration leaderLease = Duration.ofSeconds(3);
  Duration leaderRenew = Duration.ofSeconds(1);
  Optional<String> strategy = Optional.empty();
  Strategies strategies = Strategies.builtIn();
  int releaseRate = 1000;
  int pendingMax = BackpressureSettings.WAITING_MAX;
  Duration unmatchedAfter = BackpressureSettings.UNMATCHED_AFTER;
  Duration grace = Duration.ofSeconds(5);
  Duration retainTasks = RetainSettings.DEFAULT.tasks();
  Duration retainRollups = RetainSettings.DEFAULT.rollups();
  Duration retainLogs = RetainSettings.DEFAULT.logs();
  long retainLogBytes = RetainSettings.DEFAULT.logBytes();
  long retainBytes = RetainSettings.DEFAULT.historyBytes();

  Optional<String> workerId = Optional.empty();
  Optional<String> workerName = Optional.empty();
  String workerAddress = "";
  Map<String, String> workerLabels = Map.of();
  Set<String> workerQueues = Set.of();
  int workerWeight = 1;
  int workerCapacity = 10;
  Duration workerLease = Duration.ofSeconds(4);
  Duration workerHeartbeat = Duration.ofSeconds(1);
  Optional<Duration> workerIdle = Optional.empty();
  Optional<BooleanSupplier> healthCheck = Optional.empty();
  boolean healthChecked = true;
  Duration healthTimeout = Duration.ofSeconds(5);
  List<Executor> executors = List.of();
  Optional<Set<String>> executorTypes = Optional.empty();
  Duration handlerGrace = Duration.ofSeconds(5);

  WorkDefaults work = WorkDefaults.USUAL;
  boolean compression = true;
  boolean metrics = true;
  int queueSize = 10_000;
  int eventBuffer = 1000;
  Duration idempotencyWindow = Duration.ofDays(7);
  long idempotencyKeysMax = RetainSettings.KEYS_MAX;

  /** The payload, compressed unless that is disabled. */
  Payload kept(Payload payload) {
    return compression ? payload : payload.plain();
  }

  /** The settings of the leader. */
  LeaderSettings leaderSettings() {
    LeaderSettings usual = LeaderSettings.DEFAULT;
    return new LeaderSettings(
        workerLease,
        grace,
        releaseRate,
        usual.overdue(),
        usual.limitKey(),
        usual
            .retain()
            .keeping(retainTasks, retainRollups, retainLogs, retainLogBytes)
            .withHistoryBytes(retainBytes)
            .withKeysMax(idempotencyKeysMax),
        new BackpressureSettings(
            new JsonPath(), pendingMax, usual.backpressure().bodyBytes(), unmatchedAfter));
  }

  Options copy() {
    try {
      return (Options) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("it is cloneable", e);
    }
  }
}
