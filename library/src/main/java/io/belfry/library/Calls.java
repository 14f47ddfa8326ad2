package io.belfry.library;

import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
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
 * Lets a caller wait for an answer of the store or a loop, within a limit, and only as long as there is somebody to give it.
 *
 * <p>Threading: safe.
 */
final class Calls {
  private final Duration limit;
  private final Time time;
  private final Supplier<Optional<EngineHealth.Outage>> away;
  private volatile Optional<Throwable> broken = Optional.empty();
  private volatile boolean closed;
  private final LongAdder passedOver = new LongAdder();

  /**
   * Calls that may last so long.
   *
   * @param away whether the engine is known to accept no writes, and why
   */
  Calls(Duration limit, Time time, Supplier<Optional<EngineHealth.Outage>> away) {
    this.limit = limit;
    this.time = time;
    this.away = away;
  }

  void close() {
    closed = true;
  }

  void broke(Throwable cause) {
    broken = Optional.of(cause);
  }

  /** There is somebody again who answers. */
  void mended() {
    broken = Optional.empty();
  }

  Optional<Throwable> broken() {
    return broken;
  }

  void requireOpen() {
    if (closed) {
      throw new StoreException.Closed();
    }
    broken.ifPresent(cause -> {
      throw restarting(cause);
    });
  }

  /** Refuses a change at once while the engine is known to accept none, instead of after {@code callTimeout}. */
  void requireWritable() {
    requireOpen();
    away.get().ifPresent(outage -> {
      throw new StoreException.Unavailable(
          "The engine has accepted no writes for " + outage.lasted().toSeconds() + " s ("
              + outage.cause() + "), so this was not tried. Ask again later.",
          null);
    });
  }

  /** What one of many records says; empty if it cannot be read, which is counted: it must not keep the others from being read. */
  <T> Optional<T> legible(Entry entry, Function<byte[], T> decode) {
    Optional<T> said = Legible.read(entry, each -> decode.apply(each.value()));
    if (said.isEmpty()) {
      passedOver.increment();
    }
    return said;
  }

  /** How often a record could not be read. */
  long passedOver() {
    return passedOver.sum();
  }

  /** Waits for something that changes nothing. */
  <T> T read(Supplier<CompletionStage<T>> question) {
    return begin().read(question);
  }

  /** Waits for something that changes the store. */
  <T> T write(Supplier<CompletionStage<T>> question) {
    return begin().write(question);
  }

  /** For a call that asks several things: it waits for all of them together no longer than for one. */
  Span begin() {
    return new Span(time.nanos());
  }

  private StoreException unavailable(Throwable cause) {
    return new StoreException.Unavailable(
        "The store must answer within callTimeout (" + limit
            + "), but did not. Ask again later, or raise callTimeout if there is that much to read.",
        cause);
  }

  private StoreException unknown(Throwable cause) {
    return new StoreException.Unknown(
        "The store must answer within callTimeout (" + limit
            + "), but did not: what was asked may still happen. Ask for the outcome, or ask again with the same id or key.",
        cause);
  }

  private static StoreException restarting(Throwable cause) {
    return new StoreException.Unavailable(
        "This node starts deciding anew, because a step of it threw (" + cause
            + "): nothing was done. Ask again in a moment, or ask another node.",
        cause);
  }

  private interface Late {
    StoreException of(Throwable cause);
  }

  /** The time that one call has. Threading: confined to its caller. */
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

    /** Waits for a change that was sent before. What is known by the end of the span is told even after it. */
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
        // What was waiting when a part broke was told that it is closed; but it is made anew.
        throw why instanceof StoreException.Closed && !closed ? restarting(why) : why;
      }
    }

    /** Asks something that only a step of the loop may look at. */
    <T> T ask(Loop loop, Supplier<T> question) {
      return read(() -> {
        var answer = new CompletableFuture<T>();
        loop.post(() -> answer.complete(question.get()));
        return answer;
      });
    }

    /** All that can be read of a space, page by page. */
    <T> void scan(Store store, Space space, Function<byte[], T> decode, BiConsumer<Key, T> each) {
      Optional<Scan> next = Optional.of(Scan.all(space));
      while (next.isPresent()) {
        Scan scan = next.get();
        Page page = read(() -> store.scan(scan));
        page.entries()
            .forEach(
                entry -> legible(entry, decode).ifPresent(said -> each.accept(entry.key(), said)));
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
        : new IllegalStateException("a store fails with exceptions of its own only", cause);
  }

  /** Asks something that only a step of the loop may look at. */
  <T> T ask(Loop loop, Supplier<T> question) {
    return begin().ask(loop, question);
  }
}
