package io.belfry.server.node;

import io.belfry.core.record.NodeRecord.Role;
import io.belfry.library.Engine;
import io.belfry.library.Settings;
import io.belfry.model.Check;
import io.belfry.model.WireName;
import io.belfry.model.retry.RetryPolicy;
import io.belfry.server.config.Config;
import io.belfry.server.config.Setting;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.store.Endpoint;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts the configuration to settings of the library. Threading: stateless. */
public final class LibrarySettings {
  private LibrarySettings() {}

  /** The settings of a namespace of this node. */
  public static Settings of(Config config, String namespace) {
    Settings settings = Settings.defaults()
        .store(store(config))
        .prefix(config.get(SettingsCatalog.STORE_PREFIX))
        .namespace(namespace)
        .roles(roles(config))
        .stopPatience(config.get(SettingsCatalog.SERVER_STOP))
        .leaderLease(config.get(SettingsCatalog.LEADER_LEASE))
        .leaderRenew(config.get(SettingsCatalog.LEADER_RENEW))
        .releaseRate(config.get(SettingsCatalog.DISPATCH_RELEASE_RATE))
        .grace(config.get(SettingsCatalog.DISPATCH_GRACE))
        .pendingMax(config.get(SettingsCatalog.DISPATCH_PENDING))
        .unmatchedAfter(config.get(SettingsCatalog.DISPATCH_UNMATCHED))
        .retainTasks(config.get(SettingsCatalog.RETAIN_TASKS))
        .retainRollups(config.get(SettingsCatalog.RETAIN_ROLLUPS))
        .retainLogs(config.get(SettingsCatalog.RETAIN_LOGS))
        .retainBytes(config.get(SettingsCatalog.RETAIN_BYTES))
        .retainLogBytes(config.get(SettingsCatalog.RETAIN_LOG_BYTES))
        .workerAddress(config.get(SettingsCatalog.WORKER_ADDRESS))
        .workerLabels(config.get(SettingsCatalog.WORKER_LABELS))
        .workerQueues(Set.copyOf(config.get(SettingsCatalog.WORKER_QUEUES)))
        .workerWeight(config.get(SettingsCatalog.WORKER_WEIGHT))
        .workerCapacity(config.get(SettingsCatalog.WORKER_CAPACITY))
        .workerLease(config.get(SettingsCatalog.WORKER_LEASE))
        .workerHeartbeat(config.get(SettingsCatalog.WORKER_HEARTBEAT))
        .healthCheck(config.get(SettingsCatalog.WORKER_HEALTH))
        .taskTimeout(config.get(SettingsCatalog.TASK_TIMEOUT))
        .retry(retry(config))
        .queueSize(config.get(SettingsCatalog.TASK_QUEUE_SIZE))
        .idempotencyWindow(config.get(SettingsCatalog.TASK_IDEMPOTENCY))
        .idempotencyKeysMax(config.get(SettingsCatalog.TASK_IDEMPOTENCY_KEYS))
        .compression(config.get(SettingsCatalog.TASK_COMPRESSION))
        .eventBuffer(config.get(SettingsCatalog.EVENTS_BUFFER))
        .metrics(config.get(SettingsCatalog.METRICS_ENABLED));
    settings = with(settings, config, SettingsCatalog.NODE_NAME, Settings::node);
    settings = with(settings, config, SettingsCatalog.NODE_ADDRESS, Settings::address);
    settings = with(settings, config, SettingsCatalog.WORKER_ID, Settings::workerId);
    settings = with(settings, config, SettingsCatalog.WORKER_NAME, Settings::workerName);
    settings = with(settings, config, SettingsCatalog.WORKER_IDLE, Settings::workerIdleTimeout);
    settings = with(settings, config, SettingsCatalog.DISPATCH_STRATEGY, Settings::strategy);
    Optional<Engine> election = election(config);
    return election.isPresent() ? settings.election(election.get()) : settings;
  }

  private static <T> Settings with(
      Settings settings, Config config, Setting<T> key, BiFunction<Settings, T, Settings> change) {
    return config.find(key).map(value -> change.apply(settings, value)).orElse(settings);
  }

