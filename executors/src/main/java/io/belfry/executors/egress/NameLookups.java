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
 * Looks names up for all namespaces of a process, on threads of its own: a question to the operating system cannot be interrupted, and an
 * attempt must be.
 *
 * <p>A name server that does not answer holds a thread for many seconds. So a namespace has a few threads at once and a bounded queue, and
 * the namespaces take turns; one that has no thread gets one although the others hold all there are. A namespace that calls hosts that nobody
 * answers for does not keep the others from calling theirs. What was found, and what was not, is remembered for a few seconds.
 *
 * <p>Namespaces share an answer that is being asked for, never a place in the queue: behind the names of another one it may be a long one.
 *
 * <p>Threading: safe.
 */
public final class NameLookups {
  static final int THREADS = 16;
  /** Beyond {@link #THREADS}, for namespaces that have none: as many may be stuck as there are namespaces that nobody answers for. */
  static final int THREADS_MAX = 256;

  static final int THREADS_PER_NAMESPACE = 4;
  static final int WAITING_PER_NAMESPACE = 100;
  private static final int HOSTS_MAX = 1000;
  private static final int REMEMBERED_ADDRESSES_MAX = 64;
  private static final long IDLE_SECONDS = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(5).toNanos();

  /** Who knows the addresses of hosts; may take long. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /** No addresses: there are none. */
  private record Known(List<InetAddress> addresses, long atNanos) {}

  /** Threading: its count is guarded by the lock. */
  private static final class Question {
    final String host;
    final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    int askers = 1;

    Question(String host) {
      this.host = host;
    }
  }

  /** What one namespace asks. Guarded by the lock. */
  private static final class Share {
    /** By host, in the order in which they were asked. */
    final LinkedHashMap<String, Question> waiting = new LinkedHashMap<>();

    int running;
  }

  private final Time time;
  private final Resolver resolver;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Share> shares = new HashMap<>();
  /** The namespaces of which questions wait. */
  private final ArrayDeque<String> turns = new ArrayDeque<>();

  /** By host; each has a thread. */
  private final Map<String, Question> asked = new HashMap<>();

