package io.belfry.simulation;

import java.util.List;
import java.util.function.LongConsumer;

/** The bugs of the protocol, each planted into the core, with where the simulation is known to find it. */
final class CoreMutants {
  private static final String CORE = "io/belfry/core/";
  private static final String UNKNOWN =
      "    boolean unknown = afterUnknown || failure instanceof StoreException.Unknown;\n";

  /**
   * A bug and the world in which it shows.
   *
   * @param law that it breaks; whatever else it breaks, the law must be found to be able to fail
   * @param first a seed near the one that finds it, so that the test is quick
   */
  record Planted(
      Mutant mutant, Class<? extends LongConsumer> scenario, String law, long first, int seeds) {
    @Override
    public String toString() {
      return mutant.name();
    }
  }

  /** So many are tried: what another change of the world puts off a little is still found. */
  static final int SEEDS = 30;

  private CoreMutants() {}

  static List<Planted> all() {
    return List.of(
        onEtcd(
            1,
            "I3 no result under an old token",
            "no term compare",
            "leader/term/TermCommitter.java",
            "Commit.when().holds(Keys.FENCE, fence)",
            "Commit.when()"),
        onEtcd(
            65,
            "I3 no result under an old token",
            "no token compare",
            "worker/Reporter.java",
            "commit.unchanged(key, item.holding.revision);",
            ""),
        onEtcd(
            1,
            "I1 exactly one outcome",
            "cursor advanced after dispatch",
            "leader/fire/JobFirer.java",
            """
                commit.put(Keys.cursor(id), Records.encode(plan.cursor()));
                var batch = new FireBatch(due, known, verdicts, plan, tasks, skipped);
            """,
            """
                var batch = new FireBatch(due, known, verdicts, plan, tasks, skipped);
                var committer = term.committer();
                Commit.Builder later = committer.commit()
                    .unchanged(Keys.cursor(id), due.revision())
                    .put(Keys.cursor(id), Records.encode(plan.cursor()));
                for (Task task : tasks) {
                  commit.absent(Keys.task(task.id())).put(Keys.task(task.id()), Records.encode(task));
                }
                committer.send(
                    committer.commit().also(commit.build()),
                    first -> committer.send(
                        later,
                        revision -> {
                          tasks.forEach(task -> table.recordStored(task, revision));
                          done(batch, revision);
                        },
                        guard -> refused(batch, guard)),
                    guard -> refused(batch, guard));
                if (cursors.inFlight() > 0) {
                  return;
                }
            """),
        onEtcd(
            1,
            "I2 nothing acknowledged is lost",
            "acknowledge before commit",
            "submit/Submitter.java",
            "    inFlight.addAll(batch);\n",
            "    inFlight.addAll(batch);\n    batch.forEach(one -> one.caller().complete(new Receipt.Accepted(one.task().id())));\n"),
        onEtcd(
            1,
            "I1 exactly one outcome",
            "task id not unique",
            "leader/fire/JobFirer.java",
            "        TaskId.fire(job.id(), fire.scheduled()),",
            "        TaskId.fire(job.id(), term.now().truncatedTo(java.time.temporal.ChronoUnit.MILLIS)),"),
        onEtcd(
            20,
            "I4 one live attempt at a time",
            "renewing stops at SIGTERM",
            "worker/Worker.java",
            "    claiming.close();\n    registration.tell();",
            "    claiming.close();\n    registration.stop();"),
        onEtcd(
            1,
            "I1 exactly one outcome",
            "fire after acknowledged disable",
            "jobs/Jobs.java",
            "    commit.put(Keys.job(job.id()), definition).put(Keys.cursor(job.id()), Records.encode(cursor));",
            "    commit.put(Keys.job(job.id()), definition);\n    if (before.isEmpty()) {\n      commit.put(Keys.cursor(job.id()), Records.encode(cursor));\n    }"),
        onEtcd(
            1,
            "I2 one task per key",
            "dedup record dropped",
            "submit/Submitter.java",
            "commit.absent(key).put(key, Records.encode(one.submission().record())));",
            "commit.absent(key));"),
        onEtcd(
            6,
            "I7 everything recovers",
            "a job that was due while it was away is passed over",
            "leader/fire/CursorWrites.java",
            "        .filter(Cursor::active)\n        .flatMap(Cursor::next)\n        .ifPresent(at -> jobs.wake(job, at));",
            "        .isPresent();"),
        onEtcd(
            1,
            "I6 a stopping worker finishes",
            "a drained worker never leaves",
            "worker/Worker.java",
            "    public void idle() {\n      leaveIfDone();",
            "    public void idle() {"),
        onEtcd(
            1,
            "I5 terms only grow",
            "leadership decided on a read",
            new Mutant.Edit(
                CORE + "election/Election.java",
                "          .absent(Keys.LEADER)\n          .put(",
                "          .put("),
            new Mutant.Edit(
                CORE + "election/TermRaiser.java",
                "      commit.unchanged(stands.get());\n    } else {\n      commit.absent(Keys.FENCE);",
                "      LOG.debug(\"decided on a read\");")),
        onEtcd(
            1,
            "I7 what is given out begins",
            "attempts named by the token alone",
            "worker/AttemptId.java",
            "  long mark() {",
            """
              @Override
              public boolean equals(Object other) {
                return other instanceof AttemptId id && id.token.equals(token);
              }

              @Override
              public int hashCode() {
                return token.hashCode();
              }

              long mark() {"""),
        in(
            LeaseScenario.class,
            "I2 nothing acknowledged is lost",
            "unknown resolved by a read",
            "commit/RetryingCommitter.java",
            UNKNOWN,
            """
                Commit commit = question.commit;
                if (failure instanceof StoreException.Unknown && !commit.guards().isEmpty()) {
                  io.belfry.store.Write last = commit.writes().getLast();
                  loop.onResult(
                      store.get(java.util.List.of(last.key())),
                      found -> {
                        boolean applied = !found.isEmpty()
                            && last instanceof io.belfry.store.Write.Put put
                            && java.util.Arrays.equals(put.value(), found.getFirst().value());
                        question.then.accept(new Settled(
                            applied
                                ? new Outcome.Done(found.getFirst().revision())
                                : new Outcome.Refused(
                                    commit.guards().stream()
                                        .filter(guard -> !guard.key().space().name().equals("end"))
                                        .reduce((one, other) -> other)
                                        .orElseThrow(),
                                    0),
                            true));
                      },
                      late -> again(question, afterUnknown, pause, failure));
                  return;
                }
            """ + UNKNOWN),
        in(
            LeaseScenario.class,
            "I4 who has no lease runs nothing",
            "lease counted from the reply",
            "worker/Registration.java",
            "              trust(sent);\n            } else {",
            "              trust(moment());\n            } else {"),
        in(
            LeaseScenario.class,
            "I4 nothing is taken from who is there",
            "rescue without the absence guard",
            "leader/rescue/TaskRescuer.java",
            "    workers.forEach(worker -> commit.absent(Keys.worker(worker)));\n",
            ""),
        from(
            50,
            LeaseScenario.class,
            "I3 no task goes back to an earlier attempt",
            "recovery not idempotent",
            "leader/rescue/TaskRescuer.java",
            "      commit.unchanged(key, taken.live.revision());\n",
            ""),
        in(
            LeaseScenario.class,
            "I4 one live attempt at a time",
            "tokens from before the registration",
            "worker/Worker.java",
            "    } else if (token.value() < registration.registeredAt()) {\n      end(holding, new Command.HandBack(token, \"the worker lost its lease before it began\"));\n",
            ""),
        onEtcd(
            1,
            "I4 a new leader waits before it takes",
            "re-run on mass expiry: rescue without the wait after a new term",
            "leader/rescue/WorkerTracker.java",
            "    this.rescueFrom = loop.time().nanos() + term.settings().workerLease().toNanos();",
            "    this.rescueFrom = loop.time().nanos();"),
        in(
            GapScenario.class,
            "I7 everything recovers",
            "watch gap ignored by a follower",
            "follow/Follower.java",
            "      step(of, Follower.this::startOver);",
            ""),
        in(
            GapScenario.class,
            "I1 a skip its policy allows",
            "watch gap ignored by the feed of tasks",
            "leader/task/TaskFeed.java",
            "        step(of, () -> startOver(of));",
            ""),
        in(
            GapScenario.class,
            "I7",
            "watch gap ignored by a worker",
            "worker/KeyWatch.java",
            "        step(of, KeyWatch.this::open);\n",
            ""),
        in(
            ComingsScenario.class,
            "I6 a dead worker's tasks restart in time",
            "nobody looks after the dead",
            "leader/rescue/WorkerTracker.java",
            "    observer.observed(new Happening.WorkerLeft(worker));\n    rescueTasksOf(worker);",
            "    observer.observed(new Happening.WorkerLeft(worker));"),
        new Planted(
            new Mutant(
                "a worker that stops hears nothing more",
                CORE + "worker/Worker.java",
                "    var unused = loop.after(LAST_ORDERS, () -> {",
                "    var unused = loop.after(Duration.ZERO, () -> {"),
            ComingsScenario.class,
            "I6 a dead worker's tasks restart in time",
            50,
            SEEDS),
        in(
            CatchUpScenario.class,
            "I11 catching up keeps to its rate",
            "catch-up unbounded",
            "leader/fire/CatchUpRate.java",
            "    return !free.isAfter(now);",
            "    return !free.isAfter(Instant.MAX);"));
  }

  private static Planted onEtcd(
      long first, String law, String name, String file, String original, String replacement) {
    return onEtcd(first, law, name, new Mutant.Edit(CORE + file, original, replacement));
  }

  private static Planted onEtcd(long first, String law, String name, Mutant.Edit... edits) {
    return new Planted(
        new Mutant(name, List.of(edits)), CoreScenario.OnEtcd.class, law, first, SEEDS);
  }

  /** A bug that takes a world of its own. */
  private static Planted in(
      Class<? extends LongConsumer> scenario,
      String law,
      String name,
      String file,
      String original,
      String replacement) {
    return from(1, scenario, law, name, file, original, replacement);
  }

  /** The same, of which the first seeds do not find it. */
  private static Planted from(
      long first,
      Class<? extends LongConsumer> scenario,
      String law,
      String name,
      String file,
      String original,
      String replacement) {
    return new Planted(
        new Mutant(name, CORE + file, original, replacement), scenario, law, first, SEEDS);
  }
}
