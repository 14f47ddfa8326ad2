package io.belfry.model.job;

import io.belfry.model.Check;
import io.belfry.model.retry.RetryPolicy;
import java.time.Duration;
import java.util.Map;

/**
 * What to execute and how: the part that jobs and one-off tasks have in common.
 *
 * @param name for display
 * @param timeout of one attempt
 * @param atMostOnce the code is started at most once: it is not retried and, once started, not rescued
 * @param workers labels that a worker must have
 */
public record Work(
    String name,
    ExecutorSpec executor,
    Payload payload,
    Duration timeout,
    RetryPolicy retry,
    boolean atMostOnce,
    String queue,
    Map<String, String> workers,
    Limit limit,
    Map<String, String> metadata) {

  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
  public static final String DEFAULT_QUEUE = "default";

  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(30);
  private static final int NAME_CHARS_MAX = 200;
  private static final int QUEUE_CHARS_MAX = 64;

  public Work {
    Check.text("name", name, NAME_CHARS_MAX);
    Check.between("timeout", timeout, SHORTEST_TIMEOUT, LONGEST_TIMEOUT, "every attempt must end");
    Check.that(
        !atMostOnce || retry.max() == 0,
        "retry.max",
        retry.max(),
        "must be 0 with atMostOnce, because a retry starts the code a second time",
        "Remove retry, or set atMostOnce to false.");
    Check.name("queue", queue, QUEUE_CHARS_MAX);
    workers = Check.labels("workers", workers);
    metadata = Check.labels("metadata", metadata);
  }

  /** With defaults for everything else. */
  public static Work of(String name, ExecutorSpec executor) {
    return new Work(
        name,
        executor,
        Payload.EMPTY,
        DEFAULT_TIMEOUT,
        RetryPolicy.DEFAULT,
        false,
        DEFAULT_QUEUE,
        Map.of(),
        Limit.NONE,
        Map.of());
  }

  public Work withPayload(Payload to) {
    return new Work(
        name, executor, to, timeout, retry, atMostOnce, queue, workers, limit, metadata);
  }

  public Work withTimeout(Duration to) {
    return new Work(
        name, executor, payload, to, retry, atMostOnce, queue, workers, limit, metadata);
  }

  public Work withRetry(RetryPolicy to) {
    return new Work(
        name, executor, payload, timeout, to, atMostOnce, queue, workers, limit, metadata);
  }

  /** At most once. Also disables retries, which would start the code again. */
  public Work onlyOnce() {
    return new Work(
        name, executor, payload, timeout, retry.withMax(0), true, queue, workers, limit, metadata);
  }

  public Work withQueue(String to) {
    return new Work(
        name, executor, payload, timeout, retry, atMostOnce, to, workers, limit, metadata);
  }

  public Work withWorkers(Map<String, String> to) {
    return new Work(
        name, executor, payload, timeout, retry, atMostOnce, queue, to, limit, metadata);
  }

  public Work withLimit(Limit to) {
    return new Work(
        name, executor, payload, timeout, retry, atMostOnce, queue, workers, to, metadata);
  }

  public Work withMetadata(Map<String, String> to) {
    return new Work(name, executor, payload, timeout, retry, atMostOnce, queue, workers, limit, to);
  }
}