  private int running;
  /** As many as are running, and those that are about to end. */
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      0,
      Integer.MAX_VALUE,
      IDLE_SECONDS,
      TimeUnit.SECONDS,
      new SynchronousQueue<>(),
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false) // they serve all, and the first asks in an attempt
          .name("belfry-names-", 1)
          .factory());

  NameLookups(Time time, Resolver resolver) {
    this.time = time;
    this.resolver = resolver;
  }

  /** As the machine resolves names. */
  public static NameLookups system(Time time) {
    return new NameLookups(time, InetAddress::getAllByName);
  }

  /** For the calls of one namespace. */
  public HostLookup of(String namespace) {
    return (host, until) -> find(namespace, host, until);
  }

  private List<InetAddress> find(String namespace, String host, Deadline until)
      throws UnknownHostException, TimeoutException, InterruptedException {
    Optional<List<InetAddress>> answered = known(host);
    if (answered.isPresent()) {
      return found(host, answered.get());
    }
    Duration left = until.left();
    boolean isShort = left.compareTo(PATIENCE) < 0;
    long patience = (isShort ? left : PATIENCE).toNanos();
    Question question = ask(namespace, host);
    try {
      return found(host, question.answer.get(patience, TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      if (isShort) {
        throw e;
      }
      throw new UnknownHostException(
          host + " (nobody answered within " + PATIENCE.toSeconds() + " s)");
    } catch (ExecutionException e) {
      throw (UnknownHostException)
          new UnknownHostException(host + " (it could not be looked up)").initCause(e.getCause());
    } finally {
      leave(namespace, question);
    }
  }

  /** What was answered a moment ago. */
  private Optional<List<InetAddress>> known(String host) {
    Known last = known.get(host);
    return last != null && time.nanos() - last.atNanos < REMEMBERED_NANOS
        ? Optional.of(last.addresses)
        : Optional.empty();
  }

  /** How many names of a namespace wait. */
  int waiting(String namespace) {
    lock.lock();
    try {
      Share share = shares.get(namespace);
      return share == null ? 0 : share.waiting.size();
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

  private Question ask(String namespace, String host) throws UnknownHostException {
    lock.lock();
    try {
      Share share = shares.computeIfAbsent(namespace, name -> new Share());
      Question same = asked.getOrDefault(host, share.waiting.get(host));
      if (same != null) {
        same.askers++;
        forgetIfIdle(namespace, share);
        return same;
      }
      if (share.waiting.size() >= WAITING_PER_NAMESPACE) {
        throw new UnknownHostException(host + " (" + WAITING_PER_NAMESPACE
            + " other names of this namespace wait to be looked up, and more may not)");
      }
      var question = new Question(host);
      share.waiting.put(host, question);
      if (share.waiting.size() == 1) {
        turns.add(namespace);
      }
      startNext();
      return question;
    } finally {
      lock.unlock();
    }
  }

  /** Whoever gives up takes its question along, unless it is being asked, or others wait for the answer. */
  private void leave(String namespace, Question question) {
    lock.lock();
    try {
      question.askers--;
      Share share = shares.get(namespace);
      if (question.askers == 0 && share != null && share.waiting.remove(question.host, question)) {
        if (share.waiting.isEmpty()) {
          turns.remove(namespace);
        }
        forgetIfIdle(namespace, share);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock. Each namespace that waits and may have one more thread gets one, in turn. */
  private void startNext() {
    int passedOver = 0;
    while (passedOver < turns.size()) {
      String namespace = turns.removeFirst();
      Share share = Objects.requireNonNull(shares.get(namespace));
      if (mayStart(share)) {
        start(
            namespace,
            share,
            Objects.requireNonNull(share.waiting.pollFirstEntry()).getValue());
        passedOver = 0;
      } else {
        passedOver++;
      }
      if (!share.waiting.isEmpty()) {
        turns.addLast(namespace);
      }
    }
  }

  private boolean mayStart(Share share) {
    return running < (share.running == 0 ? THREADS_MAX : THREADS)
        && share.running < THREADS_PER_NAMESPACE;
  }

  private void start(String namespace, Share share, Question question) {
    running++;
    share.running++;
    asked.putIfAbsent(question.host, question);
    try {
      threads.execute(() -> answer(namespace, question));
    } catch (RuntimeException | Error e) { // no thread to be had
      running--;
      share.running--;
      asked.remove(question.host, question);
      question.answer.completeExceptionally(e);
    }
  }

  private void answer(String namespace, Question question) {
    try {
      Optional<List<InetAddress>> answered = known(question.host);
      List<InetAddress> addresses =
          answered.isPresent() ? answered.get() : List.of(resolver.resolve(question.host));
      if (answered.isEmpty()) {
        remember(question.host, addresses);
      }
      question.answer.complete(addresses);
    } catch (UnknownHostException e) {
      remember(question.host, List.of());
      question.answer.complete(List.of());
    } catch (RuntimeException | Error e) {
      question.answer.completeExceptionally(e);
    } finally {
      done(namespace, question);
    }
  }

  /** Names with many addresses are asked about each time: whoever answers for them decides how many there are. */
  private void remember(String host, List<InetAddress> addresses) {
    if (addresses.size() > REMEMBERED_ADDRESSES_MAX) {
      return;
    }
    if (known.size() >= HOSTS_MAX) {
      known.clear(); // only a memory: whoever is missed is asked about again
    }
    known.put(host, new Known(addresses, time.nanos()));
  }

  private void done(String namespace, Question question) {
    lock.lock();
    try {
      asked.remove(question.host, question);
      running--;
      Share share = Objects.requireNonNull(shares.get(namespace));
      share.running--;
      startNext();
      forgetIfIdle(namespace, share);
    } finally {
      lock.unlock();
    }
  }

  private void forgetIfIdle(String namespace, Share share) {
    if (share.running == 0 && share.waiting.isEmpty()) {
      shares.remove(namespace);
    }
  }
}
