package io.belfry.library;

import io.belfry.core.event.Happening;
import io.belfry.core.event.Listener;
import io.belfry.core.history.History;
import io.belfry.core.jobs.Calendars;
import io.belfry.core.jobs.JobExplainer;
import io.belfry.core.jobs.Jobs;
import io.belfry.core.jobs.Requests;
import io.belfry.core.jobs.Retries;
import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.HealthCheck;
import io.belfry.core.node.Presence;
import io.belfry.core.node.Scheduler;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord.Role;
import io.belfry.core.submit.Submitter;
import io.belfry.core.worker.WorkerOrders;
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
 * The scheduler loop of a node: the scheduler, and the entry points for tasks, jobs, calendars, requests and worker commands. Its state is a
 * cache of the store: after an unexpected error it is discarded and replaced by a new instance with a new incarnation.
 *
 * <p>Threading: safe; its parts live on the loop.
 */
final class SchedulerPart {
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
  final JobExplainer explaining;
  final Retries retries;
  private final Presence presence;
  private final HealthCheck healthCheck;
  private final Listener listener;

  /**
   * Creates it without starting it.
   *
   * @param node name and incarnation, unique among all processes and instances
   * @param onFailure called with an error thrown on the loop, after all callers were released
   */
  SchedulerPart(
      Settings settings,
      String node,
      NodeParts parts,
      RandomGenerator random,
      Consumer<Throwable> onFailure) {
    this.node = node;
    Options options = settings.options();
    Store state = parts.state;
    History history = parts.history;
    var supported =
        settings.supported(); // calls executors, which may throw, so before the thread exists
    this.loop = new ThreadLoop("belfry-scheduler", parts.time, random, thrown -> {
      try {
        abandon();
      } finally {
        onFailure.accept(thrown); // in any case: nothing else would create a replacement
      }
    });
    this.submitter = new Submitter(loop, state, node, options.idempotencyWindow, options.queueSize);
    this.jobs = new Jobs(loop, state, supported);
    this.calendars = new Calendars(loop, state);
    this.orders = new WorkerOrders(loop, state);
    this.explaining = new JobExplainer(
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
        new Presence.Card(node, options.roles, settings.address(), BuildInfo.version()),
        settings.electionSettings(),
        this::leadsIn);
    this.healthCheck = new HealthCheck(loop, parts.state.health(), presence::probe);
    this.listener = new Listener(loop, state, node, parts.events, parts.events::missed);
  }

  private void decided(NodeParts parts, Happening happening) {
    parts.decided(happening);
    if (happening instanceof Happening.LeaderChanged) {
      loop.post(this::announce); // so that a new leader is shown as such at once
    }
  }

  private void announce() {
    presence.tell();
  }

  /** Time since the loop last ran its health check. From any thread. */
  Duration sinceStep() {
    return healthCheck.sinceStep();
  }

  /** How long this node, as the leader, has made no progress although a fire was due. From any thread. */
  Duration stalled() {
    return scheduler.map(Scheduler::stalled).orElse(Duration.ZERO);
  }

  /** Whether this node is the leader, as far as its lease tells. Only on the loop. */
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

  /** Sets the event kinds that this node subscribes to while another node leads. */
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

  /** Gives up leadership. Only on the loop; completes when the engine has confirmed it, or could not be reached. */
  Optional<CompletionStage<Void>> handOver() {
    return scheduler.map(Scheduler::stop);
  }

  /** Cancels pending requests and removes the node record. The last step on the loop; completes when the engine has answered, or failed. */
  CompletionStage<Void> leave() {
    endCallers();
    listener.stop();
    healthCheck.stop();
    var cleaned = new CompletableFuture<Void>();
    submitter.leave(() -> cleaned.complete(null));
    return presence.stop().thenCompose(gone -> cleaned);
  }

  /** Releases callers that still wait for a loop that has ended. Safe to call twice. */
  void endCallers() {
    submitter.stop();
    jobs.stop();
    calendars.stop();
    requests.stop();
    retries.stop();
    orders.stop();
  }

  /** Cleans up on the loop's own thread after an error: gives up leadership and removes the node record at once, if the engine answers. */
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
          "Node {} could not clean up after an unexpected error; its leases expire on their own.",
          node,
          e);
    }
  }
}
