package io.belfry.simulation;

import java.util.List;
import java.util.function.LongConsumer;

/** One bug for each law that none of the others breaks: a law that nothing can break watches over nothing. */
final class LawMutants {
  private static final String CORE = "io/belfry/core/";

  private LawMutants() {}

  static List<CoreMutants.Planted> all() {
    return List.of(
        onEtcd(
            "I1 a skip its policy allows",
            "every second fire is skipped",
            "fire/OverlapRule.java",
            "divided(due, 0, unfinished == 0 ? 1 : 0, SkipReason.OVERLAP);",
            "divided(due, 0, unfinished == 0 && !due.isEmpty() && due.getFirst().getEpochSecond() % 2 == 0 ? 1 : 0, SkipReason.OVERLAP);"),
        onEtcd(
            "I4 a job that skips runs alone",
            "a job that skips fires whatever stands",
            "fire/OverlapRule.java",
            "divided(due, 0, unfinished == 0 ? 1 : 0, SkipReason.OVERLAP);",
            "divided(due, 0, 1, SkipReason.OVERLAP);"),
        new CoreMutants.Planted(
            new Mutant(
                "a job that skips does not look whether its last task stands",
                List.of(
                    new Mutant.Edit(
                        CORE + "leader/task/OverlapGuard.java",
                        "job.overlap() != OverlapPolicy.SKIP || cursor.previous().isEmpty()",
                        "job.overlap() != null"),
                    new Mutant.Edit(
                        CORE + "leader/fire/JobFirer.java",
                        "      readTasks(batch, keys, found -> cursors.refresh(batch.job()));",
                        "      cursors.refresh(batch.job());"))),
            AloneScenario.class,
            "I4 a job that skips runs alone",
            1,
            CoreMutants.SEEDS),
        onEtcd(
            "I7 everything recovers",
            "a retry waits by the clock of whoever failed",
            "leader/task/TaskPlaces.java",
            "DueTime.byOurClock(live.task(), time.wall())",
            "live.task()"),
        onEtcd(
            PlaceLaw.LAW,
            "a task whose worker was lost goes to the end of its queue",
            "leader/task/DueTime.java",
            "keepsItsPlace(task) && task.scheduled().isBefore(due)",
            "keepsItsPlace(task) && task.scheduled().isAfter(due)"),
        onEtcd(
            "I10 nothing is fired by a calendar that was just set",
            "no clock was ever set",
            "election/ClockGuard.java",
            "boolean steady = now.follows(last);",
            "boolean steady = true;"),
        new CoreMutants.Planted(
            new Mutant(
                "what was read is planned by whatever the calendar says by then",
                List.of(
                    new Mutant.Edit(
                        CORE + "leader/term/TermLoop.java",
                        "    return leads() && clockIsSteady();",
                        "    return leads();"),
                    new Mutant.Edit(
                        CORE + "leader/term/TermLoop.java",
                        "  private boolean clockIsSteady() {",
                        "  public boolean clockIsSteady() {"),
                    new Mutant.Edit(
                        CORE + "leader/LeaderTerm.java",
                        "    if (!barrier.isOpen()) {\n      return;",
                        "    if (!loop.clockIsSteady() || !barrier.isOpen()) {\n      return;"))),
            SetClockScenario.class,
            "I10 nothing is fired by a calendar that was just set",
            1,
            CoreMutants.SEEDS),
        onEtcd(
            "I2 acknowledged is written",
            "a cancel is acknowledged before it is written",
            "jobs/Requests.java",
            "      commit(Commit.when().put(key, value).build(), caller, settled -> caller.complete(task));",
            "      commit(Commit.when().put(key, value).build(), caller, settled -> {});\n      caller.complete(task);"),
        onEtcd(
            "I2 acknowledged is written",
            "a change of a job is acknowledged before it is written",
            "jobs/Jobs.java",
            "    callers.sent(caller);\n",
            "    callers.sent(caller);\n    caller.complete(intent.answer.apply(change.job));\n"),
        in(
            RoomScenario.class,
            "I2 what was refused does not come",
            "what had no room is settled all the same",
            "commit/RetryingCommitter.java",
            "accept(unknown ? maybeDone(failure) : failure);",
            "accept(failure);"),
        new CoreMutants.Planted(
            new Mutant(
                "a job that was deleted and created again is not triggered",
                List.of(
                    new Mutant.Edit(
                        CORE + "leader/request/RequestHandler.java",
                        "          if (known == null) {",
                        "          if (known == null || (known.job().generation() > 1 && known.job().saved().orElseThrow().created().equals(known.job().saved().orElseThrow().updated()))) {"),
                    new Mutant.Edit(
                        CORE + "leader/request/RequestHandler.java",
                        "        commit -> commit.absent(job),",
                        "        commit -> {},"))),
            CoreScenario.OnEtcd.class,
            "I2 nothing acknowledged is lost",
            1,
            CoreMutants.SEEDS),
        onEtcd(
            "I1 nothing begins before its time",
            "what is due in a moment is given out at once",
            "dispatch/Waiting.java",
            "    if (task.due().isAfter(now)) {",
            "    if (task.due().isAfter(now.plusSeconds(2))) {"),
        in(
            GapScenario.class,
            "I7 everything recovers",
            "a follower believes a scan that lags behind its watch",
            "follow/Follower.java",
            "    if (page.revision() < openedAt) {",
            "    if (openedAt < 0) {"),
        in(
            GapScenario.class,
            "I7 everything recovers",
            "the feed of tasks believes a scan that lags behind its watches",
            "leader/task/TaskFeed.java",
            "    if (page.revision() < openedAt) {",
            "    if (openedAt < 0) {"),
        in(
            LeaseScenario.class,
            "I3 only its holder changes a task",
            "a failure is reported without a look at the token",
            "worker/Reporter.java",
            "      commit.unchanged(key, item.holding.revision);",
            "      if (item.next.state() instanceof io.belfry.model.task.TaskState.Succeeded) {\n        commit.unchanged(key, item.holding.revision);\n      }"),
        in(
            LeaseScenario.class,
            "I4 who has no lease runs nothing",
            "no margin for clocks that do not run alike",
            "worker/Registration.java",
            "settings.lease().minus(settings.margin())",
            "settings.lease()"));
  }

  private static CoreMutants.Planted onEtcd(
      String law, String name, String file, String original, String replacement) {
    return in(CoreScenario.OnEtcd.class, law, name, file, original, replacement);
  }

  private static CoreMutants.Planted in(
      Class<? extends LongConsumer> scenario,
      String law,
      String name,
      String file,
      String original,
      String replacement) {
    return new CoreMutants.Planted(
        new Mutant(name, CORE + file, original, replacement), scenario, law, 1, CoreMutants.SEEDS);
  }
}
