package io.belfry.executors.egress;

import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Resolves host names for all namespaces of a process, on threads of its own: a lookup by the operating system cannot be interrupted, and
 * an attempt must be.
 *
 * <p>A name server that does not respond blocks a thread for many seconds. So each namespace has a few threads and a bounded queue, and
 * the namespaces take turns. A namespace without a thread gets one even if the others use all of them. So a namespace that calls hosts
 * with unresponsive name servers does not block the others. Results, positive and negative, are cached for a few seconds.
 *
 * <p>Namespaces share a lookup that is running, but never a place in the queue, which another namespace may have filled.
 *
 * <p>Threading: safe.
 */
public final class NameLookups {
  static final int THREADS = 16;
  /** Beyond {@link #THREADS}, for namespaces without a thread: each namespace with unresponsive name servers may block one. */
  static final int THREADS_MAX = 256;

  static final int THREADS_PER_NAMESPACE = 4;
  static final int WAITING_PER_NAMESPACE = 100;
  private static final int HOSTS_MAX = 1000;
  private static final int REMEMBERED_ADDRESSES_MAX = 64;
  private static final long IDLE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(5).toNanos();

  /** Resolves a host name; may block for long. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /** A cached result; no addresses means that the host has none. */
  private record Known(List<InetAddress> addresses, long atNanos) {}

  /** Threading: its count is guarded by the lock. */
  private static final class Lookup {
    final String host;
    final CompletableFuture<List<InetAddress>> result = new CompletableFuture<>();
    int callers = 1;

    Lookup(String host) {
      this.host = host;
    }
  }

  /** The lookups of one namespace. Guarded by the lock. */
  private static final class NamespaceQueue {
    /** Waiting lookups by host, in the order of the requests. */
    final LinkedHashMap<String, Lookup> waiting = new LinkedHashMap<>();

    int running;
  }

  private final Time time;
  private final Resolver resolver;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, NamespaceQueue> queues = new HashMap<>();
  /** The namespaces with waiting lookups. */
  private final ArrayDeque<String> turns = new ArrayDeque<>();

  /** Running lookups by host; each has a thread. */
  private final Map<String, Lookup> inFlight = new HashMap<>();

