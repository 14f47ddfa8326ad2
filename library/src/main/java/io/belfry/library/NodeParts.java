package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.execute.SettingsCache;
import io.belfry.core.history.History;
import io.belfry.core.log.LogReader;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.worker.LeaseLosses;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.time.Time;
import io.belfry.store.CommitObserver;
import io.belfry.store.EngineHealth;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Store;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the parts of one node, restarts those that fail, and shuts them down.
 *
 * <pre>
 *   scheduler ──error on the loop──▶ leases released, callers released ──pause──▶ new scheduler, new incarnation
 *   worker    ──error on the loop──▶ attempts interrupted and ended ─────pause──▶ new worker, new incarnation
 *                                     more than five times in a minute: the node reports a failure, and keeps trying
 * </pre>
 *
 * <p>Threading: safe; the parts live on their loops.
 */
final class NodeParts {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);
  private static final Duration LAST_STEP = Duration.ofSeconds(2);

  final Time time = Time.system();
  /** Safe for many threads. */
  final SecureRandom random = new SecureRandom();

  final Options options;
  final Calls calls;
  final Counters counters;
  final CommitMetrics commits = new CommitMetrics();
  /** Of this worker and its predecessors. */
  final LeaseLosses losses = new LeaseLosses();

  final Events events;
  final MonitoredStore state;
  final MonitoredStore election;
  final History history;
  final LogReader journal;
  private final Settings settings;
  private final Restarts schedulerRestarts = new Restarts(time);
  private final Restarts workerRestarts = new Restarts(time);
  private final Optional<LocalExecutor> local;
  private final List<Executor> executors;
  private volatile SchedulerPart scheduler;
  private volatile Optional<WorkerPart> worker;
  private Set<EventKind> listened = Set.of();
  private OptionalInt capacity = OptionalInt.empty();
  private long repairedBefore;
  private boolean started;
  private boolean stopping;

  /** Opens everything; if one part cannot be opened, closes the others and fails. */
  static NodeParts open(Settings settings) {
    var opened = new ClosingStack();
    try {
      return new NodeParts(settings, opened);
    } catch (RuntimeException | Error e) {
      opened.close(e);
      throw e;
    }
  }

  private NodeParts(Settings settings, ClosingStack opened) {
    this.settings = settings;
    this.options = settings.options();
    String incarnation = incarnation();
    this.calls = new Calls(options.callTimeout, time, this::outage);
    this.counters = new Counters(time, options.metrics);
    this.events = new Events(options.eventBuffer);
    this.state = open(
        opened,
        options.store,
        options.metrics ? commits : CommitObserver.NONE,
        "no jobs fire, and no tasks are accepted");
    this.election = options
        .election
        .map(engine -> open(opened, engine, CommitObserver.NONE, "no leader can be elected"))
        .orElse(state);
    this.history = new History(state, NodeParts::apart);
    this.journal = new LogReader(state, NodeParts::apart);
    this.scheduler = newScheduler(incarnation);
    opened.push(scheduler.loop, ThreadLoop::close);
    this.local = options.roles.contains(Role.WORKER)
        ? Optional.of(new LocalExecutor(time, options.handlerGrace))
        : Optional.empty();
    this.executors = local.map(settings::executors).orElse(List.of());
    this.worker = local.map(unused -> newWorker(incarnation));
    worker.ifPresent(part -> opened.push(part.loop, ThreadLoop::close));
    events.onKindsChanged(this::listen);
  }

  /** A random suffix that no other instance has. */
  private String incarnation() {
    byte[] bytes = new byte[6];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private SchedulerPart newScheduler(String incarnation) {
    String node = settings.node() + "~" + incarnation;
    counters.node(node);
    return new SchedulerPart(
        settings, node, this, chance(), thrown -> schedulerFailed(node, thrown));
  }

  private WorkerPart newWorker(String incarnation) {
    return new WorkerPart(
        settings, state, incarnation, time, chance(), executors, losses, this::workerFailed);
  }

  private synchronized void listen(Set<EventKind> kinds) {
    listened = kinds;
    scheduler.listen(kinds);
  }

  /** Decodes records off the loops. */
  private static void apart(Runnable reading) {
    var unused = Thread.startVirtualThread(reading);
  }

  private SplittableRandom chance() {
    return new SplittableRandom(random.nextLong());
  }

  private MonitoredStore open(
      ClosingStack opened, Engine engine, CommitObserver observer, String consequence) {
    Store store =
        opened.push(engine.open(options.prefix, options.namespace, observer), Store::close);
    var log = new EngineLog(WireName.of(engine.uri().kind()), options.namespace, consequence, time);
    return new MonitoredStore(store, new EngineHealth(time, log));
  }

  /** Handles an event of this node's own scheduler. Only these are counted, so that the counters of all nodes add up. */
  void decided(Happening happening) {
    counters.observed(happening);
    events.observed(happening);
  }

  private Optional<EngineHealth.Outage> outage() {
    return state.health().knownAway();
  }

  /** The health of this node. */
  NodeHealth health() {
    SchedulerPart now = scheduler;
    return new NodeHealth(
        state.health().view(),
        options.election.map(engine -> election.health().view()),
        now.sinceStep(),
        now.stalled(),
        worker.filter(WorkerPart::leftIdle).isPresent());
  }

  SchedulerPart scheduler() {
    return scheduler;
  }

  Optional<WorkerPart> worker() {
    return worker;
  }

  /** Where handlers are registered. */
  LocalExecutor local() {
    return local.orElseThrow(() -> Check.refusal(
        "roles",
        options.roles,
        "must contain WORKER to register handlers, because only workers run them",
        "Add the role, or register the handler on a worker node."));
  }

  synchronized void start() {
    started = true;
    scheduler.start();
    worker.ifPresent(WorkerPart::start);
  }

  /** Sets the capacity of the worker and of its replacements. */
  synchronized void capacity(int attempts) {
    capacity = OptionalInt.of(attempts);
    worker.ifPresent(part -> part.capacity(attempts));
  }

  private void schedulerFailed(String node, Throwable thrown) {
    Duration pause = schedulerRestarts.failed(thrown);
    LOG.error(
        "Node {} restarts its scheduler in {} after an unexpected error, because its cached state may be wrong."
            + " If it was the leader, another node may take over.",
        node,
        pause,
        thrown);
    calls.failed(thrown);
    later(pause, this::restartScheduler);
  }

  private synchronized void restartScheduler() {
    if (stopping) {
      return;
    }
    try {
      SchedulerPart next = newScheduler(incarnation());
      repairedBefore += scheduler.repaired();
      scheduler = next;
      schedulerRestarts.restarted();
      next.listen(listened);
      if (started) {
        next.start();
      }
      calls.recovered();
      LOG.info("Node {} has restarted its scheduler.", next.node);
    } catch (RuntimeException | Error e) {
      // Also an Error: nothing else would try again, and callers would be refused forever.
      schedulerFailed(settings.node(), e);
    }
  }

  private void workerFailed(WorkerPart part, Throwable thrown) {
    Duration pause = workerRestarts.failed(thrown);
    LOG.error(
        "Worker {} stopped after an unexpected error, because its cached state may be wrong. Its attempts are interrupted, and its tasks"
            + " are rescued when its lease expires. A new worker starts in {}.",
        part.id(),
        pause,
        thrown);
    later(pause, () -> {
      part.abandon(settings.worker().lease());
      restartWorker(part);
    });
  }

  private void replacementFailed(WorkerPart before, Throwable thrown) {
    Duration pause = workerRestarts.failed(thrown);
    LOG.error(
        "The replacement of worker {} could not be started. Next attempt in {}.",
        before.id(),
        pause,
        thrown);
    later(pause, () -> restartWorker(before));
  }

  private synchronized void restartWorker(WorkerPart before) {
    if (stopping || before.isLeaving()) {
      return;
    }
    WorkerPart next;
    try {
      next = newWorker(incarnation());
    } catch (RuntimeException | Error e) {
      replacementFailed(before, e);
      return;
    }
    worker = Optional.of(next);
    workerRestarts.restarted();
    capacity.ifPresent(next::capacity);
    if (started) {
      next.start();
    }
    LOG.info("Worker {} replaces worker {}.", next.id(), before.id());
  }

  private static void later(Duration pause, Runnable step) {
    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, NodeParts::apart)
        .execute(step);
  }

  /** How many times this node, as the leader, corrected cached records that differed from the store. */
  synchronized long repaired() {
    return repairedBefore + scheduler.repaired();
  }

  /** The number of restarts after an error, by part. */
  Map<String, Long> restarts() {
    return Map.of("decider", schedulerRestarts.count(), "worker", workerRestarts.count());
  }

  /** Sizes of the executors' settings caches in bytes, by executor type. */
  Map<String, Long> executorCaches() {
    Map<String, Long> bytes = new TreeMap<>();
    for (Executor executor : executors) {
      if (executor instanceof SettingsCache cache) {
        bytes.put(executor.type(), cache.cacheBytes());
      }
    }
    return bytes;
  }

  private synchronized void beginStop() {
    stopping = true; // no part is restarted from now on
  }

  /** Stops new work, gives up leadership, lets attempts finish or hands them back, and closes the stores. */
  void stop(Duration patience) {
    calls.close();
    beginStop();
    SchedulerPart last = scheduler;
    await(
        last,
        "release leadership",
        released -> last.handOver()
            .ifPresentOrElse(
                handed -> handed.whenComplete((done, failure) -> released.complete(null)),
                () -> released.complete(null)));
    worker.ifPresent(part -> part.stop(patience));
    await(
        last,
        "cancel its pending requests",
        left -> last.leave().whenComplete((done, failure) -> left.complete(null)));
    last.loop.close();
    last.endCallers(); // callers that the loop did not reach must not wait for it
    try {
      ExecutorShutdown.close(options.executors, LAST_STEP);
      events.close(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (options.election.isPresent()) {
      election.close();
    }
    state.close();
  }

  /** Runs a last step on the loop and waits for it; an interrupt ends the wait. */
  private void await(
      SchedulerPart last, String what, Consumer<CompletableFuture<@Nullable Void>> step) {
    if (calls.failure().isPresent()) {
      return;
    }
    var done = new CompletableFuture<@Nullable Void>();
    last.loop.post(() -> step.accept(done));
    try {
      done.get(LAST_STEP.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn(
          "Node {} could not {} within {}; its lease expires on its own.",
          last.node,
          what,
          LAST_STEP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The error that made a part fail repeatedly. */
  Optional<Throwable> failure() {
    return schedulerRestarts.tooMany().or(workerRestarts::tooMany);
  }
}
