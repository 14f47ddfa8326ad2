package io.belfry.simulation;

import java.util.List;
import java.util.function.LongConsumer;

/** Bugs of single parts of the core: jobs after others, calendars, versions, orders to workers, queues that are pulled from, rates, payloads, clocks and events. */
final class PartMutants {
  private static final String CORE = "io/belfry/core/";

  private PartMutants() {}

  static List<CoreMutants.Planted> all() {
    return List.of(
        in(
            SilenceScenario.class,
            "I7 everything recovers",
            "nothing is compared with the store",
            edit("leader/LeaderTerm.java", "    reconciler.start();\n", "")),
        in(
            LossScenario.class,
            "a step must not throw",
            "an older link is taken for one's own",
            edit(
                "commit/CommitChain.java",
                "!settled.afterUnknown() : found < last)",
                "!settled.afterUnknown() : false)")),
        in(
            LossScenario.OnEtcd.class,
            "a step must not throw",
            "what a new epoch renumbered is taken for somebody else's",
            edit(
                "commit/CommitChain.java",
                "found == Revision.NONE || Revision.epoch(found) > Revision.epoch(last)",
                "found == Revision.NONE")),
        in(
            LossScenario.class,
            "I7 firing goes on",
            "what was known of jobs survives what the engine lost",
            edit("node/Scheduler.java", "      jobs.clear();\n", "")),
        in(
            AfterScenario.class,
            "I1 one task per fire",
            "what follows is started without the guard of its batch",
            edit("leader/flow/AfterJobBatch.java", "commit.unchanged(source).put(", "commit.put(")),
        in(
            AfterScenario.class,
            "I7 everything recovers",
            "folding does not wait for what follows",
            edit(
                "history/FoldBatch.java",
                "    if (!batch.endedBatch.followed() && debts.owes(entry, batch.endedBatch)) {",
                "    if (batches.size() < 0) {")),
        in(
            CalendarScenario.class,
            "I1 a calendar counts from its change on",
            "a fire without the guard of its calendar",
            edit(
                "leader/fire/JobDefinitions.java",
                "commit.unchanged(Keys.CALENDAR_EDITION, edition.getAsLong());",
                "var unused = edition.getAsLong();")),
        in(
            CalendarScenario.class,
            "I7 everything recovers",
            "cursors are not planned anew by a changed calendar",
            edit(
                "leader/fire/CalendarReplanner.java",
                "    if (!busy) {\n      cache.nextChange()",
                "    if (busy) {\n      cache.nextChange()")),
        in(
            SilenceScenario.class,
            "I1 exactly one outcome",
            "skips are recorded together over a fire between them",
            edit(
                "leader/fire/SkipRanges.java",
                "        || !before.last().equals(Optional.of(known.range.to()))\n",
                ""),
            edit(
                "leader/fire/SkipRanges.java",
                "      last.remove(job);\n",
                "      last.size();\n")),
        in(
            InstantScenario.class,
            "I1 one task per fire",
            "a fire does not ask whether its task was asked for",
            edit(
                "leader/fire/JobFirer.java",
                "          commit.absent(Keys.asked(task.id(), incarnation)); // no trigger has asked for it\n",
                "")),
        in(
            InstantScenario.class,
            "I1 exactly one outcome",
            "what was asked of a deleted job counts for the one created after it",
            edit(
                "keys/Keys.java",
                "    return dedup(ofIncarnation(task, incarnation));",
                "    return dedup(task.toString());")),
        in(
            InstantScenario.class,
            "I1 exactly one outcome",
            "the task of a deleted job is taken for one of the job created after it",
            edit(
                "leader/fire/InstantVerdicts.java",
                "stored && !asked && incarnation > 1",
                "stored && !asked && incarnation > Long.MAX_VALUE - 1")),
        in(
            InstantScenario.class,
            "I1 one task per fire",
            "a task is asked for without the guard of how far its job has come",
            edit("jobs/Requests.java", "    cursor.ifPresent(commit::unchanged);\n", "")),
        in(
            InstantScenario.class,
            "I1 one task per fire",
            "a job that has fired an instant is asked for it again",
            edit(
                "jobs/Requests.java",
                "        case Explanation.Fired unused -> true;",
                "        case Explanation.Fired unused -> false;")),
        in(
            InstantScenario.class,
            "I7 everything recovers",
            "a fixed delay goes on only when somebody tells the end",
            edit(
                "leader/LeaderTerm.java",
                "  private void cursorWritten(JobId job) {\n    fixedDelays.check(job);\n",
                "  private void cursorWritten(JobId job) {\n")),
        from(
            10,
            SilenceScenario.class,
            "I1 a skip its policy allows",
            "an overlap with a task that is being read is believed",
            edit(
                "leader/task/OverlapGuard.java",
                "overlaps && live != null && !starts",
                "overlaps && live != null && !starts && live.isFree()")),
        from(
            525,
            GapScenario.class,
            "I1 a skip its policy allows",
            "what a scan misses while a commit is away is believed to stand",
            edit(
                "leader/task/TaskTable.java",
                "      live.missedByScan(true);\n    }\n  }\n\n  /** The task has ended without",
                "    }\n  }\n\n  /** The task has ended without")),
        in(
            InstantScenario.class,
            "I7 everything recovers",
            "a new leader does not know what is to be replaced",
            edit("leader/LeaderTerm.java", "    replacer.resume();\n", "")),
        in(
            PullScenario.class,
            "I2 a queue is served as was last acknowledged",
            "a claim without the guard of the queue",
            edit(
                "worker/OfferClaims.java",
                "Commit.when().unchanged(Keys.queue(pool.queue), pool.queueRevision);",
                "Commit.when();")),
        in(
            CoreScenario.OnEtcd.class,
            "I3 only its holder changes a task",
            "a claim without the guard of the task",
            edit(
                "worker/OfferClaims.java",
                "commit.unchanged(key, claim.open.item.revision()).put(",
                "commit.put(")),
        in(
            ScarceScenario.class,
            "I7 everything recovers",
            "what had no room three times is not claimed any more",
            edit(
                "worker/OfferClaims.java",
                "    void again(Open one) {\n      open.addFirst(one);",
                "    void again(Open one) {\n      if (++one.tries < 3) open.addFirst(one);")),
        in(
            PullScenario.class,
            "I4 limits are kept",
            "the place of an offered task is given back too early",
            edit(
                "leader/assign/PullOffers.java",
                "    if (live.admission().task().isLimited()) {",
                "    if (live.revision() < 0) {")),
        in(
            CoreScenario.OnEtcd.class,
            "I2 nothing acknowledged is lost",
            "a task is given out without its payload",
            edit(
                "leader/assign/TaskAssigner.java",
                "if (given.live().isWithoutPayload()) {",
                "if (inFlight < 0) {")),
        in(
            CoreScenario.OnEtcd.class,
            "I2 nothing acknowledged is lost",
            "a task is rewritten without its payload",
            edit(
                "leader/task/TaskReader.java",
                "    if (!live.isWithoutPayload()) {",
                "    if (live.revision() >= 0) {")),
        in(
            RateScenario.class,
            "I4 rates are kept",
            "a new leader forgets what the earlier one gave out",
            edit(
                "dispatch/LimitBook.java",
                "    return knownSince.isEmpty() || knownAt(window) - nanos <= 0;",
                "    return knownSince.isEmpty() || window.length().isPositive();")),
        in(
            RateScenario.class,
            "I4 rates are kept",
            "a new leader counts nothing that has ended under the earlier one",
            edit(
                "leader/assign/RateHistory.java",
                "    if (!over && !table.contains(task.id()) && !ended.contains(task.id())) {",
                "    if (over && !table.contains(task.id()) && !ended.contains(task.id())) {")),
        in(
            RateScenario.class,
            "I4 rates are kept",
            "a new leader counts nothing that is to be tried again",
            edit(
                "leader/assign/RateHistory.java",
                "    if (!leading) {\n      recall(live.task(), 0);",
                "    if (busy) {\n      recall(live.task(), 0);")),
        in(
            RateScenario.class,
            "I4 rates are kept",
            "a new leader counts nothing that is held",
            edit(
                "dispatch/Dispatcher.java",
                "      recall(hold.limit(), hold.limitKey(), startedNanos, nanos);\n",
                "")),
        in(
            RateScenario.class,
            "I4 rates are kept",
            "a new leader does not look into segments",
            edit(
                "history/RateHistoryReader.java",
                "head.get().rated() == 0",
                "head.get().rated() >= 0")),
        in(
            RateScenario.class,
            "I7 everything recovers",
            "a new leader waits for a whole window",
            edit(
                "leader/assign/RateHistory.java",
                "    if (!busy && !over && !unknown()",
                "    if (busy && !unknown()")),
        in(
            RetainScenario.class,
            "a listing misses nothing",
            "segments that were put together are taken from those who are reading",
            edit(
                "history/Merging.java",
                ".put(each.entry.key(), Records.encode(each.head.elsewhere()))",
                ".delete(each.entry.key())")),
        in(
            RetainScenario.class,
            "I1 one task per fire",
            "an id is forgotten with its task",
            edit(
                "history/Trimming.java",
                "Keys.expired(expiry, loop.time().wall().toEpochMilli())",
                "Keys.expired(expiry, loop.time().wall().toEpochMilli() + (expiry.equals(Keys.DEDUP_EXPIRY) ? Duration.ofDays(8).toMillis() : 0))")),
        in(
            EditScenario.class,
            "I2 every definition is kept as a version",
            "a definition is saved without its version",
            edit("jobs/Jobs.java", "    Versions.add(commit, saved, definition);\n", "")),
        in(
            EditScenario.class,
            "I2 every definition is kept as a version",
            "versions pile up",
            edit(
                "jobs/Versions.java",
                "    if (saved.generation() > KEPT) {",
                "    if (saved.generation() < 0) {")),
        in(
            OrderScenario.class,
            "I2 an order is obeyed",
            "watch gap ignored by who hears orders",
            edit("worker/KeyWatch.java", "        step(of, KeyWatch.this::open);\n", "")),
        in(
            OrderScenario.class,
            "I2 an order is obeyed",
            "an order that came during a gap is not heard of",
            edit(
                "worker/WorkerInstructions.java",
                "      newest = revision;\n      read(ear.life());",
                "      newest = revision;")),
        in(
            OrderScenario.class,
            "I2 no acknowledged order is lost",
            "of two orders that come together one is lost",
            edit(
                "worker/WorkerOrders.java",
                "        entry.ifPresentOrElse(commit::unchanged, () -> commit.absent(key));\n",
                "")),
        in(
            OrderScenario.class,
            "I4 a new leader waits before it takes",
            "a worker that is drained is taken for one that leaves",
            edit("leader/rescue/WorkerTracker.java", "before.leaving()", "before.isDraining()")),
        in(
            ClockScenario.class,
            "I10 a clock that is off does not lead",
            "no clock is ever off",
            edit(
                "election/ClockMedian.java",
                "    off = suspected.isPresent() ? now : Optional.empty();",
                "    off = Optional.empty();")),
        in(
            EventScenario.class,
            "I5 one leader's writes per term",
            "events are told without the term",
            edit("event/Publisher.java", "        .holds(Keys.FENCE, fence)\n", "")),
        in(
            EventScenario.class,
            "events of a task come in order",
            "events are told before the last were",
            edit(
                "event/Publisher.java",
                "    settler.commit(batch, settled -> {\n      if (settled.outcome() instanceof Outcome.Done) {\n        var unused = loop.after(\n            waiting.size() < CommitLimits.EVENTS.items() ? GATHER : Duration.ZERO, this::send);\n      } else {",
                "    var unused = loop.after(Duration.ofMillis(1), this::send);\n    settler.commit(batch, settled -> {\n      if (!(settled.outcome() instanceof Outcome.Done)) {"),
            edit("event/Listener.java", "        .skip(Math.max(0, next - batch.first()))\n", ""),
            edit(
                "event/InOrder.java",
                "if (before != null && !before.isBefore(now)) {",
                "if (steps.size() < 0) {")));
  }

  private static Mutant.Edit edit(String file, String original, String replacement) {
    return new Mutant.Edit(CORE + file, original, replacement);
  }

  private static CoreMutants.Planted in(
      Class<? extends LongConsumer> scenario, String law, String name, Mutant.Edit... edits) {
    return from(1, scenario, law, name, edits);
  }

  private static CoreMutants.Planted from(
      long first,
      Class<? extends LongConsumer> scenario,
      String law,
      String name,
      Mutant.Edit... edits) {
    return new CoreMutants.Planted(
        new Mutant(name, List.of(edits)), scenario, law, first, CoreMutants.SEEDS);
  }
}
