package io.belfry.server.node;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.core.node.HealthCheck;
import io.belfry.library.Belfry;
import io.belfry.library.NodeHealth;
import io.belfry.library.Stores;
import io.belfry.model.time.Time;
import io.belfry.server.access.Audit;
import io.belfry.server.access.Desk;
import io.belfry.server.access.NamespaceBook;
import io.belfry.server.access.Refusals;
import io.belfry.server.access.Sessions;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
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
  private final NamespaceBook book;
  private final CallbackDesk callbacks;
  private final Namespaces namespaces;
  private final Map<String, Hub> hubs = new ConcurrentHashMap<>();
  private Admin.Outcome admin = new Admin.Outcome(Optional.empty(), Optional.empty());

  private Node(Config config, Opener opener, Supplier<Optional<String>> url) {
    this.config = config;
    Keys.makePrivate(LibrarySettings.data(config));
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
    this.tokens = new Tokens(desk, loop, time, random);
    this.sessions = new Sessions(desk, tokens, time, random);
    this.vault = new Vault(desk, Keys.secretKey(config, random), time, random);
    this.audit = new Audit(desk, time, random);
    this.refusals = new Refusals(audit, time, this::later);
    this.book = new NamespaceBook(desk, time);
    this.callbacks = new CallbackDesk(desk, time, random, url);
    this.namespaces = new Namespaces(system, loop, time, name -> opener.open(this, name));
    var unused = broken.thenAccept(this::loopBroke);
  }

  /** A hub, and whose events it has: a namespace that was deleted and created again has another Belfry. */
  private record Hub(Belfry belfry, EventHub events) {}

  /** Opens the Belfry of a namespace, with its executors. */
  @FunctionalInterface
  public interface Opener {
    Belfry open(Node node, String namespace);
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
    awaitTokens();
    admin = Admin.ensure(config, tokens, name());
    config.get(Catalogue.NAMESPACES).forEach(name -> {
      Namespaces.checked(name);
      if (book.find(name).isEmpty()) {
        var unused = book.create(name, "");
      }
    });
    book.list().forEach(record -> namespaces.ensure(record.name()));
    namespaces.start();
    loop.post(this::sweepLater);
    loop.post(check::start);
  }

  private void awaitTokens() {
    try {
      tokens.loaded().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new StoreException.Unavailable(
          "The tokens could not be read within " + PATIENCE + ". Is the engine there?", e);
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

  /** Where the servers of the engines listen, as far as is known. */
  public Set<Endpoint> engineEndpoints() {
    return Stream.concat(
            Stream.of(systemHealth()), namespaces.all().values().stream().flatMap(Node::engines))
        .flatMap(engine -> engine.endpoints().stream())
        .collect(Collectors.toUnmodifiableSet());
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
      var unused = loop.in(delay, () -> Thread.startVirtualThread(step));
    });
  }

  private void sweepLater() {
    var unused = loop.in(SWEEP, () -> {
      Thread.startVirtualThread(this::sweep);
      sweepLater();
    });
  }

  private void sweep() {
    try {
      sessions.sweep(time.wall());
      namespaces.all().keySet().forEach(audit::sweep);
      audit.sweep(SYSTEM);
      sweepHubs();
      callbacks.sweep();
    } catch (StoreException e) {
      LOG.debug("What is over could not be swept out; it is tried again.", e);
    }
  }

  private void loopBroke(Throwable thrown) {
    LOG.error(
        "Tokens and namespaces are not followed any more: a step threw. /healthz answers 503 from now on, so that the supervisor restarts"
            + " this node.",
        thrown);
    namespaces.broke(thrown);
  }

  /** The hub of a namespace, made when somebody first looks on. */
  public EventHub hub(String namespace) {
    Belfry now = namespaces.find(namespace).orElseThrow();
    return Objects.requireNonNull(hubs.compute(namespace, (name, there) -> {
          if (there != null && there.belfry == now) {
            return there;
          }
          if (there != null) {
            there.events.close();
          }
          return new Hub(now, new EventHub(Long.toHexString(random.nextLong()), now, time));
        }))
        .events;
  }

  /** Forgets the hubs of namespaces that are gone, and lets those rest that nobody reads. */
  private void sweepHubs() {
    hubs.forEach((name, hub) -> {
      if (namespaces.find(name).filter(belfry -> belfry == hub.belfry).isPresent()) {
        hub.events.rest();
      } else if (hubs.remove(name, hub)) {
        hub.events.close();
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
    hubs.values().forEach(hub -> hub.events.close());
    refusals.stop();
    namespaces.stop(config.get(Catalogue.SERVER_STOP));
    tokens.stop();
    loop.post(check::stop);
    loop.close();
    system.close();
  }
}
