package io.belfry.server.node;

import io.belfry.core.loop.Loop;
import io.belfry.library.Belfry;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceRecord;
import io.belfry.server.access.NamespaceRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespaces open on this node, each with its own {@link Belfry}. Every node follows the registry in the store, and opens and closes namespaces
 * one by one on a separate thread. A namespace that was deleted and created again is a new incarnation and is reopened.
 *
 * <p>Threading: safe.
 */
public final class Namespaces {
  private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);

  /** Prefix of reserved names. */
  public static final String RESERVED = "belfry.";

  private static final Duration RETRY = Duration.ofSeconds(2);

  private record Open(NamespaceRecord record, Belfry belfry) {}

  private final NamespaceRegistry registry;
  private final Function<NamespaceRecord, Belfry> opener;
  private final Loop loop;
  private final Time time;
  private final ExecutorService changes = Executors.newSingleThreadExecutor(
      Thread.ofVirtual().name("belfry-namespaces").factory());
  private final Map<String, Open> open = new ConcurrentHashMap<>();
  private final AtomicBoolean awaited = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean stopped;
  private volatile @Nullable Throwable broken;

  public Namespaces(
      NamespaceRegistry registry, Loop loop, Time time, Function<NamespaceRecord, Belfry> opener) {
    this.registry = registry;
    this.opener = opener;
    this.loop = loop;
    this.time = time;
  }

  /** Follows the registry, whose namespaces must be loaded. */
  public void start() {
    registry.onChange(this::reconcileSoon);
    reconcileSoon();
  }

  public static String checked(String name) {
    Check.name("name", name, 64);
    Check.that(
        !name.startsWith(RESERVED),
        "name",
        name,
        "must not begin with \"" + RESERVED + "\", because Belfry reserves those names",
        "Choose another name.");
    return name;
  }

  /** The open namespace with this name; empty if it does not exist or is not open on this node yet. */
  public Optional<Belfry> find(String name) {
    return Optional.ofNullable(open.get(name)).filter(this::isCurrent).map(Open::belfry);
  }

  /** The open namespace of this incarnation; empty if it was deleted or is not open on this node yet. */
  public Optional<Belfry> find(NamespaceRecord namespace) {
    return Optional.ofNullable(open.get(namespace.name()))
        .filter(each -> each.record.scope().equals(namespace.scope()))
        .filter(this::isCurrent)
        .map(Open::belfry);
  }

  private boolean isCurrent(Open each) {
    return registry.isCurrent(each.record.scope());
  }

  /** Opens the namespace now unless it is open, so that a request that created it need not wait for the watch. */
  public Belfry ensure(NamespaceRecord record) {
    lock.lock();
    try {
      @Nullable Open there = open.get(record.name());
      if (there != null && there.record.scope().equals(record.scope())) {
        return there.belfry;
      }
      close(record.name());
      Belfry opened = opener.apply(record);
      open.put(record.name(), new Open(record, opened));
      return opened;
    } finally {
      lock.unlock();
    }
  }

  /** The namespaces open on this node, by name. */
  public Map<String, Belfry> all() {
    var all = new TreeMap<String, Belfry>();
    open.forEach((name, each) -> {
      if (isCurrent(each)) {
        all.put(name, each.belfry);
      }
    });
    return all;
  }

  /** The error because of which this process should be restarted; empty if it is healthy. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(broken)
        .or(() -> open.values().stream()
            .flatMap(each -> each.belfry.failure().stream())
            .findFirst());
  }

  /** Records that the loop has failed, so that namespaces are not followed any more. */
  void failed(Throwable thrown) {
    broken = thrown;
  }

  private void close(String name) {
    lock.lock();
    try {
      @Nullable Open there = open.remove(name);
      if (there != null) {
        there.belfry.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Opens and closes namespaces until they match the registry. */
  private void reconcile() {
    if (stopped) {
      return;
    }
    open.values().stream()
        .filter(each -> !isCurrent(each))
        .map(each -> each.record.name())
        .sorted()
        .forEach(this::closeEnded);
    for (NamespaceRecord record : registry.current()) {
      if (!stopped && find(record.name()).isEmpty()) {
        try {
          ensure(record);
        } catch (RuntimeException e) {
          LOG.warn("Namespace {} could not be opened; retrying.", record.name(), e);
          reconcileLater();
        }
      }
    }
  }

  /** Closes a deleted namespace, unless a request has created and opened it again meanwhile. */
  private void closeEnded(String name) {
    lock.lock();
    try {
      if (find(name).isEmpty()) {
        close(name);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Schedules one retry for all namespaces that could not be opened; one for each would multiply the retries with every round. */
  private void reconcileLater() {
    if (awaited.compareAndSet(false, true)) {
      loop.post(() -> {
        var unused = loop.after(RETRY, () -> {
          awaited.set(false);
          reconcileSoon();
        });
      });
    }
  }

  private void reconcileSoon() {
    if (stopped) {
      return;
    }
    try {
      changes.execute(this::reconcile);
    } catch (RejectedExecutionException e) {
      LOG.debug("Namespaces are not followed any more, because this node is shutting down.", e);
    }
  }

  /** Stops all namespaces concurrently. */
  public void stop(Duration patience) {
    stopped = true;
    changes.shutdown();
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      open.values().forEach(one -> each.execute(() -> one.belfry.stop(patience)));
    }
    open.clear();
  }

  public Instant now() {
    return time.wall();
  }
}
