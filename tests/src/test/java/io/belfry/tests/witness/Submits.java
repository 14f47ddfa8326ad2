package io.belfry.tests.witness;

import io.belfry.tests.cluster.Rest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Somebody who submits tasks over REST all through a run, each under a key of its own, and repeats what was not acknowledged.
 *
 * <p>Threading: one thread submits; the counts are behind one lock.
 */
final class Submits implements AutoCloseable {
  private static final int PAUSE_MILLIS = 100;
  private static final String TASK =
      "{\"executor\": {\"type\": \"local\", \"handler\": \"ledger\"}, \"timeout\": \"30s\"}";

  private final ServerDesk desk;
  private final CountDownLatch over = new CountDownLatch(1);
  private final Map<String, String> acknowledged = new LinkedHashMap<>();
  private final List<String> open = new ArrayList<>();
  private final Map<Integer, Integer> refusals = new LinkedHashMap<>();
  private final Thread thread;
  private int asked;

  Submits(ServerDesk desk) {
    this.desk = desk;
    this.thread = Thread.ofPlatform().daemon().name("submits").start(this::submit);
  }

  private void submit() {
    try {
      while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        open.add("submit-" + next());
        tryOpen();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized int next() {
    return ++asked;
  }

  private void tryOpen() {
    for (String key : List.copyOf(open)) {
      Optional<Rest.Reply> reply =
          desk.ask("POST", ServerDesk.NS + "/tasks", TASK, "Idempotency-Key", key);
      synchronized (this) {
        if (reply.isPresent() && reply.get().isFine()) {
          acknowledged.put(key, reply.get().body().path("id").asString());
          open.remove(key);
        } else {
          refusals.merge(reply.map(Rest.Reply::status).orElse(0), 1, Integer::sum);
          return;
        }
      }
    }
  }

  synchronized Set<String> acknowledged() {
    return Set.copyOf(acknowledged.values());
  }

  /** Ends it; returns once nothing more is submitted. */
  void end() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized String text() {
    return "submits %,d · acknowledged %,d · not answered or refused, and repeated %s%n"
        .formatted(asked, acknowledged.size(), refusals);
  }

  @Override
  public void close() {
    end();
  }
}
