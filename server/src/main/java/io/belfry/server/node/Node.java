package io.belfry.server.node;

import io.belfry.core.loop.ThreadLoop;
import io.belfry.library.Belfry;
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
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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
  private static final Duration SWEEP = Duration.ofMinutes(10);

  private final Config config;
  private final Time time = Time.system();
  private final SecureRandom random = new SecureRandom();
  private final Store system;
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
  private final Map<String, EventHub> hubs = new ConcurrentHashMap<>();
  private final String hubName;
  private Admin.Outcome admin = new Admin.Outcome(Optional.empty(), Optional.empty());

  private Node(Config config, Opener opener, Supplier<Optional<String>> url) {
    this.config = config;
    Keys.makePrivate(LibrarySettings.data(config));
    this.system =
        Stores.open(LibrarySettings.store(config), config.get(Catalogue.STORE_PREFIX), SYSTEM);
    this.loop = new ThreadLoop(
        "belfry-system", time, new SplittableRandom(random.nextLong()), broken::complete);
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
    this.hubName = Long.toHexString(random.nextLong());
  }

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
      hubs.values().forEach(EventHub::rest);
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
    return hubs.computeIfAbsent(
        namespace, name -> new EventHub(hubName, namespaces.find(name).orElseThrow(), time));
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
    hubs.values().forEach(EventHub::close);
    refusals.stop();
    namespaces.stop(config.get(Catalogue.SERVER_STOP));
    tokens.stop();
    loop.close();
    system.close();
  }
}
