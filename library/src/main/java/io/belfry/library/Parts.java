package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.execute.Executor;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.execute.SettingsCache;
import io.belfry.core.journal.Journal;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.retain.History;
import io.belfry.core.work.LeaseLosses;
import io.belfry.model.Check;
import io.belfry.model.Word;
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
 * Puts the parts of one process together, restarts those that fail, and takes them apart again.
 *
 * <pre>
 *   decider ──a step threw──▶ leases given up, callers told ──pause──▶ a new decider, another incarnation
 *   worker  ──a step threw──▶ attempts interrupted, and ended ──pause──▶ a new worker, another incarnation
 *                                     more than five times in a minute: the node says that it failed, and goes on trying
 * </pre>
 *
 * <p>Threading: safe; the parts live on their loops.
 */
final class Parts {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);
  private static final Duration LAST_STEP = Duration.ofSeconds(2);

  final Time time = Time.system();
  /** Safe for many threads. */
  final SecureRandom random = new SecureRandom();

  final Options options;
  final Calls calls;
  final Counters counters;
  final CommitFigures commits = new CommitFigures();
  /** Of the worker and those before it. */
  final LeaseLosses losses = new LeaseLosses();

  final Events events;
  final MonitoredStore state;
  final MonitoredStore election;
  final History history;
  final Journal journal;
  private final Settings settings;
  private final Restarts deciderRestarts = new Restarts(time);
  private final Restarts workerRestarts = new Restarts(time);
  private final Optional<LocalExecutor> local;
  private final List<Executor> executors;
  private volatile Decider decider;
  private volatile Optional<WorkerPart> worker;
  private Set<EventKind> listened = Set.of();
  private OptionalInt capacity = OptionalInt.empty();
  private long repairedBefore;
  private boolean started;
  private boolean stopping;

  /** Opens everything, or nothing. */
  static Parts open(Settings settings) {
    var opened = new Opened();
    try {
      return new Parts(settings, opened);
    } catch (RuntimeException | Error e) {
      opened.close(e);
      throw e;
    }
  }

  private Parts(Settings settings, Opened opened) {
    this.settings = settings;
    this.options = settings.options();
    String incarnation = incarnation();
    this.calls = new Calls(options.callTimeout, time, this::knownAway);
    this.counters = new Counters(time, options.metrics);
    this.events = new Events(options.eventBuffer);
    this.state = open(
        opened,
        options.store,
        options.metrics ? commits : CommitObserver.NONE,
        "nothing is fired or accepted");
    this.election = options
        .election
        .map(engine -> open(opened, engine, CommitObserver.NONE, "no leader can be elected"))
        .orElse(state);
    this.history = new History(state, Parts::apart);
    this.journal = new Journal(state, Parts::apart);
    this.decider = newDecider(incarnation);
    opened.keep(decider.loop, ThreadLoop::close);
    this.local = options.roles.contains(Role.WORKER)
        ? Optional.of(new LocalExecutor(time, options.handlerGrace))
        : Optional.empty();
    this.executors = local.map(settings::executors).orElse(List.of());
    this.worker = local.map(unused -> newWorker(incarnation));
    worker.ifPresent(part -> opened.keep(part.loop, ThreadLoop::close));
    events.onInterest(this::listen);
  }

  /** Nobody had it before. */
  private String incarnation() {
    byte[] bytes = new byte[6];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Decider newDecider(String incarnation) {
    String node = settings.node() + "~" + incarnation;
    counters.node(node);
    return new Decider(settings, node, this, chance(), thrown -> deciderBroke(node, thrown));
  }

  private WorkerPart newWorker(String incarnation) {
    return new WorkerPart(
        settings, state, incarnation, time, chance(), executors, losses, this::workerBroke);
  }

  private synchronized void listen(Set<EventKind> kinds) {
    listened = kinds;
    decider.listen(kinds);
  }

  /** Records are decoded away from the loops. */
  private static void apart(Runnable reading) {
    var unused = Thread.startVirtualThread(reading);
  }

  private SplittableRandom chance() {
    return new SplittableRandom(random.nextLong());
  }

  private MonitoredStore open(
      Opened opened, Engine engine, CommitObserver observer, String consequence) {
    Store store =
        opened.keep(engine.open(options.prefix, options.namespace, observer), Store::close);
    var log = new EngineLog(Word.of(engine.uri().kind()), options.namespace, consequence, time);
    return new MonitoredStore(store, new EngineHealth(time, log));
  }

  /** What this node's own scheduler decided: only that is counted here, so that the counts of all nodes add up. */
  void decided(Happening happening) {
    counters.observed(happening);
    events.observed(happening);
  }

  private Optional<EngineHealth.Outage> knownAway() {
    return state.health().knownAway();
  }

  /** What this node knows of itself. */
  NodeHealth health() {
    Decider now = decider;
    return new NodeHealth(
        state.health().view(),
        options.election.map(engine -> election.health().view()),
        now.sinceStep(),
        now.stalled(),
        worker.filter(WorkerPart::leftIdle).isPresent());
  }

  Decider decider() {
    return decider;
  }

  Optional<WorkerPart> worker() {
    return worker;
  }

  /** Where handlers are registered. */
  LocalExecutor local() {
    return local.orElseThrow(() -> Check.refusal(
        "roles",
        options.roles,
        "must contain WORKER where handlers are registered, because nothing runs here otherwise",
        "Add the role, or register the handler on a worker."));
  }

  synchronized void start() {
    started = true;
    decider.start();
    worker.ifPresent(WorkerPart::start);
  }

  /** How many attempts the worker holds at most, and its successors, too. */
  synchronized void capacity(int attempts) {
    capacity = OptionalInt.of(attempts);
    worker.ifPresent(part -> part.capacity(attempts));
  }

  private void deciderBroke(String node, Throwable thrown) {
    Duration pause = deciderRestarts.failed(thrown);
    LOG.error(
        "Node {} gave up what it had decided with: a step threw, and what it believes can no longer be trusted."
            + " If it led, another node may lead now. It starts deciding anew in {}.",
        node,
        pause,
        thrown);
    calls.broke(thrown);
    later(pause, this::restartDecider);
  }

  private synchronized void restartDecider() {
    if (stopping) {
      return;
    }
    try {
      Decider next = newDecider(incarnation());
      repairedBefore += decider.repaired();
      decider = next;
      deciderRestarts.restarted();
      next.listen(listened);
      if (started) {
        next.start();
      }
      calls.mended();
      LOG.info("Node {} decides again.", next.node);
    } catch (RuntimeException | Error e) {
      // Also an Error: nobody else would try again, and callers would be refused for ever.
      deciderBroke(settings.node(), e);
    }
  }

  private void workerBroke(WorkerPart part, Throwable thrown) {
    Duration pause = workerRestarts.failed(thrown);
    LOG.error(
        "Worker {} has stopped: a step threw, and what it believes can no longer be trusted. Its attempts are interrupted, and its tasks"
            + " run elsewhere once its lease has ended. A new worker starts in {}.",
        part.id(),
        pause,
        thrown);
    later(pause, () -> {
      part.abandon(settings.worker().lease());
      restartWorker(part);
    });
  }

  private void workerNotMade(WorkerPart before, Throwable thrown) {
    Duration pause = workerRestarts.failed(thrown);
    LOG.error(
        "No worker could be started in the place of {}. It is tried again in {}.",
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
      workerNotMade(before, e);
      return;
    }
    worker = Optional.of(next);
    workerRestarts.restarted();
    capacity.ifPresent(next::capacity);
    if (started) {
      next.start();
    }
    LOG.info("Worker {} starts in the place of {}.", next.id(), before.id());
  }

  private static void later(Duration pause, Runnable step) {
    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Parts::apart)
        .execute(step);
  }

  /** How often this node, while it led, believed something that did not stand in the store. */
  synchronized long repaired() {
    return repairedBefore + decider.repaired();
  }

  /** How often each part was restarted because a step threw, by its name. */
  Map<String, Long> restarts() {
    return Map.of("decider", deciderRestarts.count(), "worker", workerRestarts.count());
  }

  /** What executors keep of settings that they have read, in bytes, by their type. */
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
    stopping = true; // nothing is restarted from now on
  }

  /** Takes no more work, hands over the lead, lets attempts finish or hands them back, and closes the stores. */
  void stop(Duration patience) {
    calls.close();
    beginStop();
    Decider last = decider;
    await(
        last,
        "tell the engine that it no longer leads",
        told -> last.handOver()
            .ifPresentOrElse(
                handed -> handed.whenComplete((done, failure) -> told.complete(null)),
                () -> told.complete(null)));
    worker.ifPresent(part -> part.stop(patience));
    await(
        last,
        "end what waits for the store",
        told -> last.leave().whenComplete((done, failure) -> told.complete(null)));
    last.loop.close();
    last.endCallers(); // the loop has ended, and whoever it did not get to must not wait for it
    try {
      ExecutorsEnd.close(options.executors, LAST_STEP);
      events.close(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (options.election.isPresent()) {
      election.close();
    }
    state.close();
  }

  /** Lets the loop do something last; an interrupt of the caller means that there is no more patience. */
  private void await(Decider last, String what, Consumer<CompletableFuture<@Nullable Void>> step) {
    if (calls.broken().isPresent()) {
      return;
    }
    var told = new CompletableFuture<@Nullable Void>();
    last.loop.post(() -> step.accept(told));
    try {
      told.get(LAST_STEP.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn(
          "Node {} could not {} within {}; its lease ends by itself.", last.node, what, LAST_STEP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What made a part fail again and again. */
  Optional<Throwable> failure() {
    return deciderRestarts.tooMany().or(workerRestarts::tooMany);
  }
}
