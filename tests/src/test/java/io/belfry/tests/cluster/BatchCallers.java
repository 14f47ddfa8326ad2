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
  /**
   * What one call submits.
   *
   * @param tasks at most so many, and at least {@code tasksMin}
   * @param payload at most so many characters, and at least {@code payloadMin}
   * @param pause from an answer to the next call
   */
  record Batch(int tasksMin, int tasks, int payloadMin, int payload, Duration pause) {
    /** The same each time: eight tasks of 20 KiB, nearly without a pause, so that several batches are always on their way. */
    static final Batch EVEN = new Batch(8, 8, 20 << 10, 20 << 10, Duration.ofMillis(20));
    /** One task to eight, of 1 KiB to 64 KiB, which is the most. */
    static final Batch MIXED = new Batch(1, 8, 1 << 10, (64 << 10) - 100, Duration.ofMillis(250));
  }

  private static final int CALLERS = 8;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Rest rest;
  private final String url;
  private final String service;
  private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
  private final AtomicLong refused = new AtomicLong();
  private final String letters;
  private final List<Thread> threads = new ArrayList<>();
  private volatile Batch batch = Batch.EVEN;
  private volatile boolean stopped;

  BatchCallers(Rest rest, String url, String service, long seed) {
    this.rest = rest;
    this.url = url;
    this.service = service;
    this.letters = letters(new SplittableRandom(seed));
    for (int i = 0; i < CALLERS; i++) {
      var random = new SplittableRandom(seed + i);
      int caller = i;
      threads.add(Thread.ofVirtual().name("caller-" + i).start(() -> run(caller, random)));
    }
  }

  /** Twice as many as a payload has at most, so that no two payloads are the same. */
  private static String letters(SplittableRandom random) {
    byte[] letters = new byte[128 << 10];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (byte) ('a' + random.nextInt(26));
    }
    return new String(letters, StandardCharsets.US_ASCII);
  }

  /** What is submitted from now on. */
  void submit(Batch from) {
    batch = from;
  }

  private void run(int caller, SplittableRandom random) {
    for (int round = 0; !stopped; round++) {
      Batch now = batch;
      ArrayNode tasks = Rest.JSON.createArrayNode();
      int size = random.nextInt(now.tasksMin, now.tasks + 1);
      for (int i = 0; i < size; i++) {
        int length = random.nextInt(now.payloadMin, now.payload + 1);
        tasks.add(task("s-" + caller + "-" + round + "-" + i, length, random));
      }
      Rest.Reply reply = rest.post(url + Rest.NS + "/tasks", tasks.toString());
      if (reply.isFine()) {
        reply.body().path("results").forEach(each -> {
          if (each.path("outcome").asString().equals("accepted")) {
            acknowledged.add(each.path("id").asString());
          } else {
            refused.incrementAndGet();
          }
        });
        LockSupport.parkNanos(now.pause.toNanos());
      } else {
        refused.addAndGet(size);
        LockSupport.parkNanos(PAUSE.toNanos()); // as it is asked to, by Retry-After
      }
    }
  }

  private ObjectNode task(String id, int length, SplittableRandom random) {
    int from = random.nextInt(letters.length() - length);
    ObjectNode task = Rest.JSON.createObjectNode().put("id", id);
    task.putObject("executor").put("type", "http").put("method", "POST").put("url", service);
    task.putObject("payload").put("text", letters.substring(from, from + length));
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
