package io.belfry.executors;

import io.belfry.core.execute.AttemptContext;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Payload;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** An attempt as a worker would hand it over. Of its log, the first lines are kept. */
public final class TestAttempt implements AttemptContext {
  private static final int LINES_MAX = 1000;
  private static final Instant SCHEDULED = Instant.parse("2027-01-01T23:30:00Z");
  private static final TaskId TASK = TaskId.fire(new JobId("nightly"), SCHEDULED);

  private final ExecutorSpec executor;
  private final Payload payload;
  private final Map<String, String> metadata;
  private final Duration timeout;
  private final long token;
  private final List<String> log = new CopyOnWriteArrayList<>();
  private final AtomicLong lines = new AtomicLong();

  private TestAttempt(
      ExecutorSpec executor,
      Payload payload,
      Map<String, String> metadata,
      Duration timeout,
      long token) {
    this.executor = executor;
    this.payload = payload;
    this.metadata = metadata;
    this.timeout = timeout;
    this.token = token;
  }

  public static TestAttempt of(ExecutorSpec executor) {
    return new TestAttempt(executor, Payload.EMPTY, Map.of(), Duration.ofMinutes(2), 4711);
  }

  public TestAttempt payload(String json) {
    return payload(Payload.json(json));
  }

  public TestAttempt payload(Payload its) {
    return new TestAttempt(executor, its, metadata, timeout, token);
  }

  public TestAttempt metadata(Map<String, String> its) {
    return new TestAttempt(executor, payload, its, timeout, token);
  }

  public TestAttempt timeout(Duration its) {
    return new TestAttempt(executor, payload, metadata, its, token);
  }

  public TestAttempt token(long its) {
    return new TestAttempt(executor, payload, metadata, timeout, its);
  }

  public List<String> logged() {
    return List.copyOf(log);
  }

  public long lines() {
    return lines.get();
  }

  @Override
  public TaskId task() {
    return TASK;
  }

  @Override
  public Optional<JobId> job() {
    return task().jobId();
  }

  @Override
  public int number() {
    return 2;
  }

  @Override
  public Token token() {
    return new Token(token);
  }

  @Override
  public String idempotencyKey() {
    return "order-17";
  }

  @Override
  public Instant scheduled() {
    return SCHEDULED;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public ExecutorSpec executor() {
    return executor;
  }

  @Override
  public Payload payload() {
    return payload;
  }

  @Override
  public Map<String, String> metadata() {
    return metadata;
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void log(String line) {
    if (lines.incrementAndGet() <= LINES_MAX) {
      log.add(line);
    }
  }

  @Override
  public void progress(double fraction, String message) {
    log("progress " + fraction + " " + message);
  }
}
