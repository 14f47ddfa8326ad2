package io.belfry.library;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.StateName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What this node can tell of itself at any time without asking anybody, for a program that collects figures: a read costs the same however
 * much there is, and never waits for the store. What is counted is counted since this Belfry was opened and never goes down; of what
 * happens in the namespace the node that leads counts everything, and the others nothing. So the figures of all nodes add up.
 *
 * @param live unfinished tasks; only while this node leads
 * @param tasks what became of tasks
 * @param skipped due instants that were not fired, by reason; those that never occurred with 0
 * @param electionsWon how often this node became the leader
 * @param eventsDropped events that callbacks were too slow for, or that did not arrive from the leader
 * @param reportsRejected reports under an old token, which were not accepted
 * @param repaired how often this node, while it led, believed something of a task or a job that did not stand in the store, and put it
 *     right; it should stay 0
 * @param history how the leader's housekeeping of history gets on, by what this node saw while it led
 * @param keysRefused calls that were refused because there were too many idempotency keys
 * @param caches what this node keeps in memory of what it has read
 * @param lateness from when tasks were due until they were first given to a worker, in seconds
 * @param runTime of the attempts with which tasks succeeded, in seconds
 * @param commits how this node's store gets on
 * @param attemptsRunning attempts whose code runs in this process now
 * @param leaseLosses how often this node's worker lost its lease, and what that cost
 * @param restarts how often each part of this node ({@code decider}, {@code worker}) was restarted because a step of it threw; it should
 *     stay 0
 * @param uptime since this Belfry was opened
 * @param counting whether this node counts what happens; if {@link Settings#metrics} is off, what is counted is 0 and means nothing
 */
public record Readings(
    Optional<Live> live,
    Tasks tasks,
    Map<SkipReason, Long> skipped,
    long electionsWon,
    long eventsDropped,
    long reportsRejected,
    long repaired,
    Retained history,
    long keysRefused,
    Caches caches,
    Distribution lateness,
    Distribution runTime,
    Commits commits,
    long attemptsRunning,
    LeaseLosses leaseLosses,
    Map<String, Long> restarts,
    Duration uptime,
    boolean counting) {

  /**
   * Unfinished tasks now.
   *
   * @param counts by state ({@code PENDING RETRYING ASSIGNED RUNNING}) and priority; all of them are there
   * @param waitingByQueue tasks that wait, for their time or for a worker; of more than 500 queues the rest is counted under the empty name
   * @param unmatchedByQueue tasks among them that have waited for long and that no worker may take
   */
  public record Live(
      Map<StateName, Map<Priority, Long>> counts,
      Map<String, Long> waitingByQueue,
      Map<String, Long> unmatchedByQueue) {}

  /**
   * What became of tasks.
   *
   * @param submitted came into being: fired, triggered, submitted
   * @param completed ended well
   * @param failed ended badly, retries included
   * @param cancelled ended because somebody asked for it
   * @param retried attempts after which the task waited again
   * @param assigned attempts that were given to a worker
   * @param undone those of them that came back although their code had not begun
   */
  public record Tasks(
      long submitted,
      long completed,
      long failed,
      long cancelled,
      long retried,
      long assigned,
      long undone) {}

  /**
   * How housekeeping of history gets on.
   *
   * @param recordsPassedOver how often a record was passed over because it could not be read or processed
   * @param rollupsDropped rollups by job and hour that were not kept, because too many finished tasks waited to be folded
   * @param unfolded lots of finished tasks that wait to be folded
   * @param unfoldedBytes what these weigh; from 32 MiB on they are not counted further
   * @param bytes what all packs of finished tasks weigh
   * @param packsDroppedEarly packs that were dropped before their time, because they weighed too much together
   * @param idempotencyKeys idempotency keys and records of triggers that have not expired
   * @param rollups rollups of a job and an hour or day
   * @param rollupBytes what these weigh
   * @param skipRecords records of skipped fires
   */
  public record Retained(
      long recordsPassedOver,
      long rollupsDropped,
      long unfolded,
      long unfoldedBytes,
      long bytes,
      long packsDroppedEarly,
      long idempotencyKeys,
      long rollups,
      long rollupBytes,
      long skipRecords) {}

  /**
   * What a node keeps in memory of what it has read, in bytes. Each has its own bound.
   *
   * @param historyFilters filters by which task ids are found in history
   * @param logs logs that were followed
   * @param executors settings that executors have read, by the type of the executor; those of this node's worker
   */
  public record Caches(long historyFilters, long logs, Map<String, Long> executors) {}

  /**
   * What this node's worker stopped by itself, because a leader may give its tasks to others once its lease has ended. It should stay 0 but
   * for outages of the engine and long pauses of the process.
   *
   * @param leases how often the lease was lost: it could not be renewed in time, or had ended
   * @param attemptsStopped attempts that were stopped because of that; their tasks are tried again
   */
  public record LeaseLosses(long leases, long attemptsStopped) {}

  /**
   * How commits get on, lot by lot.
   *
   * @param time from when a lot was sent until its answer, in seconds
   * @param lotSize commits in a lot
   * @param unanswered lots that failed as a whole, or whose outcome is not known
   */
  public record Commits(Distribution time, Distribution lotSize, long unanswered) {}
}
