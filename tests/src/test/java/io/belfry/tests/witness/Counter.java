package io.belfry.tests.witness;

import java.time.Instant;
import java.util.Optional;

/** Where a client submits and cancels. Answers, or says that nobody knows; never fails. */
interface Counter {

  /** What was said, and of an accepted submit the task. */
  record Reply(Call.Answer answer, Optional<String> task) {
    static final Reply UNKNOWN = new Reply(Call.Answer.UNKNOWN, Optional.empty());
    static final Reply FAIL = new Reply(Call.Answer.FAIL, Optional.empty());

    static Reply ok(String task) {
      return new Reply(Call.Answer.OK, Optional.of(task));
    }
  }

  /** The same order again is the same submit. */
  Reply submit(Order order, Instant due);

  Reply cancel(String task);
}
