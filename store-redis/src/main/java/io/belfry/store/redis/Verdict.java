package io.belfry.store.redis;

import io.belfry.store.StoreException;
import java.util.List;

/** What an answer means for the call that was asked. */
sealed interface Verdict {

  /** Whether the call may have taken effect. */
  default boolean mayBeDone() {
    return switch (this) {
      case Complete done -> true;
      case Hold held -> true;
      case Again refused -> false;
      case Fail failed -> failed.cause instanceof StoreException.Unknown;
      case Denied denied -> denied.midway;
    };
  }

  /** The answer counts. */
  record Complete(List<?> reply) implements Verdict {}

  /** It counts once enough replicas have acknowledged. */
  record Hold(List<?> reply) implements Verdict {}

  /** Nothing was done: ask again. */
  record Again(String why, CallQueue.Remedy after) implements Verdict {}

  /** Nothing was done, and asking again would not help. */
  record Fail(StoreException cause) implements Verdict {}

  /**
   * The server refuses us.
   *
   * @param midway inside a script, which may have written something before
   */
  record Denied(StoreException.Denied cause, boolean midway) implements Verdict {}
}
