package io.belfry.server.node;

import io.belfry.core.record.NodeRecord.Role;
import io.belfry.library.Engine;
import io.belfry.library.Settings;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
import io.belfry.server.config.Setting;
import io.belfry.store.Endpoint;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the configuration means for the core. Threading: stateless. */
public final class LibrarySettings {
  private LibrarySettings() {}

  /** For a namespace of this node. */
  public static Settings of(Config config, String namespace) {
    Settings settings = Settings.defaults()
        .store(store(config))
        .prefix(config.get(Catalogue.STORE_PREFIX))
        .namespace(namespace)
        .roles(roles(config))
        .stopPatience(config.get(Catalogue.SERVER_STOP))
        .leaderLease(config.get(Catalogue.LEADER_LEASE))
        .leaderRenew(config.get(Catalogue.LEADER_RENEW))
        .releaseRate(config.get(Catalogue.DISPATCH_RELEASE_RATE))
        .grace(config.get(Catalogue.DISPATCH_GRACE))
        .pendingMax(config.get(Catalogue.DISPATCH_PENDING))
        .unmatchedAfter(config.get(Catalogue.DISPATCH_UNMATCHED))
        .retainTasks(config.get(Catalogue.RETAIN_TASKS))
        .retainRollups(config.get(Catalogue.RETAIN_ROLLUPS))
        .retainLogs(config.get(Catalogue.RETAIN_LOGS))
        .retainBytes(config.get(Catalogue.RETAIN_BYTES))
        .retainLogBytes(config.get(Catalogue.RETAIN_LOG_BYTES))
        .workerAddress(config.get(Catalogue.WORKER_ADDRESS))
        .workerLabels(config.get(Catalogue.WORKER_LABELS))
        .workerQueues(Set.copyOf(config.get(Catalogue.WORKER_QUEUES)))
        .workerWeight(config.get(Catalogue.WORKER_WEIGHT))
        .workerCapacity(config.get(Catalogue.WORKER_CAPACITY))
        .workerLease(config.get(Catalogue.WORKER_LEASE))
        .workerHeartbeat(config.get(Catalogue.WORKER_HEARTBEAT))
        .healthCheck(config.get(Catalogue.WORKER_HEALTH))
        .taskTimeout(config.get(Catalogue.TASK_TIMEOUT))
        .retry(retry(config))
        .queueSize(config.get(Catalogue.TASK_QUEUE_SIZE))
        .idempotencyWindow(config.get(Catalogue.TASK_IDEMPOTENCY))
        .idempotencyKeysMax(config.get(Catalogue.TASK_IDEMPOTENCY_KEYS))
        .compression(config.get(Catalogue.TASK_COMPRESSION))
        .eventBuffer(config.get(Catalogue.EVENTS_BUFFER))
        .metrics(config.get(Catalogue.METRICS_ENABLED));
    settings = with(settings, config, Catalogue.NODE_NAME, Settings::node);
    settings = with(settings, config, Catalogue.NODE_ADDRESS, Settings::address);
    settings = with(settings, config, Catalogue.WORKER_ID, Settings::workerId);
    settings = with(settings, config, Catalogue.WORKER_NAME, Settings::workerName);
    settings = with(settings, config, Catalogue.WORKER_IDLE, Settings::workerIdleTimeout);
    settings = with(settings, config, Catalogue.DISPATCH_STRATEGY, Settings::strategy);
    Optional<Engine> election = election(config);
    return election.isPresent() ? settings.election(election.get()) : settings;
  }

  private static <T> Settings with(
      Settings settings, Config config, Setting<T> key, BiFunction<Settings, T, Settings> change) {
    return config.find(key).map(value -> change.apply(settings, value)).orElse(settings);
  }

  /** How submissions and jobs that say only a part of it, or nothing, are tried again. */
  public static RetryPolicy retry(Config config) {
    return RetryPolicy.DEFAULT
        .withMax(config.get(Catalogue.TASK_RETRY_MAX))
        .withDelay(config.get(Catalogue.TASK_RETRY_DELAY))
        .withBackoff(config.get(Catalogue.TASK_RETRY_BACKOFF))
        .withCap(config.get(Catalogue.TASK_RETRY_CAP));
  }

