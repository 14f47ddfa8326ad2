package io.belfry.core.history;

import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Rollup;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.job.JobId;
import io.belfry.model.task.StateName;
import io.belfry.model.task.Task;
import java.time.Instant;
import java.util.Optional;

/**
 * A filter for tasks.
 *
 * @param worker that runs it or ran it last: its configured id, or that with its incarnation
 * @param since finished tasks that ended then or later, other tasks that were created then or later
 * @param until likewise, then or earlier
 */
public record Query(
    Optional<StateName> state,
    Optional<JobId> job,
    Optional<String> queue,
    Optional<String> worker,
    Optional<Instant> since,
    Optional<Instant> until) {

  public static final Query ALL = new Query(
      Optional.empty(),
      Optional.empty(),
      Optional.empty(),
      Optional.empty(),
      Optional.empty(),
      Optional.empty());

  public Query withState(StateName wanted) {
    return new Query(Optional.of(wanted), job, queue, worker, since, until);
  }

  public Query withJob(JobId wanted) {
    return new Query(state, Optional.of(wanted), queue, worker, since, until);
  }

  public Query withQueue(String wanted) {
    return new Query(state, job, Optional.of(wanted), worker, since, until);
  }

  public Query withWorker(String wanted) {
    return new Query(state, job, queue, Optional.of(wanted), since, until);
  }

  public Query between(Instant from, Instant to) {
    return new Query(state, job, queue, worker, Optional.of(from), Optional.of(to));
  }

  boolean wantsUnfinished() {
    return state.isEmpty() || !isEnd(state.get());
  }

  boolean wantsFinished() {
    return state.isEmpty() || isEnd(state.get());
  }

  private static boolean isEnd(StateName state) {
    return Rollup.ENDS.contains(state);
  }

  boolean matches(Task task) {
    return state.map(s -> s == task.stateName()).orElse(true)
        && job.map(j -> task.id().jobId().equals(Optional.of(j))).orElse(true)
        && isWithin(task.ended().orElse(task.created()).toEpochMilli())
        && matchesRest(task);
  }

  /** Whether a row may match, judging by the columns of its segment. */
  boolean mayMatch(HistorySegment segment, int row) {
    return state.map(s -> s == segment.state(row)).orElse(true)
        && job.map(j -> j.value().equals(segment.job(row))).orElse(true)
        && isWithin(segment.end(row));
  }

  /** Whether a segment may contain a match, judging by its head. */
  boolean mayMatch(SegmentHead head) {
    return state.map(s -> head.count(s) > 0).orElse(true)
        && job.map(j -> head.jobs().mayContain(j.value())).orElse(true)
        && since.map(from -> head.lastEnd() >= from.toEpochMilli()).orElse(true)
        && until.map(to -> head.firstEnd() <= to.toEpochMilli()).orElse(true);
  }

  /** Whether the columns of a segment suffice to decide. */
  boolean isAnsweredByColumns() {
    return queue.isEmpty() && worker.isEmpty();
  }

  /** The conditions that no column covers. */
  boolean matchesRest(Task task) {
    return queue.map(task.work().queue()::equals).orElse(true)
        && worker.map(name -> isBy(name, task)).orElse(true);
  }

  private static boolean isBy(String name, Task task) {
    return task.worker()
        .filter(by -> by.equals(name) || by.startsWith(name + "~"))
        .isPresent();
  }

  private boolean isWithin(long millis) {
    return since.map(from -> millis >= from.toEpochMilli()).orElse(true)
        && until.map(to -> millis <= to.toEpochMilli()).orElse(true);
  }
}
