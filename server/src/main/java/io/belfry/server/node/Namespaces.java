package io.belfry.server.node;

import io.belfry.core.loop.Loop;
import io.belfry.library.Belfry;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.server.access.NamespaceBook;
import io.belfry.server.access.NamespaceRecord;
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
 * The namespaces there are, each with a Belfry of its own on this node. Which there are stands in the store; every node follows that, and
 * opens and closes them one after the other on a thread of its own. A namespace that was deleted and created again is another one: its
 * Belfry is opened anew.
 *
 * <p>Threading: safe.
 */
public final class Namespaces {
  private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);

  /** With what names of our own begin. */
  public static final String RESERVED = "belfry.";

  private static final Duration AGAIN = Duration.ofSeconds(2);

  private record Open(NamespaceRecord record, Belfry belfry) {}

  private final NamespaceBook book;
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
      NamespaceBook book, Loop loop, Time time, Function<NamespaceRecord, Belfry> opener) {
    this.book = book;
    this.opener = opener;
    this.loop = loop;
    this.time = time;
  }

  /** Follows the book, whose namespaces are known already. */
  public void start() {
    book.onChange(this::settleSoon);
    settleSoon();
  }

  public static String checked(String name) {
    Check.name("name", name, 64);
    Check.that(
        !name.startsWith(RESERVED),
        "name",
        name,
        "must not begin with \"" + RESERVED + "\", because Belfry keeps those for itself",
        "Choose another.");
    return name;
  }

  /** The Belfry of the namespace; empty if there is none, or it is not open here yet. */
  public Optional<Belfry> find(String name) {
    return Optional.ofNullable(open.get(name)).filter(this::isCurrent).map(Open::belfry);
  }

  /** The Belfry of this namespace, and of no later one of its name; empty if it was deleted, or is not open here yet. */
  public Optional<Belfry> find(NamespaceRecord namespace) {
    return Optional.ofNullable(open.get(namespace.name()))
        .filter(each -> each.record.scope().equals(namespace.scope()))
        .filter(this::isCurrent)
        .map(Open::belfry);
  }

  private boolean isCurrent(Open each) {
    return book.isCurrent(each.record.scope());
  }

  /** Opens it now, if it is not open: whoever has just made it need not wait for the feed. */
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

  /** Those that are open here, by name. */
  public Map<String, Belfry> all() {
    var all = new TreeMap<String, Belfry>();
    open.forEach((name, each) -> {
      if (isCurrent(each)) {
        all.put(name, each.belfry);
      }
    });
    return all;
  }

  /** What makes this process unfit, so that its supervisor should restart it; empty while all is well. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(broken)
        .or(() -> open.values().stream()
            .flatMap(each -> each.belfry.failure().stream())
            .findFirst());
  }

  /** The loop has ended: namespaces are not followed any more. */
  void broke(Throwable thrown) {
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

  /** Makes what is open what the book has. */
  private void settle() {
    if (stopped) {
      return;
    }
    open.values().stream()
        .filter(each -> !isCurrent(each))
        .map(each -> each.record.name())
        .sorted()
        .forEach(this::closeEnded);
    for (NamespaceRecord record : book.current()) {
      if (!stopped && find(record.name()).isEmpty()) {
        try {
          ensure(record);
        } catch (RuntimeException e) {
          LOG.warn("Namespace {} could not be opened; it is tried again.", record.name(), e);
          settleLater();
        }
      }
    }
  }

  /** It may have been created again and opened by a request meanwhile. */
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

  /** One further try for all that could not be opened: if each asked for its own, tries would multiply with every round. */
  private void settleLater() {
    if (awaited.compareAndSet(false, true)) {
      loop.post(() -> {
        var unused = loop.after(AGAIN, () -> {
          awaited.set(false);
          settleSoon();
        });
      });
    }
  }

  private void settleSoon() {
    if (stopped) {
      return;
    }
    try {
      changes.execute(this::settle);
    } catch (RejectedExecutionException e) {
      LOG.debug("Namespaces are not followed any more: this node stops.", e);
    }
  }

  /** Stops all of them side by side, within their own patience. */
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
