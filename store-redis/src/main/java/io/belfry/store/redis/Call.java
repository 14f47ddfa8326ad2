package io.belfry.store.redis;

import io.belfry.store.Committer;
import io.belfry.store.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A question on its way: waiting, asked, asked again, answered.
 *
 * <p>Threading: {@code perhapsDone} and {@code trouble} are written under the lock of the {@link CallQueue}, and read after it
 * by whoever took the call out; the future is safe.
 */
final class Call<T> {
  /** What may be done when the answer is lost. */
  enum Effect {
    /** Changes nothing: ask again. */
    READ,
    /** Twice is as good as once: ask again, but say unknown in the end. */
    REPEATABLE,
    /** Must not be asked again, nor take effect out of its turn. */
    ONCE
  }

  private final ScriptCall<T> question;
  private final Effect effect;
  private final @Nullable DataSetLife bound;
  private final long deadline;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private volatile boolean perhapsDone;
  private volatile String trouble = "no connection yet";

  Call(ScriptCall<T> question, Effect effect, @Nullable DataSetLife bound, long deadline) {
    this.question = question;
    this.effect = effect;
    this.bound = bound;
    this.deadline = deadline;
  }

  Scripts verb() {
    return question.verb();
  }

  void arguments(List<byte[]> into) {
    question.arguments(into);
  }

  /** Whether the question makes sense in this life of the data set only, and it is over. */
  boolean outlived(DataSetLife now) {
    return bound != null && !bound.sameLife(now);
  }

  boolean isOverdue(long now) {
    return now - deadline >= 0;
  }

  boolean mayBeAskedAgain() {
    return effect != Effect.ONCE;
  }

  /** Whether it must not take effect behind one that was asked after it. */
  boolean keepsOrder() {
    return effect == Effect.ONCE;
  }

  /** Whether an answer counts only when enough replicas have what it stands on. */
  boolean wantsAcknowledgement() {
    return switch (verb()) {
      case COMMIT, GET, SCAN, GRANT, RENEW, REVOKE, BARRIER, SWEEP -> true;
      case RIGHTS, HELLO, TAIL, WAKE, STATUS -> false;
    };
  }

  CompletableFuture<T> answer() {
    return answer;
  }

  /** It was not done: remembered for the case that time runs out. */
  void refused(String why) {
    trouble = why;
  }

  /** It may have been done. */
  void lost(String why) {
    trouble = why;
    perhapsDone = true;
  }

  void complete(List<?> reply) {
    T read;
    try {
      read = question.read(reply);
    } catch (Committer.PartlyDone e) {
      answer.completeExceptionally(e);
      return;
    } catch (RuntimeException | Error e) {
      // Whatever was thrown: the call is in no place any more, so that nobody else would complete
      // it.
      answer.completeExceptionally(new StoreException.Unknown(
          "The answer of the script " + verb() + " could not be read: do all nodes run the"
              + " same version?",
          e));
      return;
    }
    answer.complete(read);
  }

  void fail(StoreException cause) {
    answer.completeExceptionally(cause);
  }

  /** It cannot even be written: a mistake of whoever asks. */
  void reject(RuntimeException because) {
    answer.completeExceptionally(because);
  }

  boolean isDone() {
    return answer.isDone();
  }

  /** The server refuses us; when midway, what the script wrote before is not taken back. */
  void deny(StoreException.Denied cause, boolean midway) {
    if (effect != Effect.READ && (midway || perhapsDone)) {
      fail(new StoreException.Unknown(
          "Redis refused a command in the middle of a request: " + cause.getMessage(), cause));
    } else {
      fail(cause);
    }
  }

  /** Fails for this reason, unless an earlier attempt may have done it. */
  void failOrUnknown(StoreException cause) {
    if (perhapsDone && effect != Effect.READ) {
      giveUp();
    } else {
      fail(cause);
    }
  }

  /** What a question of an earlier life of the data set is answered with. */
  static StoreException outlived() {
    return new StoreException.Unavailable(
        "Redis has begun another epoch, in which this makes no sense any more.", null);
  }

  /** Gives up: unknown when it may have been done, unavailable when it was not. */
  void giveUp() {
    fail(
        perhapsDone && effect != Effect.READ
            ? new StoreException.Unknown(
                "Redis was asked, but its answer did not arrive or did not count: " + trouble + ".",
                null)
            : new StoreException.Unavailable(
                "Redis did not take the request in time: " + trouble + ".", null));
  }

  /** It was refused for a moment, and a later one was not: to ask again now would be out of its turn. */
  void giveUpBecauseOvertaken() {
    failOrUnknown(new StoreException.Unavailable(
        "Redis refused the request for a moment (" + trouble
            + "), and took a later one before it could be asked again. Nothing of it was done: try again.",
        null));
  }

  void giveUpBecauseClosed() {
    if (perhapsDone && effect != Effect.READ) {
      giveUp();
    } else {
      fail(new StoreException.Closed());
    }
  }
}
