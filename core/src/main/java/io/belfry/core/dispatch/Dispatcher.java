package io.belfry.core.dispatch;

import io.belfry.core.record.WorkerRecord;
import io.belfry.model.Check;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.task.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Decides which waiting task goes next, and to which worker; the leader commits the match, or undoes it.
 *
 * <p><b>Order.</b> A task ranks by its due time, one ageing step earlier for each priority above low; the smaller rank goes first,
 * then the earlier arrival. Among tasks due within one step of each other that is priority order, and within one priority first come,
 * first served. One step of waiting makes up for one priority: a task is overtaken only by those that are due less than
 * (difference in priority) × step after it, so with the default step of five minutes nothing that is due fifteen minutes after a
 * low task ever goes before it. Ranks never change with time, so tasks need not be sorted again as they age.
 *
 * <p>A task is <b>takeable</b> if it is due, its queue is not paused, its limit is not reached, and some worker serves
 * its queue, has its labels, accepts tasks and has credit.
 *
 * <p><b>After a change of leader</b>: {@link #add} the waiting tasks, {@link #holds} the assigned ones, {@link #seen} the workers, in any
 * order. For rates see {@link #following}.
 *
 * <p>It has no bound of its own: the caller refuses new tasks beyond its own cap on {@link #size}.
 *
 * <p>Threading: confined to the leader loop.
 */
public final class Dispatcher<T> {
  public static final Duration DEFAULT_STEP = Duration.ofMinutes(5);

  private static final Duration SHORTEST_STEP = Duration.ofMillis(1);
  private static final Duration LONGEST_STEP = Duration.ofDays(36_500);

  private final Waiting<T> waiting;
  private final LimitBook limits;
  private final RandomGenerator random;
  private final WorkerPool crew = new WorkerPool();
  private Strategy strategy;
  private long visits;

  private Dispatcher(Strategy strategy, Duration step, LimitBook limits, RandomGenerator random) {
    Check.between(
        "dispatch.ageing",
        step,
        SHORTEST_STEP,
        LONGEST_STEP,
        "it is the waiting time that makes up for one priority");
    this.strategy = strategy;
    this.waiting = new Waiting<>(step);
    this.limits = limits;
    this.random = random;
  }

  /** For a namespace in which no task has ever started. */
  public static <T> Dispatcher<T> first(Strategy strategy, Duration step, RandomGenerator random) {
    return new Dispatcher<>(strategy, step, LimitBook.blank(), random);
  }

  /**
   * For a leader that takes over from another. A task with a rate limit starts only after a whole window of that rate has passed since
   * {@code knownSince}, the time of the takeover, because earlier starts are unknown; or sooner, once {@link #recall} and
   * {@link #moveKnown} have reported them.
   */
  public static <T> Dispatcher<T> following(
      long knownSince, Strategy strategy, Duration step, RandomGenerator random) {
    return new Dispatcher<>(strategy, step, LimitBook.knownSince(knownSince), random);
  }

  /** The number of waiting tasks, due or not. */
  public int size() {
    return waiting.size();
  }

  /** Adds a waiting task; replaces one with the same id. */
  public void add(WaitingTask<T> task) {
    waiting.add(task);
  }

  public Optional<WaitingTask<T>> remove(TaskId id) {
    return waiting.remove(id);
  }

  /**
   * Moves the task to its place under the new priority.
   *
   * @param revision of the record with the new priority
   * @return whether it was waiting
   */
  public boolean prioritise(TaskId id, Priority priority, long revision) {
    return waiting.prioritise(id, priority, revision);
  }

  public void pause(String queue) {
    waiting.pause(queue);
  }

  public void resume(String queue) {
    waiting.resume(queue);
  }

  /** A worker registered or sent a heartbeat. */
  public void seen(WorkerRecord worker) {
    long before = crew.changes() + crew.creditChanges();
    PoolWorker member = crew.joinOrUpdate(worker);
    boolean news = before != crew.changes() + crew.creditChanges();
    if (news && member.hasCredit()) { // otherwise rows were set aside although it had credit
      wake(member);
    }
  }

  /** A worker's lease has ended. Its tasks count against their limits until they are {@link #released}. */
  public void left(String worker) {
    crew.leave(worker).ifPresent(strategy::left);
  }

  /** A task that was assigned at that time, before this dispatcher was created, and is still held. */
  public void holds(Reservation hold, long startedNanos, long nanos) {
    crew.taken(hold.worker());
    if (hold.isLimited()) {
      limits.holds(hold.limitKey(), nanos);
      recall(hold.limit(), hold.limitKey(), startedNanos, nanos);
    }
  }

  /** Reports a start before this dispatcher was created, for its rate; in any order. */
  public void recall(Limit limit, String limitKey, long startedNanos, long nanos) {
    limits.recall(limitKey, limit, startedNanos, nanos);
  }

  /** The windows of rates that tasks wait for because the starts within them are not known. */
  public Set<Rate.Unit> unknown(long nanos) {
    return limits.unknown(nanos);
  }

  /** Every start since this time has been reported: tasks that waited only for that need not wait any longer. */
  public void moveKnown(long since) {
    limits.moveKnown(since);
    waiting.wakeTimed();
  }

  /** The first takeable task and its worker, both taken; empty if no task is takeable now. */
  public Optional<Match<T>> next(Instant now, long nanos) {
    waiting.advance(now, nanos);
    while (crew.hasCredit()) {
      Optional<Row<T>> row = waiting.firstRow();
      if (row.isEmpty()) {
        break;
      }
      Optional<Match<T>> match = attempt(row.get(), nanos);
      if (match.isPresent()) {
        return match;
      }
    }
    return Optional.empty();
  }

  /** Takes the row's first task, or sets aside the row or lane that blocks it. */
  private Optional<Match<T>> attempt(Row<T> row, long nanos) {
    visits++;
    if (!row.shortlist.refresh(crew)) {
      waiting.setAside(row);
      return Optional.empty();
    }
    Lane<T> lane = row.lanes.first();
    if (isHeldBack(lane, nanos)) {
      return Optional.empty();
    }
    WaitingTask<T> task = lane.first().task;
    String worker = strategy.choose(row.shortlist, task, random).id();
    return Optional.of(take(new Match<>(task, worker, nanos)));
  }

  /** Whether the limit of the lane is reached; if so, the lane is set aside. */
  private boolean isHeldBack(Lane<T> lane, long nanos) {
    WaitingTask<T> task = lane.first().task;
    if (!task.isLimited()) {
      return false;
    }
    Permission permission = limits.mayStart(task.limitKey(), task.limit(), nanos);
    if (permission == Permission.Now.NOW) {
      return false;
    }
    waiting.setAside(lane, permission);
    return true;
  }

  private Match<T> take(Match<T> match) {
    WaitingTask<T> task = match.task();
    if (task.isLimited()) {
      limits.started(task.limitKey(), task.limit(), match.nanos());
    }
    crew.taken(match.worker());
    waiting.remove(task.id());
    return match;
  }

  /** Switches the queue to pull mode, where workers claim tasks after {@link #admit}, or back to push mode with {@link #next}. */
  public void pull(String queue, boolean pulled) {
    waiting.pull(queue, pulled);
  }

  /**
   * The first task of a queue in pull mode that workers may claim now: due, its limit not reached, served by some worker; its slot
   * under the limit is reserved. Empty if there is none, or if enough tasks of its kind are admitted.
   *
   * @param most how many tasks of one need may be admitted and not claimed
   */
  public Optional<Admission<T>> admit(String queue, int most, Instant now, long nanos) {
    waiting.advance(now, nanos);
    Optional<Row<T>> row = waiting.firstRow(queue);
    while (row.isPresent()) {
      Optional<Admission<T>> admission = attempt(row.get(), most, nanos);
      if (admission.isPresent()) {
        return admission;
      }
      row = waiting.firstRow(queue);
    }
    return Optional.empty();
  }

  private Optional<Admission<T>> attempt(Row<T> row, int most, long nanos) {
    visits++;
    if (!row.shortlist.isServed(crew)) {
      waiting.setAside(row);
      return Optional.empty();
    }
    Lane<T> lane = row.lanes.first();
    if (isHeldBack(lane, nanos)) {
      return Optional.empty();
    }
    return Optional.of(admit(lane.first().task, row, most, nanos));
  }

  private Admission<T> admit(WaitingTask<T> task, Row<T> row, int most, long nanos) {
    if (task.isLimited()) {
      limits.started(task.limitKey(), task.limit(), nanos);
    }
    long rank = waiting.rank(task.id());
    waiting.remove(task.id());
    waiting.admitted(row, 1, most);
    return new Admission<>(task, row, most, rank, nanos);
  }

  /** Admits a waiting task that an earlier leader had admitted: it may be claimed at any time, whatever its limit is now. */
  public Optional<Admission<T>> adopt(TaskId id, int most, long nanos) {
    return waiting.find(id).map(task -> admit(task, waiting.rowOf(id).orElseThrow(), most, nanos));
  }

  /** The worker has claimed the task: the slot reserved at the admission is now the task's. */
  public Reservation claimed(Admission<T> admission, String worker) {
    waiting.admitted(admission.row(), -1, admission.most());
    crew.taken(worker);
    WaitingTask<T> task = admission.task();
    return new Reservation(worker, task.job(), task.limit(), task.limitKey());
  }

  /** No worker can claim the task by this admission any more: frees its slot under the limit. The task itself does not wait. */
  public void withdraw(Admission<T> admission) {
    waiting.admitted(admission.row(), -1, admission.most());
    WaitingTask<T> task = admission.task();
    if (task.isLimited()) {
      limits.undo(task.limitKey(), admission.nanos());
      waiting.wake(task.limitKey());
    }
  }

  /** The commit was refused: frees the slots of the match, and lets the task wait again in its old place. */
  public void undo(Match<T> match) {
    WaitingTask<T> task = match.task();
    if (task.isLimited()) {
      limits.undo(task.limitKey(), match.nanos());
      waiting.wake(task.limitKey());
    }
    free(match.worker());
    if (!waiting.contains(task.id())) { // otherwise a newer revision was added in the meantime
      waiting.add(task);
    }
  }

  /** The attempt ran from start to end in this time. */
  public void ended(Reservation hold, long tookNanos) {
    crew.find(hold.worker()).ifPresent(member -> strategy.ran(member, hold.job(), tookNanos));
    released(hold);
  }

  /** The attempt ended without a run time to learn from: lost, returned, cancelled, timed out. */
  public void released(Reservation hold) {
    if (hold.isLimited()) {
      limits.ended(hold.limitKey());
      waiting.wake(hold.limitKey());
    }
    free(hold.worker());
  }

  private void free(String worker) {
    crew.freed(worker).ifPresent(this::wake);
  }

  private void wake(PoolWorker member) {
    visits += waiting.wake(member);
  }

  /** Replaces the strategy; the new one starts with its own state. */
  public void use(Strategy newStrategy) {
    strategy = newStrategy;
  }

  /** Makes the strategy forget what it has counted or learned, and the turns, but not which tasks workers hold. */
  public void reset() {
    strategy.reset();
    crew.forgetTurns();
  }

  /** The needs of due tasks that no registered worker meets, busy or not; at most {@code most} of them. */
  public List<UnmatchedCount> unserved(int most) {
    return waiting.unserved(crew, most);
  }

  /** The wall-clock time at which the next task becomes due. */
  public Optional<Instant> nextDue() {
    return waiting.nextDue();
  }

  /** The monotonic time at which a rate that holds tasks back is worth another try. */
  public OptionalLong nextRate() {
    return waiting.nextTimer();
  }

  /** How often a row or lane was checked: the measure for the cost of dispatch. */
  long visits() {
    return visits;
  }

  int rows() {
    return waiting.rows();
  }
}