  /** The default retry policy of submissions and jobs. */
  public static RetryPolicy retry(Config config) {
    return RetryPolicy.DEFAULT
        .withMax(config.get(SettingsCatalog.TASK_RETRY_MAX))
        .withDelay(config.get(SettingsCatalog.TASK_RETRY_DELAY))
        .withBackoff(config.get(SettingsCatalog.TASK_RETRY_BACKOFF))
        .withCap(config.get(SettingsCatalog.TASK_RETRY_CAP));
  }

  private static Set<Role> roles(Config config) {
    EnumSet<Role> roles = EnumSet.noneOf(Role.class);
    config
        .get(SettingsCatalog.NODE_ROLES)
        .forEach(
            word -> roles.add(WireName.parse(Role.class, SettingsCatalog.NODE_ROLES.key(), word)));
    Check.that(
        !roles.isEmpty(),
        SettingsCatalog.NODE_ROLES.key(),
        new Check.Plain("empty"),
        "must contain scheduler, worker or both, because the node would do nothing",
        "Leave it out for both.");
    return roles;
  }

  /** The store. */
  public static Engine store(Config config) {
    Engine engine = Engine.at(config
        .find(SettingsCatalog.STORE_URI)
        .orElseGet(() -> "embedded:" + data(config).resolve("store")));
    engine = login(
        engine,
        config.find(SettingsCatalog.STORE_USER),
        config.find(SettingsCatalog.STORE_PASSWORD));
    if (config.get(SettingsCatalog.STORE_DATABASE) != 0) {
      engine = engine.database(config.get(SettingsCatalog.STORE_DATABASE));
    }
    Optional<Integer> replicas = config.find(SettingsCatalog.STORE_ACKNOWLEDGEMENTS);
    if (replicas.isPresent()) {
      engine = engine.acknowledgements(replicas.get());
    }
    return certificates(
        "store",
        engine,
        config.find(SettingsCatalog.STORE_AUTHORITY),
        config.find(SettingsCatalog.STORE_CERTIFICATE),
        config.find(SettingsCatalog.STORE_KEY));
  }

  private static Optional<Engine> election(Config config) {
    for (Setting<String> each : List.of(
        SettingsCatalog.ELECTION_USER,
        SettingsCatalog.ELECTION_PASSWORD,
        SettingsCatalog.ELECTION_AUTHORITY,
        SettingsCatalog.ELECTION_CERTIFICATE,
        SettingsCatalog.ELECTION_KEY)) {
      Check.that(
          config.isSet(SettingsCatalog.ELECTION_URI) || !config.isSet(each),
          each.key(),
          new Check.Plain("set without election.uri"),
          "must be set together with election.uri, because leaders are elected on the store otherwise",
          "Set election.uri, or leave it out.");
    }
    return config.find(SettingsCatalog.ELECTION_URI).map(uri -> {
      Engine engine = login(
          Engine.at(uri),
          config.find(SettingsCatalog.ELECTION_USER),
          config.find(SettingsCatalog.ELECTION_PASSWORD));
      return certificates(
          "election",
          engine,
          config.find(SettingsCatalog.ELECTION_AUTHORITY),
          config.find(SettingsCatalog.ELECTION_CERTIFICATE),
          config.find(SettingsCatalog.ELECTION_KEY));
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
        new Check.Plain(key.isPresent() ? "set without a certificate" : "missing"),
        "must be set together with " + part + ".tls.certificate, because mutual TLS needs both",
        "Set both or neither.");
    Check.that(
        certificate.isEmpty() || authority.isPresent(),
        part + ".tls.authority",
        new Check.Plain("missing"),
        "must be set together with " + part
            + ".tls.certificate, because the engine's certificate is verified with it",
        "Set it to the file with the CA certificate that signed the engine's certificate.");
    return authority
        .map(file -> engine.certificates(new Engine.Certificates(
            Path.of(file),
            certificate.map(own ->
                new Engine.Certificates.Identity(Path.of(own), Path.of(key.orElseThrow()))))))
        .orElse(engine);
  }

  /** The server addresses of the configured engines. */
  public static Set<Endpoint> engineEndpoints(Config config) {
    return Stream.concat(Stream.of(store(config)), election(config).stream())
        .flatMap(engine -> engine.endpoints().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The data directory of this node. */
  public static Path data(Config config) {
    return Path.of(config.get(SettingsCatalog.DATA)).toAbsolutePath();
  }
}
