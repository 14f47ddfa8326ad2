package io.belfry.model.task;

import static java.util.stream.Collectors.joining;

import io.belfry.model.WireName;
import io.belfry.model.missed.SkipReason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The page {@code docs/task-states.md}: prose around the tables of {@link TransitionTable}. */
final class TransitionDoc {
  static final String WRITE = "mvn -pl model -am test -Dtest=TransitionDocTest -Dbelfry.docs=write";
  static final List<String> ALIASES = Arrays.stream(StateName.values())
      .flatMap(state -> state.aliases().stream())
      .toList();

  private TransitionDoc() {}

  static String markdown() {
    return """
        # Task states

        A task is one unit of work: a fire of a job, or a single submission. This page lists its states, the commands that
        change them, and the reasons for refusals.

        This page is generated from the state machine in the code, and a test compares it. After a change, generate it again:
        `%s`

        ## Transitions

        Each row is a command, each column a state. A bold word is the new state, with the events below it. A dash is a
        refusal, which changes nothing. *Ended* is any of succeeded, failed, cancelled and skipped.

        %s
        * A short task sends one report: in the state assigned, `Complete` and `Fail` report both the start and the end.
        * `Cancel` of an assigned or running task is a request. The task continues until its worker has stopped the attempt. Then
          every outcome except success becomes `cancelled`, and there is no retry.
        * `Rescue` (the worker's lease expired) makes the task due at once. So does `HandBack` (the worker is draining).

        ### At most once

        The code of an at-most-once task is started at most once. Its start is committed before the code starts. So a task
        that is only assigned has not started and is reassigned; a task that has started is not.

        %s
        ## How often a task is attempted

        * A failure (error, timeout) uses one of `retry.max` retries, if `retry.on` contains its kind. The wait grows by
          `retry.backoff` from `retry.delay` to `retry.cap`. Jitter adds up to a quarter, never beyond the cap.
        * A lost worker uses no retry and causes no wait. A task may lose at most the larger of 3 and `retry.max` workers;
          with the next lost worker it has `failed`. Without `lost` in `retry.on`, the first lost worker ends it.
        * A task that an executor rejects is not retried, because it would be rejected again.
        * A task that is handed back uses no retry.
        * So there are at most `retry.max + rescues + 1` attempts that were not handed back. All are counted. Of many attempts,
          the first %d and the last %d are kept with their results.

        ## States

        %s
        Filters also accept the names that other schedulers use:

        %s
        ## Refusals

        %s
        ## Why a task is skipped

        %s
        After a pause, the job's policy for missed fires applies to the fires that became due during it. A task that was created waits for a
        worker without a time limit; see [queues and limits](queues-and-limits.md) for tasks that no worker can take.
        """.formatted(
        WRITE,
        TransitionTable.life(),
        TransitionTable.atMostOnce(),
        History.FIRST_KEPT,
        History.LAST_KEPT,
        table(
            "state",
            "meaning",
            Arrays.stream(StateName.values()).map(s -> row(WireName.of(s), s.meaning()))),
        table("name", "state", ALIASES.stream().map(w -> row(w, WireName.of(StateName.parse(w))))),
        table(
            "refusal",
            "because",
            Arrays.stream(Decision.Reason.values())
                .map(r -> row(WireName.of(r).replace('-', ' '), r.meaning()))),
        table(
            "reason",
            "because",
            Arrays.stream(SkipReason.values()).map(r -> row(WireName.of(r), r.sentence()))));
  }

  private static String table(String first, String second, Stream<String> rows) {
    return TransitionTable.head(first, Stream.of(second)) + rows.collect(joining());
  }

  private static String row(String first, String second) {
    return "| " + first + " | " + second + " |\n";
  }
}
