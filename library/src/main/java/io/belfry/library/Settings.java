package io.belfry.library;

import io.belfry.core.dispatch.Strategies;
import io.belfry.core.dispatch.Strategy;
import io.belfry.core.election.ElectionSettings;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.jobs.Supported;
import io.belfry.core.leader.term.LeaderSettings;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.work.WorkerSettings;
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
 * How a Belfry is to be. Every method returns new settings and leaves these as they are; how values fit together is checked by {@link
 * #checked}, which {@link Belfry#open} does before it touches anything.
 *
 * <p>Threading: immutable.
 */
public final class Settings {
  private final Options options;

  private Settings(Options options) {
    this.options = options;
  }

  /** Everything in one process, kept in the directory {@code belfry-data}. */
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

  /** Where everything is kept: see {@link StoreUri}. Default {@code embedded:belfry-data}. */
  public Settings store(String uri) {
    return store(Engine.at(uri));
  }

  /** The same with a login, certificates and the like. */
  public Settings store(Engine engine) {
    return with(o -> o.store = engine);
  }

  /** Where leaders are elected, if not where the state is kept: an etcd beside a Redis. */
  public Settings election(String uri) {
    return election(Engine.at(uri));
  }

  public Settings election(Engine engine) {
    return with(o -> o.election = Optional.of(engine));
  }

  /**
   * What belongs together: has its own jobs, tasks, workers and leader. Default {@code default}; names that begin with {@code belfry.}
   * are Belfry's own.
   */
  public Settings namespace(String name) {
    return with(o -> o.namespace = name);
  }

  /**
   * With what all keys on etcd or Redis begin: a name, or on etcd a path such as {@code /my-app/scheduler/}. Default {@code belfry}. Nodes of
   * one cluster have the same.
   */
  public Settings prefix(String prefix) {
    return with(o -> o.prefix = prefix);
  }

  /** Name of this node; an incarnation is added. Default: the name of the host. */
  public Settings node(String name) {
    return with(o -> o.node = Optional.of(name));
  }

  /** Where this node runs, for people; nobody connects to it. Default: the name of the host. */
  public Settings address(String address) {
    return with(o -> o.address = Optional.of(address));
  }

  /** What this process does. Default: both. A process without either can still submit and define jobs. */
  public Settings roles(Set<Role> roles) {
    return with(o -> o.roles = Set.copyOf(roles));
  }

  /** How long a method of {@link Belfry} waits for the store. Default 10 s. */
  public Settings callTimeout(Duration limit) {
    return with(o -> o.callTimeout = limit);
  }

  /** How long {@link Belfry#close} lets attempts finish. Default 10 s. */
  public Settings stopPatience(Duration patience) {
    return with(o -> o.stopPatience = patience);
  }

  /** How long a leader that went silent keeps others from leading. Default 3 s. */
  public Settings leaderLease(Duration lease) {
    return with(o -> o.leaderLease = lease);
  }

  /** How often a leader renews its lease. Default 1 s; fits three times into the lease. */
  public Settings leaderRenew(Duration interval) {
    return with(o -> o.leaderRenew = interval);
  }

  /**
   * How workers are chosen in a namespace in which nobody has chosen yet; later it is switched by {@link Belfry#strategy}. Default
   * {@code least-tasks}.
   */
  public Settings strategy(String name) {
    return with(o -> o.strategy = Optional.of(name));
  }

  /** A strategy of your own, under a name. Every scheduler node must have it. */
  public Settings strategy(String name, Supplier<Strategy> maker) {
    return with(o -> o.strategies = o.strategies.with(name, maker));
  }

  /** How many tasks of missed fires are created in a second. Default 1000. */
  public Settings releaseRate(int tasksPerSecond) {
    return with(o -> o.releaseRate = tasksPerSecond);
  }

  /**
   * How many tasks may wait in the namespace; submitting more is refused as overload until a tenth of them is gone. The leader's setting
   * counts. Default 1,000,000.
   */
  public Settings pendingMax(int tasks) {
    return with(o -> o.pendingMax = tasks);
  }

  /**
   * How long tasks wait that no worker may take, by queue and labels, before the leader logs a warning, publishes an event and counts
   * them. The leader's setting counts. Default 10 min.
   */
  public Settings unmatchedAfter(Duration patience) {
    return with(o -> o.unmatchedAfter = patience);
  }

  /** How long finished tasks are kept that belong to no job, and records of skipped fires. The leader's setting counts. Default 7 days. */
  public Settings retainTasks(Duration time) {
    return with(o -> o.retainTasks = time);
  }

  /** How long counts and times by the hour are kept. The leader's setting counts. Default 90 days. */
  public Settings retainRollups(Duration time) {
    return with(o -> o.retainRollups = time);
  }

  /** How long logs of tasks that belong to no job are kept after their last line. The leader's setting counts. Default 7 days. */
  public Settings retainLogs(Duration time) {
    return with(o -> o.retainLogs = time);
  }

  /** What all logs of the namespace may weigh before the oldest go, uncompressed. The leader's setting counts. Default 1 GiB. */
  public Settings retainLogBytes(long bytes) {
    return with(o -> o.retainLogBytes = bytes);
  }

  /** What all finished tasks of the namespace may weigh before the oldest go early. The leader's setting counts. Default 10 GiB. */
  public Settings retainBytes(long bytes) {
    return with(o -> o.retainBytes = bytes);
  }

  /** Up to this age a fire counts as on time and not as missed. Default 5 s. */
  public Settings grace(Duration age) {
    return with(o -> o.grace = age);
  }

  /** Id of the worker; an incarnation is added. Default: the node's name. */
  public Settings workerId(String id) {
    return with(o -> o.workerId = Optional.of(id));
  }

  /** Name of the worker, for people. Default: its id. */
  public Settings workerName(String name) {
    return with(o -> o.workerName = Optional.of(name));
  }

  /** Where the worker can be found, for people; nobody connects to it. */
  public Settings workerAddress(String address) {
    return with(o -> o.workerAddress = address);
  }

  /** What tasks may demand of their worker. */
  public Settings workerLabels(Map<String, String> labels) {
    return with(o -> o.workerLabels = Map.copyOf(labels));
  }

  /** The queues that the worker serves. Default: all. */
  public Settings workerQueues(Set<String> queues) {
    return with(o -> o.workerQueues = Set.copyOf(queues));
  }

  /** Its share under {@code weighted-round-robin}. Default 1. */
  public Settings workerWeight(int weight) {
    return with(o -> o.workerWeight = weight);
  }

  /** Attempts that the worker holds at most. Default 10; changed later by {@link Belfry#capacity}. */
  public Settings workerCapacity(int attempts) {
    return with(o -> o.workerCapacity = attempts);
  }

  /** How long a worker that went silent keeps its tasks. Default 4 s; the same on all nodes of a namespace. */
  public Settings workerLease(Duration lease) {
    return with(o -> o.workerLease = lease);
  }

  /** How often the worker says that it is there. Default 1 s; fits three times into its lease. */
  public Settings workerHeartbeat(Duration interval) {
    return with(o -> o.workerHeartbeat = interval);
  }

  /** A worker that has had nothing to do for so long leaves by itself. Default: never. */
  public Settings workerIdleTimeout(Duration idle) {
    return with(o -> o.workerIdle = Optional.of(idle));
  }

  /**
   * Asked with every heartbeat, one at a time and outside all loops; while it says false, throws, or does not answer within {@link
   * #healthTimeout}, the worker is given nothing new. What it has goes on. Default: always healthy.
   */
  public Settings healthCheck(BooleanSupplier healthy) {
    return with(o -> o.healthCheck = Optional.of(healthy));
  }

  /** Whether the health check, if there is one, is asked. Default true; otherwise the worker counts as healthy. */
  public Settings healthCheck(boolean asked) {
    return with(o -> o.healthChecked = asked);
  }

  /** How long the health check may take; it is interrupted then. Default 5 s. */
  public Settings healthTimeout(Duration limit) {
    return with(o -> o.healthTimeout = limit);
  }

  /** One more executor beside {@code local}. It belongs to the one Belfry that is opened with it, and is closed with that. */
  public Settings executor(Executor executor) {
    return with(o -> {
      var more = new ArrayList<>(o.executors);
      more.add(executor);
      o.executors = List.copyOf(more);
    });
  }

  /**
   * Types of executors that workers of other programs have. Jobs that name any other type, and none of this program's executors, are
   * refused. Default: none beside the built-in ones, where this program has a worker; any, where it has none.
   */
  public Settings executorTypes(Set<String> types) {
    return with(o -> o.executorTypes = Optional.of(Set.copyOf(types)));
  }

  /** How long after the start an attempt waits for a handler that is not registered yet. Default 5 s. */
  public Settings handlerGrace(Duration grace) {
    return with(o -> o.handlerGrace = grace);
  }

  /** How long an attempt may take, of submissions and {@link JobDesk#named jobs} that do not say. Default 5 min. */
  public Settings taskTimeout(Duration timeout) {
    return with(o -> o.work = new WorkDefaults(timeout, o.work.retry()));
  }

  /**
   * Whether failed attempts are followed by others, of submissions and {@link JobDesk#named jobs} that do not say. Default 3 times, after
   * 10 s, 20 s, 40 s.
   */
  public Settings retry(RetryPolicy policy) {
    return with(o -> o.work = new WorkDefaults(o.work.timeout(), policy));
  }

  /**
   * Whether payloads and results from 1 KiB on are compressed before they are kept, where that makes them shorter. Default true. Of what is
   * submitted or saved here and of what this node's worker answers; what is there already stays as it is kept, and every node reads both.
   */
  public Settings compression(boolean on) {
    return with(o -> o.compression = on);
  }

  /**
   * Whether this node counts what happens, for {@link Belfry#metrics} and {@link Belfry#readings}. Default true; otherwise both say that
   * nothing is counted ({@link Metrics#counting}), and tell only what is there now.
   */
  public Settings metrics(boolean counted) {
    return with(o -> o.metrics = counted);
  }

  /** Submissions that may wait for the store; more are refused as overload. Default 10,000. */
  public Settings queueSize(int submissions) {
    return with(o -> o.queueSize = submissions);
  }

  /** Events that may wait for one callback; more are dropped, counted and reported. Default 1,000. */
  public Settings eventBuffer(int events) {
    return with(o -> o.eventBuffer = events);
  }

  /** How long a repeated submission is recognised by its key or id. Default 7 days. */
  public Settings idempotencyWindow(Duration window) {
    return with(o -> o.idempotencyWindow = window);
  }

  /**
   * Idempotency keys that may be remembered in the namespace; submits with a further key or id, and triggers for an instant, are refused as
   * overload. Triggers without an instant and retries have a tenth more. Default 10,000,000.
   */
  public Settings idempotencyKeysMax(long keys) {
    return with(o -> o.idempotencyKeysMax = keys);
  }

  /** These settings, if they fit together; otherwise an {@link io.belfry.model.InvalidException} that says what does not. */
  public Settings checked() {
    Fit.check(this);
    return this;
  }

  /** The name of this node, without an incarnation. */
  public String node() {
    return options.node.orElseGet(HostName::find);
  }

  String address() {
    return options.address.orElseGet(HostName::find);
  }

  /** Those that were given, and the one that every worker has. */
  List<Executor> executors(LocalExecutor local) {
    var all = new ArrayList<>(options.executors);
    all.add(local);
    return List.copyOf(all);
  }

  /** What is refused when a job is saved. */
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