  private static Set<Role> roles(Config config) {
    EnumSet<Role> roles = EnumSet.noneOf(Role.class);
    config
        .get(Catalogue.NODE_ROLES)
        .forEach(word -> roles.add(WireName.parse(Role.class, Catalogue.NODE_ROLES.key(), word)));
    Check.that(
        !roles.isEmpty(),
        Catalogue.NODE_ROLES.key(),
        new Check.Plain("empty"),
        "must name scheduler, worker or both, because the node would do nothing",
        "Leave it out for both.");
    return roles;
  }

  /** Where the state is kept. */
  public static Engine store(Config config) {
    Engine engine = Engine.at(config
        .find(Catalogue.STORE_URI)
        .orElseGet(() -> "embedded:" + data(config).resolve("store")));
    engine =
        login(engine, config.find(Catalogue.STORE_USER), config.find(Catalogue.STORE_PASSWORD));
    if (config.get(Catalogue.STORE_DATABASE) != 0) {
      engine = engine.database(config.get(Catalogue.STORE_DATABASE));
    }
    Optional<Integer> replicas = config.find(Catalogue.STORE_ACKNOWLEDGEMENTS);
    if (replicas.isPresent()) {
      engine = engine.acknowledgements(replicas.get());
    }
    return certificates(
        "store",
        engine,
        config.find(Catalogue.STORE_AUTHORITY),
        config.find(Catalogue.STORE_CERTIFICATE),
        config.find(Catalogue.STORE_KEY));
  }

  private static Optional<Engine> election(Config config) {
    for (Setting<String> each : List.of(
        Catalogue.ELECTION_USER,
        Catalogue.ELECTION_PASSWORD,
        Catalogue.ELECTION_AUTHORITY,
        Catalogue.ELECTION_CERTIFICATE,
        Catalogue.ELECTION_KEY)) {
      Check.that(
          config.isSet(Catalogue.ELECTION_URI) || !config.isSet(each),
          each.key(),
          new Check.Plain("given without election.uri"),
          "must stand beside election.uri, because leaders are elected where the state is otherwise",
          "Set election.uri, or leave it out.");
    }
    return config.find(Catalogue.ELECTION_URI).map(uri -> {
      Engine engine = login(
          Engine.at(uri),
          config.find(Catalogue.ELECTION_USER),
          config.find(Catalogue.ELECTION_PASSWORD));
      return certificates(
          "election",
          engine,
          config.find(Catalogue.ELECTION_AUTHORITY),
          config.find(Catalogue.ELECTION_CERTIFICATE),
          config.find(Catalogue.ELECTION_KEY));
    });
  }

  private static Engine login(Engine engine, Optional<String> user, Optional<String> password) {
    return user.isEmpty() && password.isEmpty()
        ? engine
        : engine.login(user.orElse(""), password.orElse(""));
  }

  private static Engine certificates(
      String part,
      Engine engine,
      Optional<String> authority,
      Optional<String> certificate,
      Optional<String> key) {
    Check.that(
        certificate.isPresent() == key.isPresent(),
        part + ".tls.key",
        new Check.Plain(key.isPresent() ? "given without a certificate" : "missing"),
        "must stand beside " + part + ".tls.certificate, because one is nothing without the other",
        "Give both or neither.");
    Check.that(
        certificate.isEmpty() || authority.isPresent(),
        part + ".tls.authority",
        new Check.Plain("missing"),
        "must be given with " + part
            + ".tls.certificate, because only then the engine's own certificate is judged by it",
        "Name the file with the authority that signed the engine's certificate.");
    return authority
        .map(file -> engine.certificates(new Engine.Certificates(
            Path.of(file),
            certificate.map(own ->
                new Engine.Certificates.Identity(Path.of(own), Path.of(key.orElseThrow()))))))
        .orElse(engine);
  }

  /** Where the servers of the engines listen, by the configuration. */
  public static Set<Endpoint> engineEndpoints(Config config) {
    return Stream.concat(Stream.of(store(config)), election(config).stream())
        .flatMap(engine -> engine.endpoints().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The directory of this node. */
  public static Path data(Config config) {
    return Path.of(config.get(Catalogue.DATA)).toAbsolutePath();
  }
}
