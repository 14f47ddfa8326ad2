package io.belfry.core.work;

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
 * Tells where the time of a slow renewal went: in the engine, or in this process, which did not read the answer. Without that, nobody can say
 * afterward why a worker stopped its attempts.
 *
 * <p>Threading: confined to its loop; stages complete on any thread.
 */
final class Renewals {
  private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

  private record Answer(boolean alive, long atNanos) {}

  private final Loop loop;
  private final String worker;
  private final Duration slow;
  private final LogLimiter limiter;
  /** When those were sent that have not been answered, the oldest first; each is answered by its deadline. */
  private final Deque<Long> unanswered = new ArrayDeque<>();

  /**
   * None has been sent.
   *
   * @param slow a renewal that takes longer than this is logged
   */
  Renewals(Loop loop, String worker, Duration slow) {
    this.loop = loop;
    this.worker = worker;
    this.slow = slow;
    this.limiter = LogLimiter.everyMinute(loop.time());
  }

  /** Hears the answer of a renewal that was sent just now as a step of the loop. */
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

  /** What is known of renewals, for a worker whose trust in its lease has ended. */
  String state(long newestAnsweredSent) {
    String answered = "the newest renewal that was answered was sent "
        + duration(loop.time().nanos() - newestAnsweredSent) + " ago";
    Long oldest = unanswered.peekFirst();
    return answered
        + (oldest == null
            ? " and none is under way"
            : " and the engine has not answered the one sent "
                + duration(loop.time().nanos() - oldest) + " ago");
  }

  private static String duration(long nanos) {
    return Duration.ofNanos(nanos).toMillis() + " ms";
  }
}
