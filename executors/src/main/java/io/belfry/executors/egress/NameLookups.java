package io.belfry.executors.egress;

import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * the namespaces take turns: one that calls hosts that nobody answers for does not keep the others from calling theirs. What was found, and
 * what was not, is remembered for a few seconds.
 *
 * <p>Threading: safe.
 */
public final class NameLookups {
  static final int THREADS = 16;
  static final int THREADS_PER_NAMESPACE = 4;
  static final int WAITING_PER_NAMESPACE = 100;
  private static final int HOSTS_MAX = 1000;
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
    final ArrayDeque<Question> waiting = new ArrayDeque<>();
    int running;
  }

  private final Time time;
  private final Resolver resolver;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Share> shares = new HashMap<>();
  /** The namespaces of which questions wait. */
  private final ArrayDeque<String> turns = new ArrayDeque<>();

  private final Map<String, Question> asked = new HashMap<>();
  private int running;
  /** As many as are running, and those that are about to end. */
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      0,
      Integer.MAX_VALUE,
      IDLE_SECONDS,
      TimeUnit.SECONDS,
      new SynchronousQueue<>(),
      Thread.ofPlatform().daemon().name("belfry-names-", 1).factory());

  NameLookups(Time time, Resolver resolver) {
    this.time = time;
    this.resolver = resolver;
  }

  /** As the machine resolves names. */
  public static NameLookups system(Time time) {
    return new NameLookups(time, InetAddress::getAllByName);
  }

  /** For the calls of one namespace. */
  public Names of(String namespace) {
    return host -> find(namespace, host);
  }

  private List<InetAddress> find(String namespace, String host)
      throws UnknownHostException, InterruptedException {
    Known last = known.get(host);
    if (last != null && time.nanos() - last.atNanos < REMEMBERED_NANOS) {
      return found(host, last.addresses);
    }
    Question question = ask(namespace, host);
    try {
      return found(host, question.answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      throw new UnknownHostException(
          host + " (nobody answered within " + PATIENCE.toSeconds() + " s)");
    } catch (ExecutionException e) {
      throw (UnknownHostException)
          new UnknownHostException(host + " (it could not be looked up)").initCause(e.getCause());
    } finally {
      leave(namespace, question);
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
      Question same = asked.get(host);
      if (same != null) {
        same.askers++;
        return same;
      }
      Share share = shares.computeIfAbsent(namespace, name -> new Share());
      if (share.waiting.size() >= WAITING_PER_NAMESPACE) {
        throw new UnknownHostException(host + " (" + WAITING_PER_NAMESPACE
            + " other names of this namespace wait to be looked up, and more may not)");
      }
      var question = new Question(host);
      asked.put(host, question);
      share.waiting.add(question);
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
      if (question.askers == 0 && share != null && share.waiting.remove(question)) {
        asked.remove(question.host);
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
    while (running < THREADS && passedOver < turns.size()) {
      String namespace = turns.removeFirst();
      Share share = Objects.requireNonNull(shares.get(namespace));
      if (share.running < THREADS_PER_NAMESPACE) {
        start(namespace, share, share.waiting.removeFirst());
        passedOver = 0;
      } else {
        passedOver++;
      }
      if (!share.waiting.isEmpty()) {
        turns.addLast(namespace);
      }
    }
  }

  private void start(String namespace, Share share, Question question) {
    running++;
    share.running++;
    try {
      threads.execute(() -> answer(namespace, question));
    } catch (RuntimeException | Error e) { // no thread to be had
      running--;
      share.running--;
      asked.remove(question.host);
      question.answer.completeExceptionally(e);
    }
  }

  private void answer(String namespace, Question question) {
    try {
      List<InetAddress> addresses = List.of(resolver.resolve(question.host));
      remember(question.host, addresses);
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

  private void remember(String host, List<InetAddress> addresses) {
    if (known.size() >= HOSTS_MAX) {
      known.clear(); // only a memory: whoever is missed is asked about again
    }
    known.put(host, new Known(addresses, time.nanos()));
  }

  private void done(String namespace, Question question) {
    lock.lock();
    try {
      asked.remove(question.host);
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
