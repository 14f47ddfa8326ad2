package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Listener;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.Explaining;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.HealthCheck;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.retain.History;
import io.belfry.core.submit.Submitter;
import io.belfry.core.work.WorkerOrders;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a node that decides, on one loop: the scheduler, and the doors for tasks, jobs, calendars, requests and orders. What it knows
 * is a cache of the store: if a step throws, all of it is thrown away, and another one is made, under another incarnation.
 *
 * <p>Threading: safe; its parts live on the loop.
 */
final class Decider {
  private static final Logger LOG = LoggerFactory.getLogger(Belfry.class);

  /** Name and incarnation. */
  final String node;

  final ThreadLoop loop;
  final Optional<Scheduler> scheduler;
  final Submitter submitter;
  final Jobs jobs;
  final Calendars calendars;
  final Requests requests;
  final WorkerOrders orders;
  final Explaining explaining;
  final Retries retries;
  private final Presence presence;
  private final HealthCheck healthCheck;
  private final Listener listener;

  /**
   * A decider that has not begun.
   *
   * @param node name and incarnation, which no other process or decider ever had
   * @param broken hears what a step threw; nobody waits for this decider any more
   */
  Decider(
      Settings settings,
      String node,
      Parts parts,
      RandomGenerator random,
      Consumer<Throwable> broken) {
    this.node = node;
    Options options = settings.options();
    Store state = parts.state;
    History history = parts.history;
    var supported =
        settings.supported(); // asks executors, which may throw: before there is a thread
    this.loop = new ThreadLoop("belfry-decide", parts.time, random, thrown -> {
      try {
        abandon();
      } finally {
        broken.accept(thrown); // whatever happens: nobody else makes another decider
      }
    });
    this.submitter = new Submitter(loop, state, node, options.idempotencyWindow, options.queueSize);
    this.jobs = new Jobs(loop, state, supported);
    this.calendars = new Calendars(loop, state);
    this.orders = new WorkerOrders(loop, state);
    this.explaining = new Explaining(
        state,
        history,
        calendars,
        parts.time,
        settings.leaderSettings().retain().tasks());
    this.requests =
        new Requests(loop, state, explaining, options.idempotencyWindow, submitter.room());
    this.retries = new Retries(loop, state, history, options.idempotencyWindow, submitter.room());
    this.scheduler = options.roles.contains(Role.SCHEDULER)
        ? Optional.of(new Scheduler(
            loop,
            parts.election,
            state,
            node,
            settings.electionSettings(),
            settings.leaderSettings(),
            settings.strategies(),
            happening -> decided(parts, happening)))
        : Optional.empty();
    this.presence = new Presence(
        loop,
        state,
        new Presence.Card(node, options.roles, settings.address(), Built.version()),
        settings.electionSettings(),
        this::leadsIn);
    this.healthCheck = new HealthCheck(loop, parts.state.health(), presence::probe);
    this.listener = new Listener(loop, state, node, parts.events, parts.events::missed);
  }

  private void decided(Parts parts, Happening happening) {
    parts.decided(happening);
    if (happening instanceof Happening.LeaderChanged) {
      loop.post(this::announce); // so that a new leader is known for one at once
    }
  }

  private void announce() {
    presence.tell();
  }

  /** Since the loop last ran its health check. From any thread. */
  Duration sinceStep() {
    return healthCheck.sinceStep();
  }

  /** For how long this node, as the leader, has decided nothing although something was due. From any thread. */
  Duration stalled() {
    return scheduler.map(Scheduler::stalled).orElse(Duration.ZERO);
  }

  /** Whether this node leads, as far as it may believe; as a step of the loop. */
  boolean leads() {
    return leadsIn().isPresent();
  }

  private Optional<Long> leadsIn() {
    return scheduler.flatMap(Scheduler::leadership).map(lead -> lead.term().number());
  }

  long repaired() {
    return scheduler.map(Scheduler::repaired).orElse(0L);
  }

  void start() {
    scheduler.ifPresent(part -> loop.post(part::start));
    loop.post(presence::start);
    loop.post(healthCheck::start);
  }

  /** What this node wants to hear of while others lead. */
  void listen(Set<EventKind> kinds) {
    loop.post(() -> {
      if (kinds.isEmpty()) {
        listener.stop();
      } else {
        listener.start();
      }
      presence.listens(kinds);
    });
  }

  /** Hands over the lead, as a step of the loop; completes once the engine has been told, or could not be. */
  Optional<CompletionStage<Void>> handOver() {
    return scheduler.map(Scheduler::stop);
  }

  /** Ends what waits for the store, as the last step of the loop; completes once the engine has been told, or could not be. */
  CompletionStage<Void> leave() {
    endCallers();
    listener.stop();
    healthCheck.stop();
    var cleaned = new CompletableFuture<Void>();
    submitter.leave(() -> cleaned.complete(null));
    return presence.stop().thenCompose(gone -> cleaned);
  }

  /** Nobody waits for a loop that has ended. Safe twice. */
  void endCallers() {
    submitter.stop();
    jobs.stop();
    calendars.stop();
    requests.stop();
    retries.stop();
    orders.stop();
  }

  /** The last steps of a loop that broke, on its own thread: others learn at once that it is gone, as far as that can still be told. */
  private void abandon() {
    attempt(() -> {
      var unused = handOver();
    });
    attempt(() -> {
      var unused = presence.stop();
    });
    attempt(listener::stop);
    endCallers();
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn(
          "Node {} could not clean up behind a step that threw; its leases end by themselves.",
          node,
          e);
    }
  }
}
