package io.belfry.tests.cluster;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Asks a server whether it is ready, several times a second, and notes what it said beside what was really done.
 *
 * <p>Threading: safe; one thread of its own.
 */
final class ReadyWatch implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(200);

  /**
   * One answer.
   *
   * @param ready what it said
   * @param took until it was there
   * @param done calls that the service had got by then
   */
  record Said(long atNanos, boolean ready, String body, Duration took, long done) {}

  private final Time time;
  private final Rest rest;
  private final String url;
  private final LongSupplier done;
  private final List<Said> said = new ArrayList<>();
  private final Thread thread;
  private volatile boolean stopped;

  ReadyWatch(Time time, Rest rest, String url, LongSupplier done) {
    this.time = time;
    this.rest = rest;
    this.url = url;
    this.done = done;
    this.thread = Thread.ofVirtual().name("ready-watch").start(this::run);
  }

  private void run() {
    while (!stopped) {
      long begun = time.nanos();
      Rest.Reply reply = rest.get(url + "/readyz");
      long now = time.nanos();
      synchronized (said) {
        said.add(new Said(
            now,
            reply.status() == 200,
            reply.body().toString(),
            Duration.ofNanos(now - begun),
            done.getAsLong()));
      }
      LockSupport.parkNanos(EVERY.toNanos());
    }
  }

  List<Said> all() {
    synchronized (said) {
      return List.copyOf(said);
    }
  }

  Said last() {
    synchronized (said) {
      return said.getLast();
    }
  }

  /** Answers "ready" in whose surroundings, so long before and after, nothing at all was done. */
  List<Said> untrue(Duration around) {
    List<Said> all = all();
    var untrue = new ArrayList<Said>();
    for (Said each : all) {
      long from = each.atNanos - around.toNanos();
      long to = each.atNanos + around.toNanos();
      boolean covered = all.getFirst().atNanos <= from && all.getLast().atNanos >= to;
      if (each.ready && covered && doneAt(all, from) == doneAt(all, to)) {
        untrue.add(each);
      }
    }
    return untrue;
  }

  private static long doneAt(List<Said> all, long nanos) {
    long done = 0;
    for (Said each : all) {
      if (each.atNanos <= nanos) {
        done = each.done;
      }
    }
    return done;
  }

  @Override
  public void close() {
    stopped = true;
    try {
      if (!thread.join(Duration.ofSeconds(30))) {
        throw new IllegalStateException("The readiness of the server got no answer within 30 s.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the run was interrupted", e);
    }
  }
}
