package io.belfry.tests.witness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.loop.Loop;
import io.belfry.model.time.Time;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Notes when a loop does not come to its next step for longer than a second, with what its thread was doing.
 *
 * <p>Only what the machine did to it counts as a stall: the thread could run, and got less than half of the time. It was waiting for a core, or
 * for a disk while the JVM loaded a class or the process wrote its log. A loop that computes for so long, or waits for a lock or an answer, is
 * a defect of the core: it is noted, and excuses nothing.
 *
 * <p>Threading: watches on a thread of its own.
 */
final class LoopStalls {
  static final String FILE = "loop-stalls";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long PAUSE_NANOS = Duration.ofMillis(200).toNanos();
  private static final long LONG_NANOS = Duration.ofSeconds(1).toNanos();

  private final Time time = Time.system();
  private final String name;
  private final Loop loop;
  private final Thread thread;
  private final Stalls stalls;

  private LoopStalls(String name, Loop loop, Thread thread, Stalls stalls) {
    this.name = name;
    this.loop = loop;
    this.thread = thread;
    this.stalls = stalls;
  }

  static void watch(String name, Loop loop, Stalls stalls) {
    loop.post(() -> {
      var watch = new LoopStalls(name, loop, Thread.currentThread(), stalls);
      Thread.ofPlatform().daemon().name("watch-" + name).start(watch::run);
    });
  }

  private void run() {
    try {
      while (true) {
        LockSupport.parkNanos(PAUSE_NANOS);
        ask();
      }
    } catch (InterruptedException | IOException e) {
      System.err.println("the loop " + name + " is not watched any more: " + e);
    }
  }

  private void ask() throws InterruptedException, IOException {
    var reached = new CountDownLatch(1);
    long asked = time.nanos();
    long usedBefore = THREADS.getThreadCpuTime(thread.threadId());
    loop.post(reached::countDown);
    if (reached.await(LONG_NANOS, TimeUnit.NANOSECONDS)) {
      return;
    }
    Thread.State state = thread.getState();
    StackTraceElement[] stack = thread.getStackTrace();
    reached.await();
    long took = time.nanos() - asked;
    long used = THREADS.getThreadCpuTime(thread.threadId()) - usedBefore;
    boolean starved = state == Thread.State.RUNNABLE && used < took / 2;
    if (starved) {
      stalls.note(asked);
    }
    Files.writeString(
        Path.of(FILE),
        "%s the loop %s stood still for %d ms, was %s and used %d ms: %s%n%s%n"
            .formatted(
                time.wall(),
                name,
                took / 1_000_000,
                state,
                used / 1_000_000,
                starved ? "a stall" : "no excuse",
                Arrays.stream(stack)
                    .map(frame -> "    at " + frame)
                    .collect(Collectors.joining("\n"))),
        UTF_8,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
