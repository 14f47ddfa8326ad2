package io.belfry.server.node;

import io.belfry.core.follow.Follower;
import io.belfry.core.loop.Loop;
import io.belfry.library.Belfry;
import io.belfry.model.Check;
import io.belfry.model.time.Time;
import io.belfry.server.access.Spaces;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
 * opens and closes them one after the other on a thread of its own.
 *
 * <p>Threading: safe.
 */
public final class Namespaces {
  private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);

  /** With what names of our own begin. */
  public static final String RESERVED = "belfry.";

  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final Function<String, Belfry> opener;
  private final Follower follower;
  private final Loop loop;
  private final Time time;
  private final ExecutorService changes = Executors.newSingleThreadExecutor(
      Thread.ofVirtual().name("belfry-namespaces").factory());
  private final Map<String, Belfry> open = new ConcurrentHashMap<>();
  private final AtomicBoolean awaited = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Set<String> wanted = Set.of();
  private volatile boolean stopped;
  private volatile @Nullable Throwable broken;

  public Namespaces(Store system, Loop loop, Time time, Function<String, Belfry> opener) {
    this.opener = opener;
    this.loop = loop;
    this.time = time;
    this.follower = new Follower(loop, system, Spaces.NAMESPACES, new Names());
  }

  public void start() {
    loop.post(follower::start);
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
    return Optional.ofNullable(open.get(name));
  }

  /** Opens it now, if it is not open: whoever has just made it need not wait for the feed. */
  public Belfry ensure(String name) {
    lock.lock();
    try {
      @Nullable Belfry there = open.get(name);
      if (there != null) {
        return there;
      }
      Belfry opened = opener.apply(name);
      open.put(name, opened);
      return opened;
    } finally {
      lock.unlock();
    }
  }

  /** Those that are open here, by name. */
  public Map<String, Belfry> all() {
    return new TreeMap<>(open);
  }

  /** What makes this process unfit, so that its supervisor should restart it; empty while all is well. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(broken)
        .or(() ->
            open.values().stream().flatMap(belfry -> belfry.failure().stream()).findFirst());
  }

  /** The loop has ended: namespaces are not followed any more. */
  void broke(Throwable thrown) {
    broken = thrown;
  }

  private void close(String name) {
    lock.lock();
    try {
      @Nullable Belfry there = open.remove(name);
      if (there != null) {
        there.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes what is open what is wanted. */
  private void settle() {
    if (stopped) {
      return;
    }
    Set<String> now = wanted;
    for (String name : now) {
      if (!open.containsKey(name)) {
        try {
          ensure(name);
        } catch (RuntimeException e) {
          LOG.warn("Namespace {} could not be opened; it is tried again.", name, e);
          settleLater();
        }
      }
    }
    new TreeSet<>(open.keySet()).stream().filter(name -> !now.contains(name)).forEach(this::close);
  }

  /** One further try for all that could not be opened: if each asked for its own, tries would multiply with every round. */
  private void settleLater() {
    if (awaited.compareAndSet(false, true)) {
      loop.post(() -> {
        var unused = loop.in(AGAIN, () -> {
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
    loop.post(follower::stop);
    changes.shutdown();
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      open.values().forEach(belfry -> each.execute(() -> belfry.stop(patience)));
    }
    open.clear();
  }

  public Instant now() {
    return time.wall();
  }

  private final class Names implements Follower.Sink {
    private Set<String> reading = new TreeSet<>();
    private boolean complete;

    @Override
    public void loading() {
      reading = new TreeSet<>();
      complete = false;
    }

    @Override
    public void put(Entry entry) {
      reading.add(entry.key().text());
      tell();
    }

    @Override
    public void deleted(Key key, long revision) {
      reading.remove(key.text());
      tell();
    }

    @Override
    public void loaded() {
      complete = true;
      tell();
    }

    private void tell() {
      if (complete) {
        wanted = Set.copyOf(reading);
        settleSoon();
      }
    }
  }
}
