package io.belfry.library;

import io.belfry.core.execute.ExecutorRegistry;
import io.belfry.core.execute.LocalExecutor;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import java.time.Duration;

/** Validates settings and how they fit together. Threading: stateless. */
final class SettingsCheck {
  private static final int NODE_CHARS_MAX = 128;

  private SettingsCheck() {}

  static void check(Settings settings) {
    Options o = settings.options();
    Stores.checkNames(o.prefix, o.namespace);
    Check.that(
        !o.namespace.startsWith(Stores.RESERVED) || o.namespace.startsWith(Stores.RECREATED),
        "namespace",
        o.namespace,
        "must not begin with " + Stores.RESERVED + ", because Belfry reserves those names",
        "Choose another name.");
    o.store.check(o.prefix, o.namespace);
    o.election.ifPresent(engine -> engine.check(o.prefix, o.namespace));
    Check.whole("node", Check.text("node", settings.node(), NODE_CHARS_MAX));
    Check.text("address", settings.address(), NODE_CHARS_MAX);
    positive("callTimeout", o.callTimeout, Duration.ofMinutes(10));
    between("stopPatience", o.stopPatience, Duration.ofHours(24));
    settings.electionSettings();
    settings.leaderSettings();
    settings.worker();
    o.strategy.ifPresent(o.strategies::make);
    Check.between(
        "releaseRate", o.releaseRate, 1, 1_000_000, "catch-up needs a rate limit above zero");
    between("grace", o.grace, Duration.ofHours(1));
    o.workerIdle.ifPresent(idle -> Check.between(
        "workerIdleTimeout",
        idle,
        Duration.ofMillis(100),
        Duration.ofDays(366),
        "a worker needs some time to get its first task"));
    between("handlerGrace", o.handlerGrace, Duration.ofMinutes(10));
    ExecutorRegistry.of(settings.executors(new LocalExecutor(Time.system(), o.handlerGrace)));
    positive("healthTimeout", o.healthTimeout, Duration.ofMinutes(10));
    positive("taskTimeout", o.work.timeout(), Duration.ofDays(30));
    Check.between("queueSize", o.queueSize, 1, 1_000_000, "the queue is kept in memory");
    Check.between("eventBuffer", o.eventBuffer, 1, 1_000_000, "the buffer is kept in memory");
    Check.between(
        "idempotencyWindow",
        o.idempotencyWindow,
        Duration.ofMinutes(1),
        Duration.ofDays(366),
        "it must cover retries of the client, and every key uses storage");
  }

  private static void positive(String name, Duration got, Duration max) {
    Check.between(name, got, Duration.ofMillis(1), max, "it is a timeout");
  }

  private static void between(String name, Duration got, Duration max) {
    Check.between(name, got, Duration.ZERO, max, "it is a waiting time");
  }
}
