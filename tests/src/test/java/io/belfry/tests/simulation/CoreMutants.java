package io.belfry.tests.simulation;

import java.util.List;
import java.util.function.LongConsumer;

/** The bugs of the protocol, each planted into the core, with where the simulation is known to find it. */
final class CoreMutants {
  private static final String CORE = "io/belfry/core/";

  /**
   * A bug and the world in which it shows.
   *
   * @param first a seed near the one that finds it, so that the test is quick
   */
  record Planted(Mutant mutant, Class<? extends LongConsumer> scenario, long first, int seeds) {
    @Override
    public String toString() {
      return mutant.name();
    }
  }

  private CoreMutants() {}

  static List<Planted> all() {
    return List.of(
        onEtcd(
            1,
            "no term compare",
            "reign/Fenced.java",
            "Commit.when().holds(Keys.FENCE, fence)",
            "Commit.when()"),
        onEtcd(
            4,
            "no token compare",
            "work/Reporter.java",
            "commit.unchanged(key, item.holding.revision);",
            ""),
        onEtcd(1, "cursor advanced after dispatch", "reign/Firing.java", """
                commit.put(Keys.cursor(id), Records.encode(plan.cursor()));
                fenced.send(
                    commit, revision -> done(id, plan, tasks, revision), guard -> refused(id, tasks, guard));
            """, """
                Commit.Builder later = fenced.commit()
                    .unchanged(Keys.cursor(id), due.revision())
                    .put(Keys.cursor(id), Records.encode(plan.cursor()));
                fenced.send(
                    commit,
                    first -> fenced.send(
                        later,
                        revision -> done(id, plan, tasks, revision),
                        guard -> refused(id, tasks, guard)),
                    guard -> refused(id, tasks, guard));
            """),
        onEtcd(
            1,
            "acknowledge before commit",
            "submit/Submitter.java",
            "    lotAway = lot;\n",
            "    lotAway = lot;\n    lot.forEach(one -> one.caller.complete(new Receipt.Accepted(one.task().id())));\n"),
        onEtcd(
            1,
            "task id not unique",
            "reign/Firing.java",
            "        TaskId.fire(job.id(), fire.scheduled()),",
            "        TaskId.fire(job.id(), now.truncatedTo(java.time.temporal.ChronoUnit.MILLIS)),"),
        onEtcd(
            6,
            "renewing stops at SIGTERM",
            "work/Worker.java",
            "    drained = then;\n    registration.tell();",
            "    drained = then;\n    registration.stop();"),
        onEtcd(
            1,
            "fire after acknowledged disable",
            "jobs/Jobs.java",
            "        .put(Keys.job(job.id()), Records.encode(saved))\n        .put(Keys.cursor(job.id()), Records.encode(cursor));",
            "        .put(Keys.job(job.id()), Records.encode(saved));\n    if (before.isEmpty()) {\n      commit.put(Keys.cursor(job.id()), Records.encode(cursor));\n    }"),
        onEtcd(
            1,
            "dedup record dropped",
            "submit/Submitter.java",
            "              .put(Keys.dedup(once), Records.encode(DedupRecord.of(task)))\n",
            ""),
        onEtcd(
            6,
            "a job that was due while it was away is passed over",
            "reign/Firing.java",
            "        .filter(Cursor::active)\n        .flatMap(Cursor::next)\n        .ifPresent(at -> jobs.wake(job, at));",
            "        .isPresent();"),
        onEtcd(
            1,
            "a drained worker never leaves",
            "work/Worker.java",
            "    public void idle() {\n      leaveIfDone();",
            "    public void idle() {"),
        new Planted(
            new Mutant(
                "catch-up unbounded",
                CORE + "reign/Firing.java",
                "    return ++released <= settings.releaseRate();",
                "    return true;"),
            CatchUpScenario.class,
            1,
            3));
  }

  private static Planted onEtcd(
      long first, String name, String file, String original, String replacement) {
    return new Planted(
        new Mutant(name, CORE + file, original, replacement), CoreScenario.OnEtcd.class, first, 10);
  }
}
