package io.belfry.store.etcd;

import io.belfry.model.time.Time;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.FastThreadLocalThread;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one store: two for the wire, one that calls watchers, one for time, one that looks up hosts.
 *
 * <p>Threading: safe.
 */
final class Threads {
  /** For the connections, and again for the threads. */
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private static final int IO_THREADS = 2;

  private final Set<Thread> all = ConcurrentHashMap.newKeySet();
  private final EventLoopGroup io =
      new MultiThreadIoEventLoopGroup(IO_THREADS, named("io"), NioIoHandler.newFactory());
  private final ScheduledThreadPoolExecutor watch = single("watch");
  private final ScheduledThreadPoolExecutor timer = single("timer");
  private final ScheduledThreadPoolExecutor resolver = single("resolver");

  EventLoopGroup io() {
    return io;
  }

  ScheduledExecutorService watch() {
    return watch;
  }

  ScheduledExecutorService timer() {
    return timer;
  }

  /** Looks up hosts, which blocks for as long as the name server likes. */
  ScheduledExecutorService resolver() {
    return resolver;
  }

  List<Thread> running() {
    return all.stream().filter(Thread::isAlive).toList();
  }

  /** They inherit nothing: whoever needs one first may be code of an attempt. Netty's own threads cannot be made so. */
  private ThreadFactory named(String what) {
    return task -> {
      Thread thread = Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("belfry-etcd-" + what)
          .unstarted(() -> FastThreadLocalThread.runWithFastThreadLocal(task));
      all.add(thread);
      return thread;
    };
  }

  /** What is handed over after the end is dropped: nobody waits for it any more. */
  private ScheduledThreadPoolExecutor single(String name) {
    var executor =
        new ScheduledThreadPoolExecutor(1, named(name), new ThreadPoolExecutor.DiscardPolicy());
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  /** Ends the connections, then the threads they need. Waits for that for a while: a look-up of a host cannot be interrupted. */
  void close(Time time, Link... links) {
    long end = time.nanos() + PATIENCE.toNanos();
    timer.shutdown();
    resolver.shutdownNow();
    for (Link link : links) {
      link.close();
    }
    boolean ours = all.contains(Thread.currentThread());
    try {
      for (Link link : links) {
        if (!ours) {
          link.awaitClosed(time, end);
        }
      }
      watch.shutdown();
      var unused = io.shutdownGracefully(0, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
      if (!ours) {
        joinAll(time, time.nanos() + PATIENCE.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void joinAll(Time time, long end) throws InterruptedException {
    for (Thread each : all) {
      long left = end - time.nanos();
      if (left > 0 && each.isAlive()) {
        TimeUnit.NANOSECONDS.timedJoin(each, left);
      }
    }
  }
}