  private int running;
  /** The number of threads that run or are about to end. */
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      0,
      Integer.MAX_VALUE,
      IDLE_SECONDS,
      TimeUnit.SECONDS,
      new SynchronousQueue<>(),
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(
              false) // shared by all; the first lookup runs in an attempt
          .name("belfry-names-", 1)
          .factory());

  NameLookups(Time time, Resolver resolver) {
    this.time = time;
    this.resolver = resolver;
  }

  /** Uses the resolver of the operating system. */
  public static NameLookups system(Time time) {
    return new NameLookups(time, InetAddress::getAllByName);
  }

  /** The lookups of one namespace. */
  public HostLookup of(String namespace) {
    return (host, until) -> find(namespace, host, until);
  }

  private List<InetAddress> find(String namespace, String host, Deadline until)
      throws UnknownHostException, TimeoutException, InterruptedException {
    Optional<List<InetAddress>> cached = known(host);
    if (cached.isPresent()) {
      return found(host, cached.get());
    }
    Duration left = until.left();
    boolean isShort = left.compareTo(PATIENCE) < 0;
    long patience = (isShort ? left : PATIENCE).toNanos();
    Lookup lookup = join(namespace, host);
    try {
      return found(host, lookup.result.get(patience, TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      if (isShort) {
        throw e;
      }
      throw new UnknownHostException(
          host + " (no response from the name server within " + PATIENCE.toSeconds() + " s)");
    } catch (ExecutionException e) {
      throw (UnknownHostException)
          new UnknownHostException(host + " (the lookup failed)").initCause(e.getCause());
    } finally {
      abandon(namespace, lookup);
    }
  }

  /** The cached result, if it is recent. */
  private Optional<List<InetAddress>> known(String host) {
    Known last = known.get(host);
    return last != null && time.nanos() - last.atNanos < REMEMBERED_NANOS
        ? Optional.of(last.addresses)
        : Optional.empty();
  }

  /** How many lookups of a namespace wait. */
  int waiting(String namespace) {
    lock.lock();
    try {
      NamespaceQueue queue = queues.get(namespace);
      return queue == null ? 0 : queue.waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private static List<InetAddress> found(String host, List<InetAddress> addresses)
      throws UnknownHostException {
    if (addresses.isEmpty()) {
      throw new UnknownHostException(host);
    }
    return addresses;
  }

  private Lookup join(String namespace, String host) throws UnknownHostException {
    lock.lock();
    try {
      NamespaceQueue queue = queues.computeIfAbsent(namespace, name -> new NamespaceQueue());
      Lookup same = inFlight.getOrDefault(host, queue.waiting.get(host));
      if (same != null) {
        same.callers++;
        forgetIfIdle(namespace, queue);
        return same;
      }
      if (queue.waiting.size() >= WAITING_PER_NAMESPACE) {
        throw new UnknownHostException(host + " (" + WAITING_PER_NAMESPACE
            + " other lookups of this namespace are waiting, which is the maximum)");
      }
      var lookup = new Lookup(host);
      queue.waiting.put(host, lookup);
      if (queue.waiting.size() == 1) {
        turns.add(namespace);
      }
      startNext();
      return lookup;
    } finally {
      lock.unlock();
    }
  }

  /** Removes the lookup of a caller that gave up, unless it is running or another caller waits for it. */
  private void abandon(String namespace, Lookup lookup) {
    lock.lock();
    try {
      lookup.callers--;
      NamespaceQueue queue = queues.get(namespace);
      if (lookup.callers == 0 && queue != null && queue.waiting.remove(lookup.host, lookup)) {
        if (queue.waiting.isEmpty()) {
          turns.remove(namespace);
        }
        forgetIfIdle(namespace, queue);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Called with the lock held. Starts threads for the namespaces with waiting lookups, in turn. */
  private void startNext() {
    int passedOver = 0;
    while (passedOver < turns.size()) {
      String namespace = turns.removeFirst();
      NamespaceQueue queue = Objects.requireNonNull(queues.get(namespace));
      if (mayStart(queue)) {
        start(
            namespace,
            queue,
            Objects.requireNonNull(queue.waiting.pollFirstEntry()).getValue());
        passedOver = 0;
      } else {
        passedOver++;
      }
      if (!queue.waiting.isEmpty()) {
        turns.addLast(namespace);
      }
    }
  }

  private boolean mayStart(NamespaceQueue queue) {
    return running < (queue.running == 0 ? THREADS_MAX : THREADS)
        && queue.running < THREADS_PER_NAMESPACE;
  }

  private void start(String namespace, NamespaceQueue queue, Lookup lookup) {
    running++;
    queue.running++;
    inFlight.putIfAbsent(lookup.host, lookup);
    try {
      threads.execute(() -> run(namespace, lookup));
    } catch (RuntimeException | Error e) { // no thread could be created
      running--;
      queue.running--;
      inFlight.remove(lookup.host, lookup);
      lookup.result.completeExceptionally(e);
    }
  }

  private void run(String namespace, Lookup lookup) {
    try {
      Optional<List<InetAddress>> cached = known(lookup.host);
      List<InetAddress> addresses =
          cached.isPresent() ? cached.get() : List.of(resolver.resolve(lookup.host));
      if (cached.isEmpty()) {
        remember(lookup.host, addresses);
      }
      lookup.result.complete(addresses);
    } catch (UnknownHostException e) {
      remember(lookup.host, List.of());
      lookup.result.complete(List.of());
    } catch (RuntimeException | Error e) {
      lookup.result.completeExceptionally(e);
    } finally {
      done(namespace, lookup);
    }
  }

  /** Caches the result, but not a long one: the name server decides how many addresses a host has. */
  private void remember(String host, List<InetAddress> addresses) {
    if (addresses.size() > REMEMBERED_ADDRESSES_MAX) {
      return;
    }
    if (known.size() >= HOSTS_MAX) {
      known.clear(); // only a cache: entries are looked up again
    }
    known.put(host, new Known(addresses, time.nanos()));
  }

  private void done(String namespace, Lookup lookup) {
    lock.lock();
    try {
      inFlight.remove(lookup.host, lookup);
      running--;
      NamespaceQueue queue = Objects.requireNonNull(queues.get(namespace));
      queue.running--;
      startNext();
      forgetIfIdle(namespace, queue);
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfIdle(String namespace, NamespaceQueue queue) {
    if (queue.running == 0 && queue.waiting.isEmpty()) {
      queues.remove(namespace);
    }
  }
}
