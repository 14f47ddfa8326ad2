package io.belfry.model.task;

import static java.util.stream.Collectors.joining;

import io.belfry.model.WireName;
import io.belfry.model.missed.SkipReason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The page {@code docs/task-states.md}: prose around what {@link TransitionTable} finds out. */
final class TransitionDoc {
  static final String WRITE = "mvn -pl model -am test -Dtest=TransitionDocTest -Dbelfry.docs=write";
  static final List<String> WORDS_OF_OTHERS = Arrays.stream(StateName.values())
      .flatMap(state -> state.aliases().stream())
      .toList();

  private TransitionDoc() {}

  static String markdown() {
    return """
        # The life of a task

        A task is one occurrence to be carried out once: a job's fire, or something submitted alone. What may be asked of
        it and what follows is decided in one place, `TaskLife` in the module `model`, without I/O, clock or dice:
        `decide(task, command)` answers with events or with a refusal, `apply(task, event)` gives the task that follows.
        Whoever calls it writes the outcome under a guard, and starts over when somebody else was faster.

        This page is printed from that code, and a test compares it. After a change, print it again:
        `%s`

        ## Who may do what, and what follows

        A bold word is the state afterwards, with the events below it; a dash is a refusal, which changes nothing. *Over*
        stands for succeeded, failed, cancelled and skipped, which all answer the same.

        %s
        * A short task speaks only once: from assigned, `Complete` and `Fail` tell both the start and the end.
        * `Cancel` of a task that a worker has is a request. The task goes on until the worker has stopped, and then every
          end but a success is `cancelled`; there is no further try, whoever asks for it.
        * `Rescue` (the worker's lease ended) makes the task due at once. `HandBack` (the worker is stopping) does too.

        ### At most once

        The code of an at-most-once task is started at most once. Its start is written before the code begins, so a task
        that is only assigned has not begun, and is given to somebody else; one that has begun is not.

        %s
        ## How often a task is tried

        * A failure (error, timeout) uses up one of `retry.max` retries, if `retry.on` names its kind. The wait grows by
          `retry.backoff` from `retry.delay` to `retry.cap`; jitter adds up to a quarter, never beyond the cap.
        * A lost worker uses up no retry and causes no wait, but a task may lose at most the larger of 3 and `retry.max`
          workers; with the next one it has `failed`. Without `lost` in `retry.on` the first one ends it.
        * What an executor rejects is not tried again: it would be rejected again.
        * Being handed back counts as nothing.
        * So there are at most `retry.max + rescues + 1` attempts that were not handed back. All are counted; of a long row
          the first %d and the last %d are kept with what they answered.

        ## States

        %s
        The words of other schedulers are understood in filters:

        %s
        ## Refusals

        %s
        ## Why a task is skipped

        %s
        After a pause the policy for missed fires decides about what became due meanwhile. A task that was made waits for a worker, however
        long: see [queues and limits](queues-and-limits.md) for tasks that no worker may take.
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
            table(
                "word",
                "state",
                WORDS_OF_OTHERS.stream().map(w -> row(w, WireName.of(StateName.parse(w))))),
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
