package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.dispatch.Strategy;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.jobs.Supported;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.worker.WorkerSettings;
import io.belfry.model.job.WorkDefaults;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Configuration of a {@link Belfry} node. Every method returns a modified copy. {@link Belfry#open} validates the settings with {@link #checked}
 * before it connects to anything.
 *
 * <p>Threading: immutable.
 */
public final class Settings {
  private final Options options;

  private Settings(Options options) {
    this.options = options;
  }

  /** Default settings: scheduler and worker in this process, with an embedded store in the directory {@code belfry-data}. */
  public static Settings defaults() {
    return new Settings(new Options());
  }

  private Settings with(Consumer<Options> change) {
    Options copy = options.copy();
    change.accept(copy);
    return new Settings(copy);
  }

  Options options() {
    return options;
  }

  /** URI of the store; see {@link StoreUri}. Default {@code embedded:belfry-data}. */
  public Settings store(String uri) {
    return store(Engine.at(uri));
  }

  /** The store with credentials, certificates and other options. */
  public Settings store(Engine engine) {
    return with(o -> o.store = engine);
  }

  /** URI of a separate engine for leader election, for example an etcd beside a Redis. Default: the store. */
  public Settings election(String uri) {
    return election(Engine.at(uri));
  }

  /** A separate engine for leader election, with credentials, certificates and other options. */
  public Settings election(Engine engine) {
    return with(o -> o.election = Optional.of(engine));
  }

  /**
   * Namespace of this node. Each namespace has its own jobs, tasks, workers and leader. Default {@code default}. Names that begin with {@code
   * belfry.} are reserved.
   */
  public Settings namespace(String name) {
    return with(o -> o.namespace = name);
  }

  /**
   * Prefix of all keys on etcd or Redis: a name, or on etcd a path such as {@code /my-app/scheduler/}. Must be the same on all nodes of a
   * cluster. Default {@code belfry}.
   */
  public Settings prefix(String prefix) {
    return with(o -> o.prefix = prefix);
  }

  /** Name of this node. A random suffix, the incarnation, makes it unique for each start. Default: the host name. */
  public Settings node(String name) {
    return with(o -> o.node = Optional.of(name));
  }

  /** Address shown for this node, for information only. Default: the host name. */
  public Settings address(String address) {
    return with(o -> o.address = Optional.of(address));
  }

  /** Roles of this process. Default: scheduler and worker. A process without a role can still submit tasks and manage jobs. */
  public Settings roles(Set<Role> roles) {
    return with(o -> o.roles = Set.copyOf(roles));
  }

  /** Maximum time that a method of {@link Belfry} waits for the store. Default 10 s. */
  public Settings callTimeout(Duration limit) {
    return with(o -> o.callTimeout = limit);
  }

  /** Graceful shutdown period: how long {@link Belfry#close} waits for running attempts. Default 10 s. */
  public Settings stopPatience(Duration patience) {
    return with(o -> o.stopPatience = patience);
  }

  /** Duration of the leader lease. If the leader fails, another node can take over after at most this time. Default 3 s. */
  public Settings leaderLease(Duration lease) {
    return with(o -> o.leaderLease = lease);
  }

  /** Interval at which the leader renews its lease, at most a third of {@link #leaderLease}. Default 1 s. */
  public Settings leaderRenew(Duration interval) {
    return with(o -> o.leaderRenew = interval);
  }

  /**
   * Initial load-balancing strategy of the namespace. It applies only if none has been set yet; change it later with {@link Belfry#strategy}.
   * Default {@code least-tasks}.
   */
  public Settings strategy(String name) {
    return with(o -> o.strategy = Optional.of(name));
  }

  /** Registers a custom load-balancing strategy. Register it on every scheduler node. */
  public Settings strategy(String name, Supplier<Strategy> maker) {
    return with(o -> o.strategies = o.strategies.with(name, maker));
  }

  /** Maximum rate at which missed fires are caught up, in tasks per second. Default 1000. */
  public Settings releaseRate(int tasksPerSecond) {
    return with(o -> o.releaseRate = tasksPerSecond);
  }

  /**
   * Maximum number of waiting tasks in the namespace. Above it, submissions are refused as overload until the number has dropped by a tenth.
   * The leader's setting applies. Default 1,000,000.
   */
  public Settings pendingMax(int tasks) {
    return with(o -> o.pendingMax = tasks);
  }

  /**
   * Time after which a waiting task counts as unmatched if no worker serves its queue and has its labels. The leader then logs a warning,
   * publishes an event and updates the metrics. The leader's setting applies. Default 10 min.
   */
  public Settings unmatchedAfter(Duration patience) {
    return with(o -> o.unmatchedAfter = patience);
  }

  /** Retention of finished tasks that belong to no job, and of records of skipped fires. The leader's setting applies. Default 7 days. */
  public Settings retainTasks(Duration time) {
    return with(o -> o.retainTasks = time);
  }

  /** Retention of rollups: counts and run times by job and time. The leader's setting applies. Default 90 days. */
  public Settings retainRollups(Duration time) {
    return with(o -> o.retainRollups = time);
  }

  /** Retention of logs of tasks that belong to no job, from their last line. The leader's setting applies. Default 7 days. */
  public Settings retainLogs(Duration time) {
    return with(o -> o.retainLogs = time);
  }

  /** Maximum size of all logs of the namespace, uncompressed; the oldest are deleted first. The leader's setting applies. Default 1 GiB. */
  public Settings retainLogBytes(long bytes) {
    return with(o -> o.retainLogBytes = bytes);
  }

  /** Maximum size of the history of the namespace; the oldest finished tasks are deleted first. The leader's setting applies. Default 10 GiB. */
  public Settings retainBytes(long bytes) {
    return with(o -> o.retainBytes = bytes);
  }

  /** Grace period: a fire that is late by at most this time is not a missed fire. Default 5 s. */
  public Settings grace(Duration age) {
    return with(o -> o.grace = age);
  }

  /** Id of this node's worker. A random suffix, the incarnation, makes it unique for each start. Default: the node's name. */
  public Settings workerId(String id) {
    return with(o -> o.workerId = Optional.of(id));
  }

  /** Display name of the worker. Default: its id. */
  public Settings workerName(String name) {
    return with(o -> o.workerName = Optional.of(name));
  }

  /** Address shown for the worker, for information only. */
  public Settings workerAddress(String address) {
    return with(o -> o.workerAddress = address);
  }

  /** Labels of the worker. Jobs and tasks can require labels. */
  public Settings workerLabels(Map<String, String> labels) {
    return with(o -> o.workerLabels = Map.copyOf(labels));
  }

  /** Queues that the worker serves. Default: all. */
  public Settings workerQueues(Set<String> queues) {
    return with(o -> o.workerQueues = Set.copyOf(queues));
  }

  /** Weight of the worker under {@code weighted-round-robin}. Default 1. */
  public Settings workerWeight(int weight) {
    return with(o -> o.workerWeight = weight);
  }

  /** Maximum number of attempts that the worker runs at once. Default 10. Change it at run time with {@link Belfry#capacity}. */
  public Settings workerCapacity(int attempts) {
    return with(o -> o.workerCapacity = attempts);
  }

  /** Duration of the worker lease. A worker without heartbeats for this long is dead, and its tasks are rescued. Same on all nodes. Default 4 s. */
  public Settings workerLease(Duration lease) {
    return with(o -> o.workerLease = lease);
  }

  /** Heartbeat interval of the worker, at most a third of {@link #workerLease}. Default 1 s. */
  public Settings workerHeartbeat(Duration interval) {
    return with(o -> o.workerHeartbeat = interval);
  }

  /** Shuts the worker down after it has been idle for this long. Default: never. */
  public Settings workerIdleTimeout(Duration idle) {
    return with(o -> o.workerIdle = Optional.of(idle));
  }

  /**
   * Health check of the worker, called at every heartbeat, one call at a time. While it returns false, throws, or exceeds {@link
   * #healthTimeout}, the worker gets no new attempts; running ones continue. Default: always healthy.
   */
  public Settings healthCheck(BooleanSupplier healthy) {
    return with(o -> o.healthCheck = Optional.of(healthy));
  }

  /** Enables or disables the health check. While it is disabled, the worker counts as healthy. Default true. */
  public Settings healthCheck(boolean enabled) {
    return with(o -> o.healthChecked = enabled);
  }

  /** Timeout of the health check, after which it is interrupted. Default 5 s. */
  public Settings healthTimeout(Duration limit) {
    return with(o -> o.healthTimeout = limit);
  }

  /** Adds an executor beside {@code local}. The {@link Belfry} opened with these settings owns it and closes it. */
  public Settings executor(Executor executor) {
    return with(o -> {
      var more = new ArrayList<>(o.executors);
      more.add(executor);
      o.executors = List.copyOf(more);
    });
  }

  /**
   * Executor types that workers in other programs provide. Jobs with any other type are refused when they are saved. Default: with the worker
   * role, only the executors of this program; without it, any type.
   */
  public Settings executorTypes(Set<String> types) {
    return with(o -> o.executorTypes = Optional.of(Set.copyOf(types)));
  }

  /** How long an attempt waits after startup for a handler that is not registered yet. Default 5 s. */
  public Settings handlerGrace(Duration grace) {
    return with(o -> o.handlerGrace = grace);
  }

  /** Default timeout of an attempt, for submissions and {@link JobOperations#named jobs} that set none. Default 5 min. */
  public Settings taskTimeout(Duration timeout) {
    return with(o -> o.work = new WorkDefaults(timeout, o.work.retry()));
  }

  /**
   * Default retry policy, for submissions and {@link JobOperations#named jobs} that set none. Default: 3 retries, after 10 s, 20 s and 40 s.
   */
  public Settings retry(RetryPolicy policy) {
    return with(o -> o.work = new WorkDefaults(o.work.timeout(), policy));
  }

  /**
   * Compresses payloads and results of 1 KiB or more where that makes them smaller. It applies to what this node writes; every node reads both
   * forms. Default true.
   */
  public Settings compression(boolean on) {
    return with(o -> o.compression = on);
  }

  /**
   * Enables the counters behind {@link Belfry#metrics} and {@link Belfry#nodeMetrics}. If disabled, {@link Metrics#counting} is false, and only
   * gauges have values. Default true.
   */
  public Settings metrics(boolean enabled) {
    return with(o -> o.metrics = enabled);
  }

  /** Maximum number of submissions of this node that wait for the store; more are refused as overload. Default 10,000. */
  public Settings queueSize(int submissions) {
    return with(o -> o.queueSize = submissions);
  }

  /** Maximum number of events buffered for each callback; more are dropped, counted and logged. Default 1,000. */
  public Settings eventBuffer(int events) {
    return with(o -> o.eventBuffer = events);
  }

  /** How long a repeated submission is recognized by its idempotency key or id. Default 7 days. */
  public Settings idempotencyWindow(Duration window) {
    return with(o -> o.idempotencyWindow = window);
  }

  /**
   * Maximum number of stored idempotency keys of the namespace. Above it, submissions with a new key or id, and triggers for an instant, are
   * refused as overload. Other triggers and retries may exceed it by a tenth. Default 10,000,000.
   */
  public Settings idempotencyKeysMax(long keys) {
    return with(o -> o.idempotencyKeysMax = keys);
  }

  /**
   * Validates these settings and returns them.
   *
   * @throws io.belfry.model.InvalidException if a setting is invalid or settings contradict each other
   */
  public Settings checked() {
    SettingsCheck.check(this);
    return this;
  }

  /** The name of this node, without its incarnation. */
  public String node() {
    return options.node.orElseGet(HostName::find);
  }

  String address() {
    return options.address.orElseGet(HostName::find);
  }

  /** The configured executors and the built-in one. */
  List<Executor> executors(LocalExecutor local) {
    var all = new ArrayList<>(options.executors);
    all.add(local);
    return List.copyOf(all);
  }

  /** The executor types that a saved job may use. */
  Supported supported() {
    if (options.executorTypes.isEmpty() && !options.roles.contains(Role.WORKER)) {
      return new Supported(Optional.empty());
    }
    var types = new HashSet<>(options.executorTypes.orElse(Set.of()));
    options.executors.forEach(executor -> types.add(executor.type()));
    return new Supported(Optional.of(types));
  }

  Strategies strategies() {
    return options.strategies;
  }

  ElectionSettings electionSettings() {
    return new ElectionSettings(options.leaderLease, options.leaderRenew);
  }

  LeaderSettings leaderSettings() {
    return options.leaderSettings();
  }

  WorkerSettings worker() {
    String id = options.workerId.orElseGet(this::node);
    return new WorkerSettings(
        id,
        options.workerName.orElse(id),
        options.workerAddress,
        options.workerLabels,
        options.workerQueues,
        options.workerWeight,
        options.workerCapacity,
        options.workerLease,
        options.workerHeartbeat);
  }
}
