package io.belfry.simulation;

import java.util.List;
import java.util.function.LongConsumer;

/** Bugs that show when the engine refuses, when steps take time, when payloads are large, and after weeks. */
final class OutageMutants {
  private static final String CORE = "io/belfry/core/";
  /** A world of sixty days takes its time. */
  private static final int LONG_SEEDS = 3;

  private OutageMutants() {}

  static List<CoreMutants.Planted> all() {
    return List.of(
        in(
            RefusalScenario.class,
            PulseLaw.LAW,
            "a worker that is refused a lease does not ask again",
            edit(
                "worker/Registration.java",
                "            if (now == life) {\n              register();\n            }",
                "")),
        in(
            RefusalScenario.class,
            RefusalScenario.OUTAGE,
            "one denied commit ends submission until a restart",
            edit(
                "submit/Submitter.java",
                "          if (why instanceof StoreException.Unknown) {\n            lanes.stall(lane);",
                "          if (why instanceof StoreException.Denied) {\n            fail(why);\n            return;\n          }\n          if (why instanceof StoreException.Unknown) {\n            lanes.stall(lane);")),
        in(
            RefusalScenario.class,
            RefusalScenario.ANSWERED,
            "callers wait for as long as access is denied",
            edit(
                "commit/RetryingCommitter.java",
                "    if (isRefusal(failure) && question.refused.isPresent()) {",
                "    if (failure instanceof StoreException.Full && question.refused.isPresent()) {")),
        in(
            BusyScenario.class,
            TrustLaw.NO_DOUBT,
            "a late answer of an older renewal takes trust back",
            edit(
                "worker/Registration.java",
                "    if (trusting && until - trustedUntil <= 0) {",
                "    if (until < 0 && until > 0) {")),
        in(
            BusyScenario.class,
            TrustLaw.NO_DOUBT,
            "a worker that was held up doubts before it has read its mail",
            edit(
                "worker/Registration.java",
                "    var unused = loop.timeout(Duration.ofNanos(Math.max(0, left)), () -> {",
                "    var unused = loop.after(Duration.ofNanos(Math.max(0, left)), () -> {")),
        in(
            BusyScenario.class,
            TrustLaw.NOTHING_AFTER,
            "an attempt begins without a look at the trust",
            edit(
                "worker/Worker.java",
                "boolean sure = registration.trusted() && registration.registeredAt() != Revision.NONE;",
                "boolean sure = registration.registeredAt() != Revision.NONE;"),
            edit(
                "worker/Worker.java",
                "    if (!registration.trusted()) {\n      end(",
                "    if (registration.registeredAt() < 0) {\n      end(")),
        in(
            HeavyScenario.class,
            "a step must not throw",
            "submitted tasks are gathered without a look at their weight",
            edit(
                "commit/CommitLimits.java",
                "SUBMIT = new CommitLimits(50, 400 << 10);",
                "SUBMIT = new CommitLimits(50, 400 << 20);")),
        inTheLongWorld(
            DefinitionLaw.LAW,
            "a leader keeps the definition that it knows",
            edit(
                "leader/fire/JobDefinitions.java",
                "    if (known == null || known.job.generation() != generation) {",
                "    if (known == null) {")),
        inTheLongWorld(
            RecordLaw.LAW,
            "what was asked of a deleted job counts for the one that is created after it",
            edit(
                "keys/Keys.java",
                "    return dedup(ofIncarnation(task, incarnation));",
                "    return dedup(task.toString());")),
        inTheLongWorld(
            SizeLaw.LAW,
            "rollups are kept ten times too long",
            edit(
                "history/RollupTrimming.java",
                "settings.rollups()",
                "settings.rollups().multipliedBy(10)")),
        inTheLongWorld(
            SizeLaw.LAW,
            "hours are never added up to days",
            edit("history/RollupTrimming.java", "RetainSettings.HOURLY", "settings.rollups()")));
  }

  private static Mutant.Edit edit(String file, String original, String replacement) {
    return new Mutant.Edit(CORE + file, original, replacement);
  }

  private static CoreMutants.Planted in(
      Class<? extends LongConsumer> scenario, String law, String name, Mutant.Edit... edits) {
    return new CoreMutants.Planted(
        new Mutant(name, List.of(edits)), scenario, law, 1, CoreMutants.SEEDS);
  }

  private static CoreMutants.Planted inTheLongWorld(String law, String name, Mutant.Edit... edits) {
    return new CoreMutants.Planted(
        new Mutant(name, List.of(edits)), LongScenario.class, law, 1, LONG_SEEDS);
  }
}
