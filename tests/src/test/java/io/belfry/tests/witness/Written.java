package io.belfry.tests.witness;

import io.belfry.tests.witness.LedgerLine.What;
import java.time.Instant;
import java.util.Optional;

/** Lines as bodies write them, for tests of who reads them. Threading: stateless. */
final class Written {
  private Written() {}

  static LedgerLine fire(What what, Instant due, long token, Instant at) {
    return fire(what, due, token, at, "w1~1");
  }

  static LedgerLine fire(What what, Instant due, long token, Instant at, String worker) {
    return fire(what, "tick", due, token, at, worker);
  }

  static LedgerLine fire(
      What what, String job, Instant due, long token, Instant at, String worker) {
    return new LedgerLine(
        at,
        new LedgerLine.Entry(
            what,
            "witness",
            job + "@" + due,
            Optional.of(job),
            due,
            Optional.empty(),
            1,
            token,
            worker,
            17,
            Optional.empty()),
        true);
  }

  /** Of a task that follows another. */
  static LedgerLine follower(What what, String task, String predecessor, long token, Instant at) {
    return new LedgerLine(
        at,
        new LedgerLine.Entry(
            what,
            "witness",
            task,
            Optional.of(task.substring(0, task.indexOf('!'))),
            at,
            Optional.empty(),
            1,
            token,
            "w1~1",
            17,
            Optional.of(predecessor)),
        true);
  }

  static LedgerLine submit(What what, String key, String task, long token, Instant at) {
    return new LedgerLine(
        at,
        new LedgerLine.Entry(
            what,
            "witness",
            task,
            Optional.empty(),
            at,
            Optional.of(key),
            1,
            token,
            "w1~1",
            17,
            Optional.empty()),
        true);
  }
}
