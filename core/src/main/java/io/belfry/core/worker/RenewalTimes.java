package io.belfry.core.worker;

import io.belfry.core.loop.Loop;
import io.belfry.store.LogLimiter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs where the time of a slow renewal was spent: in the engine, or in this process before it read the answer. Without it, it is
 * impossible to find out afterward why a worker stopped its attempts.
 *
 * <p>Threading: confined to its loop; stages complete on any thread.
 */
final class RenewalTimes {
  private static final Logger LOG = LoggerFactory.getLogger(RenewalTimes.class);

  private record Answer(boolean alive, long atNanos) {}

  private final Loop loop;
  private final String worker;
  private final Duration slow;
  private final LogLimiter limiter;
  /** When the unanswered renewals were sent, oldest first; each is answered by its deadline. */
  private final Deque<Long> unanswered = new ArrayDeque<>();

  /**
   * Without any renewal yet.
   *
   * @param slow a renewal that takes longer than this is logged
   */
  RenewalTimes(Loop loop, String worker, Duration slow) {
    this.loop = loop;
    this.worker = worker;
    this.slow = slow;
    this.limiter = LogLimiter.everyMinute(loop.time());
  }

  /** Handles the answer of a renewal that was just sent as a step of the loop. */
  void hear(
      long sentNanos,
      CompletionStage<Boolean> renewal,
      Consumer<Boolean> alive,
      Consumer<Throwable> failure) {
    unanswered.add(sentNanos);
    loop.onResult(
        renewal.thenApply(answer -> new Answer(answer, loop.time().nanos())),
        answer -> {
          unanswered.remove(sentNanos);
          answered(sentNanos, answer.atNanos);
          alive.accept(answer.alive);
        },
        thrown -> {
          unanswered.remove(sentNanos);
          failure.accept(thrown);
        });
  }

  private void answered(long sentNanos, long answeredNanos) {
    long now = loop.time().nanos();
    if (now - sentNanos > slow.toNanos()) {
      boolean unused = limiter.log(
          worker,
          more -> LOG.info(
              "Worker {}: renewing its lease took {}: {} until the engine answered, {} until this process read the answer.{}",
              worker,
              duration(now - sentNanos),
              duration(answeredNanos - sentNanos),
              duration(now - answeredNanos),
              more));
    }
  }

  /** The state of the renewals, for the log when a worker no longer trusts its lease. */
  String state(long newestAnsweredSent) {
    String answered = "the newest renewal that was answered was sent "
        + duration(loop.time().nanos() - newestAnsweredSent) + " ago";
    Long oldest = unanswered.peekFirst();
    return answered
        + (oldest == null
            ? " and none is in flight"
            : " and the engine has not answered the one sent "
                + duration(loop.time().nanos() - oldest) + " ago");
  }

  private static String duration(long nanos) {
    return Duration.ofNanos(nanos).toMillis() + " ms";
  }
}
