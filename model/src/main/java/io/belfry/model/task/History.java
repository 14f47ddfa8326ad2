package io.belfry.model.task;

import io.belfry.model.retry.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The ended attempts of a task. Counts all of them, and keeps only the first few and the last few, so that the
 * record of a task with many retries stays small.
 *
 * @param first the earliest attempts, at most {@link #FIRST_KEPT}
 * @param last the latest attempts that are not among the first, at most {@link #LAST_KEPT}
 * @param total the number of all attempts, whether kept or not
 * @param failed attempts that ended in an error, a timeout or a rejection
 * @param lost attempts whose worker was lost
 * @param token of the latest attempt
 */
public record History(
    List<EndedAttempt> first,
    List<EndedAttempt> last,
    int total,
    int failed,
    int lost,
    Token token) {

  public static final int FIRST_KEPT = 3;
  public static final int LAST_KEPT = 7;
  public static final History NONE = new History(List.of(), List.of(), 0, 0, 0, Token.ZERO);

  private static final int MESSAGE_CHARS = 1024;

  public History {
    first = List.copyOf(first);
    last = List.copyOf(last);
  }

  History plus(EndedAttempt ended) {
    EndedAttempt kept = brief(ended);
    boolean roomAtFirst = first.size() < FIRST_KEPT;
    return new History(
        roomAtFirst ? appended(first, kept, FIRST_KEPT) : first,
        roomAtFirst ? last : appended(last, kept, LAST_KEPT),
        total + 1,
        failed + (failedLike(ended, false) ? 1 : 0),
        lost + (failedLike(ended, true) ? 1 : 0),
        ended.attempt().token());
  }

  /** The kept attempts, oldest first. */
  public List<EndedAttempt> kept() {
    return Stream.concat(first.stream(), last.stream()).toList();
  }

  public Optional<EndedAttempt> latest() {
    List<EndedAttempt> all = last.isEmpty() ? first : last;
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /** How many attempts between {@link #first} and {@link #last} were dropped. */
  public int dropped() {
    return total - first.size() - last.size();
  }

  private static boolean failedLike(EndedAttempt ended, boolean lost) {
    return ended.ending() instanceof EndedAttempt.Ending.Failed f
        && lost == (f.failure().kind() == FailureKind.LOST);
  }

  private static EndedAttempt brief(EndedAttempt ended) {
    return ended.ending() instanceof EndedAttempt.Ending.Failed(Failure failure)
        ? new EndedAttempt(
            ended.attempt(),
            ended.started(),
            ended.ended(),
            new EndedAttempt.Ending.Failed(failure.brief(MESSAGE_CHARS)))
        : ended;
  }

  private static List<EndedAttempt> appended(List<EndedAttempt> list, EndedAttempt ended, int max) {
    List<EndedAttempt> longer = new ArrayList<>(list);
    longer.add(ended);
    return longer.subList(Math.max(0, longer.size() - max), longer.size());
  }
}
