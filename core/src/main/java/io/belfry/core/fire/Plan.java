package io.belfry.core.fire;

import io.belfry.core.record.Cursor;
import io.belfry.model.missed.SkipReason;
import java.util.List;

/**
 * The leader's next commit for one job: the outcomes and the cursor, together.
 *
 * @param outcomes oldest first, at most {@link FirePlan#OUTCOMES_MAX}; empty if nothing is due
 * @param cursor after them
 * @param replaces whether the newest fire replaces all other tasks of the job, which are cancelled; it starts once they have
 *     ended
 * @param more whether more is due already, for the next commit
 */
public record Plan(List<Outcome> outcomes, Cursor cursor, boolean replaces, boolean more) {

  public Plan {
    outcomes = List.copyOf(outcomes);
  }

  static Plan nothing(Cursor cursor) {
    return new Plan(List.of(), cursor, false, false);
  }

  /** Whether the cursor must be written: also if nothing is due any more although the old cursor announced it. */
  public boolean changes(Cursor before) {
    return !cursor.equals(before);
  }

  /** Whether an instant is skipped because a task of the job has not ended. */
  public boolean overlaps() {
    return outcomes.stream()
        .anyMatch(outcome ->
            outcome instanceof Outcome.Skip(var range) && range.reason() == SkipReason.OVERLAP);
  }

  public List<Outcome.Fire> fires() {
    return outcomes.stream()
        .filter(Outcome.Fire.class::isInstance)
        .map(Outcome.Fire.class::cast)
        .toList();
  }
}
