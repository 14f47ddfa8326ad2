package io.belfry.server.node;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.HealthCheck;
import io.belfry.library.Belfry;
import io.belfry.library.NodeHealth;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.Desk;
import io.belfry.server.access.EndedSweep;
import io.belfry.server.access.NamespaceBook;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.Refusals;
import io.belfry.server.access.SecretKeys;
import io.belfry.server.access.Sessions;
import io.belfry.server.access.SubmitAudit;
import io.belfry.server.access.Tokens;
import io.belfry.server.access.Vault;
import io.belfry.server.callback.CallbackDesk;
import io.belfry.server.config.Catalogue;
import io.belfry.server.config.Config;
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
 * One process: the server's own data, and a Belfry for each namespace.
 *
 * <p>Threading: safe.
 */
public final class Node implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Node.class);
  private static final String SYSTEM = Namespaces.RESERVED + "system";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  /** So long a stop waits for the engine to forget the address of the API; it forgets it by itself within a minute. */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private static final Key PROBE = Key.of(Space.plain("up"), "probe");
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final Config config;
  private final Time time = Time.system();
  private final SecureRandom random = new SecureRandom();
  private final MonitoredStore system;
  private final HealthCheck check;
  private final AtomicBoolean probing = new AtomicBoolean();
  /** Completes with what a step of the loop threw. */
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

  private final ThreadLoop loop;
  private final Desk desk;
  private final Tokens tokens;
  private final Sessions sessions;
  private final Vault vault;
  private final Audit audit;
  private final Refusals refusals;
  private final SubmitAudit submits;
  private final NamespaceBook book;
  private final EndedSweep ended;
  private final CallbackDesk callbacks;
  private final MachineAddresses machine = new MachineAddresses();
  private final ApiAddresses apis;
  private final Namespaces namespaces;
  /** By whose events they have: a namespace that was deleted and created again has another Belfry. */
  private final Map<Belfry, EventHub> hubs = new ConcurrentHashMap<>();

  private Admin.Outcome admin = new Admin.Outcome(Optional.empty(), Optional.empty());

  private Node(Config config, Opener opener, Supplier<Optional<String>> url) {
    this.config = config;
    Keys.makePrivate(LibrarySettings.data(config));
    FileModes.warnOfOpen(LibrarySettings.data(config));
    FileModes.warnOfGroups(config);
    SecretKeys keys = Keys.secretKeys(config, random); // refused before anything is open
    this.system = Stores.openMonitored(
        LibrarySettings.store(config),
        config.get(Catalogue.STORE_PREFIX),
        SYSTEM,
        time,
        "tokens, namespaces and secrets cannot be changed, and changes are not written into the audit log");
    this.loop = new ThreadLoop(
        "belfry-system", time, new SplittableRandom(random.nextLong()), broken::complete);
    this.check = new HealthCheck(loop, system.health(), this::probe);
    this.desk = new Desk(system, PATIENCE);
    this.book = new NamespaceBook(desk, loop, time, random);
    this.tokens = new Tokens(desk, book, loop, time, random);
    this.sessions = new Sessions(desk, tokens, time, random);
    this.vault = new Vault(desk, keys, time, random);
    this.audit = new Audit(desk, time, random);
    this.refusals = new Refusals(audit, time, this::later);
    this.submits = new SubmitAudit(audit, time, this::later);
    this.ended = new EndedSweep(desk, book, audit, time);
    this.callbacks = new CallbackDesk(desk, book, time, random, url);
    this.namespaces = new Namespaces(book, loop, time, record -> opener.open(this, record));
    this.apis = new ApiAddresses(loop, system, Long.toHexString(random.nextLong()), machine);
    var unused = broken.thenAccept(this::loopBroke);
  }

  /** Opens the Belfry of a namespace, with its executors. */
  @FunctionalInterface
  public interface Opener {
    Belfry open(Node node, NamespaceRecord namespace);
  }

  /**
   * Starts everything but the API.
   *
   * @param url how others reach the API, once it listens
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
    await(book.loaded(), "namespaces");
    sessions.start();
    await(apis.loaded(), "addresses of the other nodes");
    admin = Admin.ensure(config, tokens, name());
    config.get(Catalogue.NAMESPACES).forEach(name -> {
      Namespaces.checked(name);
      if (book.find(name).isEmpty()) {
        var unused = book.create(name, "");
      }
    });
    book.list().forEach(namespaces::ensure);
    namespaces.start();
    sweepEndedSoon();
    loop.post(this::sweepLater);
    loop.post(check::start);
    Thread.startVirtualThread(this::warnOfSecrets);
  }

  /** Secrets from before there were destinations can be sent to any server by whoever defines a call. */
  private void warnOfSecrets() {
    try {
      Vault.Unrestricted old = vault.withoutDestinations();
      if (old.count() > 0) {
        LOG.warn(
            "{} stored secrets have no destinations and may be sent to any server: {}{}. Store them again with belfry secret put --destination.",
            old.count(),
            String.join(", ", old.names()),
            old.count() > old.names().size() ? " …" : "");
      }
    } catch (StoreException e) {
      LOG.warn("Whether all secrets have destinations could not be checked: {}", e.getMessage());
    }
  }

  private static void await(CompletableFuture<Void> loaded, String what) {
    try {
      loaded.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new StoreException.Unavailable(
          "The " + what + " could not be read within " + PATIENCE + ". Is the engine there?", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("The start was interrupted.", e);
    }
  }

  /** Writes one key that all nodes share; there is never more than one such commit in flight. */
  private void probe() {
    if (probing.compareAndSet(false, true)) {
      Commit commit = Commit.when().put(PROBE, new byte[0]).build();
      var unused = system.commit(commit).whenComplete((outcome, thrown) -> probing.set(false));
    }
  }

  /** Whether the engine accepts the server's own writes: tokens, sessions, namespaces, secrets, audit. From any thread, at once. */
  public EngineHealth.View systemHealth() {
    return system.health().view();
  }

  /** Where the servers of the engines and the APIs of all nodes listen, as far as is known. The host {@code *} is this machine. */
  public Set<Endpoint> ownEndpoints() {
    Stream<Endpoint> engines = Stream.concat(
            Stream.of(systemHealth()), namespaces.all().values().stream().flatMap(Node::engines))
        .flatMap(engine -> engine.endpoints().stream());
    return Stream.concat(engines, apis.endpoints().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Lets all nodes know that the API of this one listens at this address and port, so that no job calls it. */
  public void announceApi(InetSocketAddress listening) {
    machine.listensAt(Optional.ofNullable(listening.getAddress()));
    apis.announce(listening.getPort());
  }

  private static Stream<EngineHealth.View> engines(Belfry belfry) {
    NodeHealth health = belfry.health();
    return Stream.concat(Stream.of(health.engine()), health.electionEngine().stream());
  }

  /** Name of this node, for people. */
  public String name() {
    return config
        .find(Catalogue.NODE_NAME)
        .orElseGet(() -> namespaces.all().values().stream()
            .findFirst()
            .map(Belfry::nodeId)
            .orElseGet(() -> LibrarySettings.of(config, "default").node()));
  }

  /** Seen by tests. */
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
    book.readAgain();
    try {
      tokens.sweep();
      sessions.sweep(time.wall());
      book.current().forEach(record -> audit.sweep(record.scope()));
      audit.sweep(SYSTEM);
      sweepHubs();
      callbacks.sweep();
      ended.sweep();
    } catch (StoreException e) {
      LOG.debug("What is over could not be swept out; it is tried again.", e);
    }
  }

  /** Deletes what deleted namespaces left, on a thread of its own; what it does not reach, the next sweep does. */
  public void sweepEndedSoon() {
    later(Duration.ofSeconds(1), () -> {
      try {
        ended.sweep();
      } catch (StoreException e) {
        LOG.debug("What deleted namespaces left could not be swept; it is tried again.", e);
      }
    });
  }

  private void loopBroke(Throwable thrown) {
    LOG.error(
        "Tokens and namespaces are not followed any more: a step threw. /healthz answers 503 from now on, so that the supervisor restarts"
            + " this node.",
        thrown);
    namespaces.broke(thrown);
  }

  /** The hub of a namespace, made when somebody first looks on. */
  public EventHub hub(Belfry belfry) {
    return hubs.computeIfAbsent(
        belfry, each -> new EventHub(Long.toHexString(random.nextLong()), each, time));
  }

  /** Forgets the hubs of namespaces that are gone, and lets those rest that nobody reads. */
  private void sweepHubs() {
    List<Belfry> open = List.copyOf(namespaces.all().values());
    hubs.forEach((belfry, events) -> {
      if (open.contains(belfry)) {
        events.rest();
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

  public Vault vault() {
    return vault;
  }

  public Audit audit() {
    return audit;
  }

  public Refusals refusals() {
    return refusals;
  }

  public SubmitAudit submits() {
    return submits;
  }

  public NamespaceBook book() {
    return book;
  }

  public CallbackDesk callbacks() {
    return callbacks;
  }

  public Namespaces namespaces() {
    return namespaces;
  }

  /** The admin token, if this node has just made it. */
  public Optional<String> adminToken() {
    return admin.made();
  }

  /** The node that made the admin token, if that was another. */
  public Optional<String> adminMadeBy() {
    return admin.by();
  }

  /** Stops what runs within the configured patience, and closes the stores. */
  @Override
  public void close() {
    hubs.values().forEach(EventHub::close);
    refusals.stop();
    submits.stop();
    namespaces.stop(config.get(Catalogue.SERVER_STOP));
    tokens.stop();
    apis.stop()
        .completeOnTimeout(null, GOODBYE.toMillis(), TimeUnit.MILLISECONDS)
        .join();
    book.stop();
    loop.post(check::stop);
    loop.close();
    system.close();
  }
}
