package io.belfry.tests.cluster;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Callers that submit batches of large tasks one after the other, until told to stop. Threading: safe; one thread for each. */
final class BatchCallers implements AutoCloseable {
  private static final int CALLERS = 8;
  private static final int BATCH_MAX = 8;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int PAYLOAD_MIN = 20 << 10;
  private static final int PAYLOAD_MAX = 63 << 10;

  private final Rest rest;
  private final String url;
  private final String service;
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicLong refused = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  BatchCallers(Rest rest, String url, String service, long seed) {
    this.rest = rest;
    this.url = url;
    this.service = service;
    for (int i = 0; i < CALLERS; i++) {
      var random = new SplittableRandom(seed + i);
      int caller = i;
      threads.add(Thread.ofVirtual().name("caller-" + i).start(() -> run(caller, random)));
    }
  }

  private void run(int caller, SplittableRandom random) {
    for (int round = 0; !stopped; round++) {
      ArrayNode batch = Rest.JSON.createArrayNode();
      int size = random.nextInt(1, BATCH_MAX + 1);
      for (int i = 0; i < size; i++) {
        batch.add(task("s-" + caller + "-" + round + "-" + i, random));
      }
      Rest.Reply reply = rest.post(url + Rest.NS + "/tasks", batch.toString());
      if (reply.isFine()) {
        reply.body().path("results").forEach(each -> {
          if (each.path("outcome").asString().equals("accepted")) {
            acknowledged.add(each.path("id").asString());
          } else {
            refused.incrementAndGet();
          }
        });
      } else {
        refused.addAndGet(size);
        LockSupport.parkNanos(PAUSE.toNanos()); // as it is asked to, by Retry-After
      }
    }
  }

  private ObjectNode task(String id, SplittableRandom random) {
    byte[] letters = new byte[random.nextInt(PAYLOAD_MIN, PAYLOAD_MAX)];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (byte) ('a' + random.nextInt(26));
    }
    ObjectNode task = Rest.JSON.createObjectNode().put("id", id);
    task.putObject("executor").put("type", "http").put("method", "POST").put("url", service);
    task.putObject("payload").put("text", new String(letters, StandardCharsets.US_ASCII));
    task.putObject("retry").put("max", 5).put("delay", "1s");
    return task;
  }

  List<String> acknowledged() {
    return List.copyOf(acknowledged);
  }

  long refused() {
    return refused.get();
  }

  /** Returns once each has its last answer. */
  @Override
  public void close() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        if (!thread.join(Duration.ofSeconds(30))) {
          throw new IllegalStateException(thread.getName() + " got no answer within 30 s.");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the run was interrupted", e);
      }
    }
  }
}
