package io.belfry.tests.witness;

import java.time.Instant;
import java.util.Optional;

/**
 * One question of a client, and what came of it.
 *
 * @param key of the submit that it makes or cancels
 * @param due not before this
 * @param answered when the answer was there, or was not waited for any longer
 * @param task what an accepted submit led to, or what was to be cancelled
 */
record Call(
    What what,
    String key,
    Instant due,
    Instant invoked,
    Instant answered,
    Answer answer,
    Optional<String> task) {

  enum What {
    SUBMIT,
    CANCEL
  }

  enum Answer {
    /** Acknowledged: it counts once. */
    OK,
    /** Refused: it does not count. */
    FAIL,
    /** No answer, or none that says: it counts once or not at all, and never twice. */
    UNKNOWN
  }

  boolean is(What asked, Answer how) {
    return what == asked && answer == how;
  }
}
