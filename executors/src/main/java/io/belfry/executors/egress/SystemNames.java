package io.belfry.executors.egress;

import io.belfry.model.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the operating system, on threads of its own: a question there cannot be interrupted, and an attempt must be.
 *
 * <p>Threading: safe.
 */
final class SystemNames implements Names {
  private static final int THREADS = 8;
  private static final int HOSTS_MAX = 1000;
  private static final long IDLE_SECONDS = 10;
  private static final long PATIENCE_SECONDS = 10;
  private static final long REMEMBERED_NANOS = Duration.ofSeconds(5).toNanos();

  private record Known(List<InetAddress> addresses, long atNanos) {}

  private final Time time;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
      THREADS,
      THREADS,
      IDLE_SECONDS,
      TimeUnit.SECONDS,
      new LinkedBlockingQueue<>(),
      Thread.ofPlatform().daemon().name("belfry-names-", 1).factory());

  SystemNames(Time time) {
    this.time = time;
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public List<InetAddress> find(String host) throws UnknownHostException, InterruptedException {
    Known last = known.get(host);
    if (last != null && time.nanos() - last.atNanos < REMEMBERED_NANOS) {
      return last.addresses;
    }
    List<InetAddress> addresses = ask(host);
    if (known.size() >= HOSTS_MAX) {
      known.clear(); // only a memory: whoever is missed is asked about again
    }
    known.put(host, new Known(addresses, time.nanos()));
    return addresses;
  }

  private List<InetAddress> ask(String host) throws UnknownHostException, InterruptedException {
    Future<InetAddress[]> asked = threads.submit(() -> InetAddress.getAllByName(host));
    try {
      return List.of(asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      asked.cancel(false);
      throw new UnknownHostException(host + " (nobody answered within " + PATIENCE_SECONDS + " s)");
    } catch (InterruptedException e) {
      asked.cancel(false); // one that still waits for a thread need not be asked
      throw e;
    } catch (ExecutionException e) {
      var failed = new UnknownHostException(host);
      failed.initCause(e.getCause());
      throw failed;
    }
  }
}
