package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Listener;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Explaining;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.journal.Journal;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.retain.History;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.WorkerOrders;
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
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the parts of one process together, and takes them apart again.
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
  final String node;
  final Calls calls;
  final Counters counters;
  final CommitFigures commits = new CommitFigures();
  final Events events;
  final MonitoredStore state;
  final MonitoredStore election;
  final ThreadLoop loop;
  final Optional<Scheduler> scheduler;
  final Optional<WorkerPart> worker;
  final Submitter submitter;
  final Jobs jobs;
  final Calendars calendars;
  final Requests requests;
  final WorkerOrders orders;
  final History history;
  private final Presence presence;
  private final HealthCheck healthCheck;
  private final Listener listener;
  final Explaining explaining;
  final Journal journal;
  final Retries retries;
  private final AtomicReference<@Nullable Throwable> workerFailure = new AtomicReference<>();

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
    this.options = settings.options();
    byte[] bytes = new byte[6];
    random.nextBytes(bytes);
    String incarnation = HexFormat.of().formatHex(bytes);
    this.node = settings.node() + "~" + incarnation;
    this.calls = new Calls(options.callTimeout, time, this::knownAway);
    this.counters = new Counters(time, node, options.metrics);
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
    this.loop = opened.keep(
        new ThreadLoop("belfry-decide", time, chance(), this::deciderBroke), ThreadLoop::close);
    this.submitter = new Submitter(loop, state, node, options.idempotencyWindow, options.queueSize);
    this.jobs = new Jobs(loop, state, settings.supported());
    this.calendars = new Calendars(loop, state);
    this.orders = new WorkerOrders(loop, state);
    this.history = new History(state, Parts::apart);
    this.explaining = new Explaining(
        state, history, calendars, time, settings.reign().retain().tasks());
    this.requests = new Requests(loop, state, explaining, options.idempotencyWindow);
    this.journal = new Journal(state, Parts::apart);
    this.retries = new Retries(loop, state, history, options.idempotencyWindow);
    this.scheduler = options.roles.contains(Role.SCHEDULER)
        ? Optional.of(new Scheduler(
            loop,
            election,
            state,
            node,
            settings.lead(),
            settings.reign(),
            settings.strategies(),
            this::saw))
        : Optional.empty();
    this.worker = options.roles.contains(Role.WORKER)
        ? Optional.of(
            new WorkerPart(settings, state, incarnation, time, chance(), this::workerBroke, opened))
        : Optional.empty();
    this.presence = new Presence(
        loop,
        state,
        new Presence.Card(node, options.roles, settings.address(), Built.version()),
        settings.lead(),
        this::leadsIn);
    this.healthCheck = new HealthCheck(loop, state.health(), presence);
    this.listener = new Listener(loop, state, node, events, events::missed);
    events.onInterest(kinds -> loop.post(() -> listen(kinds)));
  }

  /** What this node's own scheduler decided: only that is counted here, so that the counts of all nodes add up. */
  private void saw(Happening happening) {
    counters.saw(happening);
    events.saw(happening);
    if (happening instanceof Happening.LeaderChanged) {
      loop.post(this::tellPresence); // so that a new leader is known for one at once
    }
  }

  private void tellPresence() {
    presence.tell();
  }

  private Optional<EngineHealth.Outage> knownAway() {
    return state.health().knownAway();
  }

  /** What this node knows of itself. */
  NodeHealth health() {
    return new NodeHealth(
        state.health().view(),
        options.election.map(engine -> election.health().view()),
        healthCheck.sinceStep(),
        scheduler.map(Scheduler::stalled).orElse(Duration.ZERO),
        worker.filter(WorkerPart::leftIdle).isPresent());
  }

  private Optional<Long> leadsIn() {
    return scheduler.flatMap(Scheduler::leadership).map(lead -> lead.term().number());
  }

  private void listen(Set<EventKind> kinds) {
    if (kinds.isEmpty()) {
      listener.stop();
    } else {
      listener.start();
    }
    presence.listens(kinds);
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

  /** Where handlers are registered. */
  LocalExecutor local() {
    return worker
        .map(part -> part.local)
        .orElseThrow(() -> Check.refusal(
            "roles",
            options.roles,
            "must contain WORKER where handlers are registered, because nothing runs here otherwise",
            "Add the role, or register the handler on a worker."));
  }

  void start() {
    scheduler.ifPresent(part -> loop.post(part::start));
    loop.post(presence::start);
    loop.post(healthCheck::start);
    worker.ifPresent(WorkerPart::start);
  }

  private void deciderBroke(Throwable thrown) {
    LOG.error(
        "Node {} has stopped deciding: a step threw, and what it believes can no longer be trusted."
            + " Its lease ends by itself and another node leads. Close it and open a new one.",
        node,
        thrown);
    calls.broke(thrown);
    endCallers(); // on the loop's own thread, of which these are its last steps
  }

  private void workerBroke(Throwable thrown) {
    LOG.error(
        "The worker of node {} has stopped: a step threw, and what it believes can no longer be trusted."
            + " Its tasks run elsewhere once its lease has ended. Close this Belfry and open a new one.",
        node,
        thrown);
    workerFailure.set(thrown);
  }

  /** Takes no more work, hands over the lead, lets attempts finish or hands them back, and closes the stores. */
  void stop(Duration patience) {
    calls.close();
    handOver();
    worker.ifPresent(part -> part.stop(patience));
    await("end what waits for the store", told -> {
      endCallers();
      listener.stop();
      healthCheck.stop();
      presence.stop().whenComplete((done, failure) -> told.complete(null));
    });
    loop.close();
    endCallers(); // the loop has ended, and whoever it did not get to must not wait for it
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

  /** Nobody waits for a loop that has ended. */
  private void endCallers() {
    submitter.stop();
    jobs.stop();
    calendars.stop();
    requests.stop();
    retries.stop();
    orders.stop();
  }

  private void handOver() {
    scheduler.ifPresent(part -> await(
        "tell the engine that it no longer leads",
        told -> part.stop().whenComplete((done, failure) -> told.complete(null))));
  }

  /** Lets the loop do something last; an interrupt of the caller means that there is no more patience. */
  private void await(String what, Consumer<CompletableFuture<@Nullable Void>> step) {
    if (calls.broken().isPresent()) {
      return;
    }
    var told = new CompletableFuture<@Nullable Void>();
    loop.post(() -> step.accept(told));
    try {
      told.get(LAST_STEP.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("Node {} could not {} within {}; its lease ends by itself.", node, what, LAST_STEP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What made a part stop by itself. */
  Optional<Throwable> failure() {
    return calls.broken().or(() -> Optional.ofNullable(workerFailure.get()));
  }
}
