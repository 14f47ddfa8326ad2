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

  /** The longest that an answer took. */
  Duration slowest() {
    return all().stream().map(Said::took).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** Answers "ready" that came when it had said so for longer than this, without a break, and nothing had been done in that time. */
  List<Said> untrue(Duration noticed) {
    var untrue = new ArrayList<Said>();
    List<Said> all = all();
    Said begin = all.getFirst();
    for (Said each : all) {
      if (!each.ready || !begin.ready || each.done != begin.done) {
        begin = each;
      } else if (each.atNanos - begin.atNanos > noticed.toNanos()) {
        untrue.add(each);
      }
    }
    return untrue;
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
