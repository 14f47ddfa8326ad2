package io.belfry.library;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.SafeDecoder;
import io.belfry.model.time.Time;
import io.belfry.store.EngineHealth;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs calls of the public API: waits for the store or a loop within {@code callTimeout}, and fails at once if the node is closed or restarting.
 *
 * <p>Threading: safe.
 */
final class Calls {
  private final Duration limit;
  private final Time time;
  private final Supplier<Optional<EngineHealth.Outage>> outage;
  private volatile Optional<Throwable> failure = Optional.empty();
  private volatile boolean closed;
  private final LongAdder unreadable = new LongAdder();

  /**
   * Creates the calls.
   *
   * @param limit maximum time of a call
   * @param outage the current outage, if the engine is known to accept no writes
   */
  Calls(Duration limit, Time time, Supplier<Optional<EngineHealth.Outage>> outage) {
    this.limit = limit;
    this.time = time;
    this.outage = outage;
  }

  void close() {
    closed = true;
  }

  /** The scheduler part failed; calls are refused until it has been replaced. */
  void failed(Throwable cause) {
    failure = Optional.of(cause);
  }

  /** The scheduler part has been replaced. */
  void recovered() {
    failure = Optional.empty();
  }

  Optional<Throwable> failure() {
    return failure;
  }

  void requireOpen() {
    if (closed) {
      throw new StoreException.Closed();
    }
    failure.ifPresent(cause -> {
      throw restarting(cause);
    });
  }

  /** Refuses a change at once during a known outage of the engine, instead of after {@code callTimeout}. */
  void requireWritable() {
    requireOpen();
    outage.get().ifPresent(known -> {
      throw new StoreException.Unavailable(
          "The engine has accepted no writes for " + known.lasted().toSeconds() + " s ("
              + known.cause() + "), so the change was not attempted. Try again later.",
          null);
    });
  }

  /** Decodes one of many records; empty if it cannot be read, which is counted. One bad record must not hide the others. */
  <T> Optional<T> decoded(Entry entry, Function<byte[], T> decode) {
    Optional<T> record = SafeDecoder.read(entry, each -> decode.apply(each.value()));
    if (record.isEmpty()) {
      unreadable.increment();
    }
    return record;
  }

  /** How many times a record could not be read. */
  long unreadable() {
    return unreadable.sum();
  }

  /** Runs a read and waits for it. */
  <T> T read(Supplier<CompletionStage<T>> question) {
    return begin().read(question);
  }

  /** Runs a change and waits for it. */
  <T> T write(Supplier<CompletionStage<T>> question) {
    return begin().write(question);
  }

  /** Starts a call of several requests that share one deadline. */
  Span begin() {
    return new Span(time.nanos());
  }

  private StoreException unavailable(Throwable cause) {
    return new StoreException.Unavailable(
        "The store must answer within callTimeout (" + limit
            + "), but did not. Try again later, or raise callTimeout if the call reads much data.",
        cause);
  }

  private StoreException unknown(Throwable cause) {
    return new StoreException.Unknown(
        "The store must answer within callTimeout (" + limit
            + "), but did not: the change may still take effect. Check the outcome, or repeat the call with the same id or key.",
        cause);
  }

  private static StoreException restarting(Throwable cause) {
    return new StoreException.Unavailable(
        "This node is restarting its scheduler after an unexpected error (" + cause
            + "): nothing was changed. Try again in a moment, or use another node.",
        cause);
  }

  private interface Late {
    StoreException of(Throwable cause);
  }

  /** One call with its deadline. Threading: confined to its caller. */
  final class Span {
    private final long begun;

    private Span(long begun) {
      this.begun = begun;
    }

    <T> T read(Supplier<CompletionStage<T>> question) {
      requireOpen();
      return await(question.get(), Calls.this::unavailable);
    }

    <T> T write(Supplier<CompletionStage<T>> question) {
      requireWritable();
      return await(question.get(), Calls.this::unknown);
    }

    /** Waits for a change that was already sent. A result that arrived by the deadline is returned even after it. */
    <T> T written(CompletionStage<T> sent) {
      return await(sent, Calls.this::unknown);
    }

    private <T> T await(CompletionStage<T> answer, Late late) {
      long left = limit.toNanos() - (time.nanos() - begun);
      try {
        return answer.toCompletableFuture().get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw late.of(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw late.of(e);
      } catch (ExecutionException e) {
        RuntimeException why = unwrapped(e);
        // A part that failed closes its pending requests; but it is being replaced, and the node is
        // not closed.
        throw why instanceof StoreException.Closed && !closed ? restarting(why) : why;
      }
    }

    /** Runs a question on the loop, for state that is confined to it. */
    <T> T ask(Loop loop, Supplier<T> question) {
      return read(() -> {
        var answer = new CompletableFuture<T>();
        loop.post(() -> answer.complete(question.get()));
        return answer;
      });
    }

    /** Reads all readable records of a space, page by page. */
    <T> void scan(Store store, Space space, Function<byte[], T> decode, BiConsumer<Key, T> each) {
      Optional<Scan> next = Optional.of(Scan.all(space));
      while (next.isPresent()) {
        Scan scan = next.get();
        Page page = read(() -> store.scan(scan));
        page.entries()
            .forEach(entry ->
                decoded(entry, decode).ifPresent(record -> each.accept(entry.key(), record)));
        next = page.next();
      }
    }
  }

  static RuntimeException unwrapped(ExecutionException e) {
    Throwable cause = e.getCause();
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known
        ? known
        : new IllegalStateException("a store must fail with a StoreException", cause);
  }

  /** Runs a question on the loop, for state that is confined to it. */
  <T> T ask(Loop loop, Supplier<T> question) {
    return begin().ask(loop, question);
  }
}
