package io.belfry.server.node;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.HealthCheck;
import io.belfry.library.Belfry;
import io.belfry.library.NodeHealth;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.DeletedNamespaceSweeper;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.NamespaceRegistry;
import io.belfry.server.access.RecordTable;
import io.belfry.server.access.RefusalAudit;
import io.belfry.server.access.SecretKeys;
import io.belfry.server.access.SecretVault;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.SubmitAudit;
import io.belfry.server.access.Tokens;
import io.belfry.server.callback.CallbackRecords;
import io.belfry.server.config.Config;
import io.belfry.server.config.SettingsCatalog;
import io.belfry.server.live.EventHub;
import io.belfry.store.Commit;
import io.belfry.store.Endpoint;
import io.belfry.store.EngineHealth;
import io.belfry.store.Key;
import io.belfry.store.MonitoredStore;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server process: the server's own records, and a {@link Belfry} for each namespace.
 *
 * <p>Threading: safe.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final String SYSTEM = Namespaces.RESERVED + "system";
  private static final Duration STORE_TIMEOUT = Duration.ofSeconds(10);
  /** How long a shutdown waits for the withdrawal of the API address, whose lease expires within a minute anyway. */
  private static final Duration WITHDRAW_TIMEOUT = Duration.ofSeconds(1);

  private static final Key PROBE = Key.of(Space.plain("up"), "probe");
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final Config config;
  private final Time time = Time.system();
  private final SecureRandom random = new SecureRandom();
  private final MonitoredStore system;
  private final HealthCheck check;
  private final AtomicBoolean probing = new AtomicBoolean();
  /** Completes with an error thrown on the loop. */
  private final CompletableFuture<Throwable> loopFailure = new CompletableFuture<>();

  private final ThreadLoop loop;
  private final RecordTable table;
  private final Tokens tokens;
  private final Sessions sessions;
  private final SecretVault vault;
  private final Audit audit;
  private final RefusalAudit refusals;
  private final SubmitAudit submits;
  private final NamespaceRegistry registry;
  private final DeletedNamespaceSweeper ended;
  private final CallbackRecords callbacks;
  private final MachineAddresses machine = new MachineAddresses();
  private final ApiAddresses apis;
  private final Namespaces namespaces;
  /** By namespace instance: a namespace that was deleted and created again has a new {@link Belfry}. */
  private final Map<Belfry, EventHub> hubs = new ConcurrentHashMap<>();

  private Admin.Outcome admin = new Admin.Outcome(Optional.empty(), Optional.empty());

  private Node(Config config, Opener opener, Supplier<Optional<String>> url) {
    this.config = config;
    KeyFiles.makePrivate(LibrarySettings.data(config));
    FileModes.warnOfOpen(LibrarySettings.data(config));
    FileModes.warnOfGroups(config);
    SecretKeys keys = KeyFiles.secretKeys(config, random); // may refuse, so before anything is open
    this.system = Stores.openMonitored(
        LibrarySettings.store(config),
        config.get(SettingsCatalog.STORE_PREFIX),
        SYSTEM,
        time,
        "tokens, namespaces and secrets cannot be changed, and the audit log is not written");
    this.loop = new ThreadLoop(
        "belfry-system", time, new SplittableRandom(random.nextLong()), loopFailure::complete);
    this.check = new HealthCheck(loop, system.health(), this::probe);
    this.table = new RecordTable(system, STORE_TIMEOUT);
    this.registry = new NamespaceRegistry(table, loop, time, random);
    this.tokens = new Tokens(table, registry, loop, time, random);
    this.sessions = new Sessions(table, tokens, time, random);
    this.vault = new SecretVault(table, keys, time, random);
    this.audit = new Audit(table, time, random);
    this.refusals = new RefusalAudit(audit, time, this::later);
    this.submits = new SubmitAudit(audit, time, this::later);
    this.ended = new DeletedNamespaceSweeper(table, registry, audit, time);
    this.callbacks = new CallbackRecords(table, registry, time, random, url);
    this.namespaces = new Namespaces(registry, loop, time, record -> opener.open(this, record));
    this.apis = new ApiAddresses(loop, system, Long.toHexString(random.nextLong()), machine);
    var unused = loopFailure.thenAccept(this::loopFailed);
  }

  /** Opens a namespace with its executors. */
  @FunctionalInterface
  public interface Opener {
    Belfry open(Node node, NamespaceRecord namespace);
  }

  /**
   * Starts everything but the API.
   *
   * @param url external URL of the API, once it listens
   */
  public static Node start(Config config, Opener opener, Supplier<Optional<String>> url) {
    var node = new Node(config, opener, url);
    try {
      node.begin();
    } catch (RuntimeException | Error e) {
      node.close();
      throw e;
    }
    return node;
  }

  private void begin() {
    await(tokens.loaded(), "tokens");
    await(registry.loaded(), "namespaces");
    sessions.start();
    await(apis.loaded(), "addresses of the other nodes");
    admin = Admin.ensure(config, tokens, name());
    config.get(SettingsCatalog.NAMESPACES).forEach(name -> {
      Namespaces.checked(name);
      if (registry.find(name).isEmpty()) {
        var unused = registry.create(name, "");
      }
    });
    registry.list().forEach(namespaces::ensure);
    namespaces.start();
    sweepDeletedSoon();
    loop.post(this::sweepLater);
    loop.post(check::start);
    Thread.startVirtualThread(this::warnOfSecrets);
  }

  /** Warns of secrets stored by a version without destinations: anyone who defines a call can send them to any server. */
  private void warnOfSecrets() {
    try {
      SecretVault.Unrestricted old = vault.withoutDestinations();
      if (old.count() > 0) {
        LOG.warn(
            "{} stored secrets have no allowed destinations and can be sent to any server: {}{}. Store them again with belfry secret put --destination.",
            old.count(),
            String.join(", ", old.names()),
            old.count() > old.names().size() ? " …" : "");
      }
    } catch (StoreException e) {
      LOG.warn("Secrets could not be checked for missing destinations: {}", e.getMessage());
    }
  }

  private static void await(CompletableFuture<Void> loaded, String what) {
    try {
      loaded.get(STORE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new StoreException.Unavailable(
          "The " + what + " could not be loaded within " + STORE_TIMEOUT
              + ". Check that the engine is reachable.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("The start was interrupted.", e);
    }
  }

  /** Probes the engine by writing one key that all nodes share, with at most one such commit in flight. */
  private void probe() {
    if (probing.compareAndSet(false, true)) {
      Commit commit = Commit.when().put(PROBE, new byte[0]).build();
      var unused = system.commit(commit).whenComplete((outcome, thrown) -> probing.set(false));
    }
  }

  /** Health of the engine for the server's own records: tokens, sessions, namespaces, secrets, audit log. From any thread, at once. */
  public EngineHealth.View systemHealth() {
    return system.health().view();
  }

  /** The known addresses of engine servers and of the APIs of all nodes. The host {@code *} is this machine. */
  public Set<Endpoint> ownEndpoints() {
    Stream<Endpoint> engines = Stream.concat(
            Stream.of(systemHealth()), namespaces.all().values().stream().flatMap(Node::engines))
        .flatMap(engine -> engine.endpoints().stream());
    return Stream.concat(engines, apis.endpoints().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Announces the API address of this node to all nodes, so that they keep jobs from calling it. */
  public void announceApi(InetSocketAddress listening) {
    machine.listensAt(Optional.ofNullable(listening.getAddress()));
    apis.announce(listening.getPort());
  }

  private static Stream<EngineHealth.View> engines(Belfry belfry) {
    NodeHealth health = belfry.health();
    return Stream.concat(Stream.of(health.engine()), health.electionEngine().stream());
  }

  /** Display name of this node. */
  public String name() {
    return config
        .find(SettingsCatalog.NODE_NAME)
        .orElseGet(() -> namespaces.all().values().stream()
            .findFirst()
            .map(Belfry::nodeId)
            .orElseGet(() -> LibrarySettings.of(config, "default").node()));
  }

  /** For tests. */
  ThreadLoop loop() {
    return loop;
  }

  private void later(Duration delay, Runnable step) {
    loop.post(() -> {
      var unused = loop.after(delay, () -> Thread.startVirtualThread(step));
    });
  }

  private void sweepLater() {
    var unused = loop.after(SWEEP, () -> {
      Thread.startVirtualThread(this::sweep);
      sweepLater();
    });
  }

  private void sweep() {
    tokens.readAgain();
    registry.readAgain();
    try {
      tokens.sweep();
      sessions.sweep(time.wall());
      registry.current().forEach(record -> audit.sweep(record.scope()));
      audit.sweep(SYSTEM);
      sweepHubs();
      callbacks.sweep();
      ended.sweep();
    } catch (StoreException e) {
      LOG.debug("Expired records could not be swept; the next sweep tries again.", e);
    }
  }

  /** Sweeps the leftovers of deleted namespaces in the background; the next regular sweep takes care of the rest. */
  public void sweepDeletedSoon() {
    later(Duration.ofSeconds(1), () -> {
      try {
        ended.sweep();
      } catch (StoreException e) {
        LOG.debug(
            "Leftovers of deleted namespaces could not be swept; the next sweep tries again.", e);
      }
    });
  }

  private void loopFailed(Throwable thrown) {
    LOG.error(
        "This node no longer receives changes of tokens and namespaces after an unexpected error. /healthz answers 503 from now on, so that"
            + " the supervisor restarts the node.",
        thrown);
    namespaces.failed(thrown);
  }

  /** The event hub of a namespace, created for its first reader. */
  public EventHub hub(Belfry belfry) {
    return hubs.computeIfAbsent(
        belfry, each -> new EventHub(Long.toHexString(random.nextLong()), each, time));
  }

  /** Closes the hubs of deleted namespaces, and unsubscribes those without readers. */
  private void sweepHubs() {
    List<Belfry> open = List.copyOf(namespaces.all().values());
    hubs.forEach((belfry, events) -> {
      if (open.contains(belfry)) {
        events.unsubscribeIfIdle();
      } else if (hubs.remove(belfry, events)) {
        events.close();
      }
    });
  }

  public Config config() {
    return config;
  }

  public Time time() {
    return time;
  }

  public Tokens tokens() {
    return tokens;
  }

  public Sessions sessions() {
    return sessions;
  }

  public SecretVault vault() {
    return vault;
  }

  public Audit audit() {
    return audit;
  }

  public RefusalAudit refusals() {
    return refusals;
  }

  public SubmitAudit submits() {
    return submits;
  }

  public NamespaceRegistry registry() {
    return registry;
  }

  public CallbackRecords callbacks() {
    return callbacks;
  }

  public Namespaces namespaces() {
    return namespaces;
  }

  /** The admin token, if this node has just generated it. */
  public Optional<String> adminToken() {
    return admin.made();
  }

  /** The node that generated the admin token, if it was another node. */
  public Optional<String> adminMadeBy() {
    return admin.by();
  }

  /** Shuts down gracefully within server.stopPatience, and closes the stores. */
  @Override
  public void close() {
    hubs.values().forEach(EventHub::close);
    refusals.stop();
    submits.stop();
    namespaces.stop(config.get(SettingsCatalog.SERVER_STOP));
    tokens.stop();
    apis.stop()
        .completeOnTimeout(null, WITHDRAW_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    registry.stop();
    loop.post(check::stop);
    loop.close();
    system.close();
  }
}
