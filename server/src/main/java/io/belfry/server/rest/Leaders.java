package io.belfry.server.rest;

import io.belfry.model.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Whether each namespace has a leader, asked of the engine in the background at most once a second, and only while somebody wants to know.
 * Nobody waits for an engine that does not answer: what was last learned is served, until it is too old to mean anything.
 *
 * <p>Threading: safe.
 */
final class Leaders {
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration TOO_OLD = Duration.ofSeconds(3);
  /** An engine that is well answers within this; nobody waits for longer. */
  private static final Duration PATIENCE = Duration.ofMillis(300);

  /** So long the first election of a namespace may take before it counts as missing. */
  private static final Duration FIRST_ELECTION = Duration.ofSeconds(10);

  enum Seen {
    LED,
    /** The namespace was opened a moment ago, and has had no leader yet. */
    STARTING,
    NOT_LED,
    /** The engine has not answered for a while. */
    NOT_KNOWN
  }

  /** What is known of one namespace. */
  private static final class Known {
    private final long since;
    private boolean everLed;
    private boolean led;
    private boolean answered;
    private long answeredNanos;
    private long askedNanos;
    private long questions;
    private CompletableFuture<Boolean> asked = CompletableFuture.completedFuture(false);

    Known(long since) {
      this.since = since;
    }
  }

  private final Time time;
  private final Function<String, CompletionStage<Boolean>> engine;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /**
   * Nothing is known yet.
   *
   * @param engine asks whether the namespace has a leader
   */
  Leaders(Time time, Function<String, CompletionStage<Boolean>> engine) {
    this.time = time;
    this.engine = engine;
  }

  /** Begins to ask for what is not fresh. */
  void refresh(Set<String> namespaces) {
    known.keySet().retainAll(namespaces);
    namespaces.forEach(name -> {
      Known each = known.computeIfAbsent(name, key -> new Known(time.nanos()));
      synchronized (each) {
        long now = time.nanos();
        boolean fresh = each.answered && now - each.answeredNanos < FRESH.toNanos();
        // A question that got lost is asked again: no answer is worth more than a newer one.
        boolean asking = !each.asked.isDone() && now - each.askedNanos < TOO_OLD.toNanos();
        if (!fresh && !asking) {
          ask(each, name, now);
        }
      }
    });
  }

  private void ask(Known each, String namespace, long now) {
    each.askedNanos = now;
    long number = ++each.questions;
    each.asked = question(namespace);
    var unused = each.asked.whenComplete((led, thrown) -> {
      synchronized (each) {
        // The answer to a question that was given up says how things were then.
        if (thrown == null && each.questions == number) {
          each.led = led;
          each.everLed |= led;
          each.answered = true;
          each.answeredNanos = time.nanos();
        }
      }
    });
  }

  /** A namespace that is being closed may refuse the question itself: that is no answer, and the others are still asked. */
  private CompletableFuture<Boolean> question(String namespace) {
    try {
      return engine.apply(namespace).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** What is known; waits a moment for the first answer, or for the first one after a while in which nobody asked. */
  Seen of(String namespace) {
    Known each = known.get(namespace);
    if (each == null) {
      return Seen.NOT_KNOWN;
    }
    CompletableFuture<Boolean> asked;
    long left;
    synchronized (each) {
      if (isValid(each)) {
        return seen(each);
      }
      asked = each.asked;
      left = PATIENCE.toNanos() - (time.nanos() - each.askedNanos);
    }
    await(asked, left);
    synchronized (each) {
      return isValid(each) ? seen(each) : Seen.NOT_KNOWN;
    }
  }

  private Seen seen(Known each) {
    if (each.led) {
      return Seen.LED;
    }
    boolean starting = !each.everLed && time.nanos() - each.since < FIRST_ELECTION.toNanos();
    return starting ? Seen.STARTING : Seen.NOT_LED;
  }

  private boolean isValid(Known each) {
    return each.answered && time.nanos() - each.answeredNanos < TOO_OLD.toNanos();
  }

  private static void await(CompletableFuture<Boolean> asked, long nanos) {
    try {
      var unused = asked.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return; // it is not known then, which is what the caller will see
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
