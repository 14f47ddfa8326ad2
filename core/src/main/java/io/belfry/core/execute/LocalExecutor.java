package io.belfry.core.execute;

import io.belfry.model.Check;
import io.belfry.model.task.Result;
import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls a Java function of this process by its name.
 *
 * <p>A process that restarts may receive tasks before it has registered their handlers. So for a grace period after its start an
 * attempt waits for its handler, and is rejected only after that.
 *
 * <p>Threading: safe.
 */
public final class LocalExecutor implements Executor {
  public static final String TYPE = "local";
  /** The executor setting that names the handler. */
  public static final String HANDLER = "handler";

  private static final int NAME_CHARS_MAX = 200;
  private static final int SHOWN_MAX = 20;

  /** A function that runs attempts. */
  @FunctionalInterface
  public interface Handler {
    Result handle(AttemptContext attempt) throws Exception;
  }

  private final Time time;
  private final long waitsUntil;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition registered = lock.newCondition();
  private final TreeMap<String, Handler> handlers = new TreeMap<>();
  private @Nullable Handler otherwise;

  /**
   * An executor without handlers.
   *
   * @param grace how long from now on attempts wait for their handlers
   */
  public LocalExecutor(Time time, Duration grace) {
    this.time = time;
    this.waitsUntil = time.nanos() + grace.toNanos();
  }

  @Override
  public String type() {
    return TYPE;
  }

  /** Registers a handler, or replaces the one with the same name. */
  public void handle(String name, Handler handler) {
    Check.text("handler", name, NAME_CHARS_MAX);
    lock.lock();
    try {
      handlers.put(name, handler);
      registered.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Registers the handler for tasks that name none. */
  public void handleDefault(Handler handler) {
    lock.lock();
    try {
      otherwise = handler;
      registered.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Result execute(AttemptContext attempt) throws Exception {
    Object named = attempt.executor().settings().get(HANDLER);
    String name = named == null ? "" : named.toString();
    Handler handler = await(name);
    if (handler == null) {
      throw AttemptException.rejected(missing(name));
    }
    return handler.handle(attempt);
  }

  private @Nullable Handler await(String name) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Handler found = find(name);
      long left = waitsUntil - time.nanos();
      while (found == null && left > 0) {
        left = registered.awaitNanos(left);
        found = find(name);
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Handler find(String name) {
    return name.isEmpty() ? otherwise : handlers.get(name);
  }

  private String missing(String name) {
    List<String> known = known();
    String there = known.isEmpty() ? "none" : String.join(", ", known);
    return name.isEmpty()
        ? "executor.handler must be given, because this worker has no default handler, but was not."
            + " Name one of its handlers (" + there + "), or register a default."
        : "executor.handler must be a handler of this worker (" + there + "), but was \""
            + Check.clip(name, NAME_CHARS_MAX)
            + "\". Register it on every worker that serves the task's queue, or correct the name.";
  }

  private List<String> known() {
    lock.lock();
    try {
      return handlers.keySet().stream().limit(SHOWN_MAX).toList();
    } finally {
      lock.unlock();
    }
  }
}
