package io.belfry.library;

import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.StateName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Metrics of this node, read from memory without access to the store, for a metrics exporter. Counters start when this {@link Belfry} is opened
 * and never decrease. Only the leader counts events of the namespace, so the counters of all nodes add up.
 *
 * @param live unfinished tasks; empty unless this node is the leader
 * @param tasks task counters
 * @param skipped number of skipped fires by reason, including reasons with 0
 * @param electionsWon number of elections won by this node
 * @param eventsDropped number of events dropped because a callback was too slow, or lost on the way from the leader
 * @param reportsRejected number of reports rejected because of an outdated fencing token
 * @param repaired number of times this node, as the leader, corrected a cached task or job that differed from the store; should stay 0
 * @param history history and housekeeping metrics, collected while this node was the leader
 * @param keysRefused number of calls refused because the limit of idempotency keys was reached
 * @param caches sizes of this node's caches
 * @param lateness histogram of the time from when a task was due until its first assignment, in seconds
 * @param runTime histogram of the run time of successful attempts, in seconds
 * @param commits store commits of this node
 * @param attemptsRunning number of attempts running in this process
 * @param leaseLosses lost leases of this node's worker
 * @param restarts number of restarts of each part of this node ({@code decider} for the scheduler loop, {@code worker}) after an unexpected
 *     error; should stay 0
 * @param uptime time since this {@link Belfry} was opened
 * @param counting whether {@link Settings#metrics} is enabled on this node; if not, all counters are 0
 */
public record NodeMetrics(
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
   * Numbers of unfinished tasks.
   *
   * @param counts by state ({@code PENDING RETRYING ASSIGNED RUNNING}) and priority, including zeros
   * @param waitingByQueue waiting tasks by queue; queues beyond the first 500 are added up under the empty name
   * @param unmatchedByQueue waiting tasks that no worker has matched for longer than {@link Settings#unmatchedAfter}, by queue
   */
  public record Live(
      Map<StateName, Map<Priority, Long>> counts,
      Map<String, Long> waitingByQueue,
      Map<String, Long> unmatchedByQueue) {}

  /**
   * Task counters.
   *
   * @param submitted tasks created by fires, triggers and submissions
   * @param completed tasks that succeeded
   * @param failed tasks that failed after all retries
   * @param cancelled tasks that were cancelled
   * @param retried attempts followed by a retry
   * @param assigned attempts assigned to a worker
   * @param undone assigned attempts that were taken back before their code started
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
   * History and housekeeping metrics.
   *
   * @param recordsSkipped number of times a record was skipped because it could not be read or processed
   * @param rollupsDropped number of hourly rollups that were dropped because compaction could not keep up
   * @param unfolded number of batches of finished tasks that wait for compaction
   * @param unfoldedBytes size of these batches; not measured beyond 32 MiB
   * @param bytes size of all history segments
   * @param segmentsDroppedEarly number of history segments deleted before their retention time, because of the size limit
   * @param idempotencyKeys number of unexpired idempotency keys and trigger records
   * @param rollups number of hourly and daily rollups
   * @param rollupBytes size of the rollups
   * @param skipRecords number of records of skipped fires
   */
  public record Retained(
      long recordsSkipped,
      long rollupsDropped,
      long unfolded,
      long unfoldedBytes,
      long bytes,
      long segmentsDroppedEarly,
      long idempotencyKeys,
      long rollups,
      long rollupBytes,
      long skipRecords) {}

  /**
   * Sizes of the caches of this node, in bytes. Each is bounded.
   *
   * @param historyFilters Bloom filters used to find task ids in history
   * @param logs logs of followed tasks
   * @param executors parsed executor settings of this node's worker, by executor type
   */
  public record Caches(long historyFilters, long logs, Map<String, Long> executors) {}

  /**
   * Lost worker leases. A worker whose lease has expired stops its attempts before the leader reassigns them. Should stay 0 except for engine
   * outages and long pauses of the process.
   *
   * @param leases number of leases lost because they were not renewed in time
   * @param attemptsStopped number of attempts stopped because of that; their tasks are retried
   */
  public record LeaseLosses(long leases, long attemptsStopped) {}

  /**
   * Store commits, which are sent in batches.
   *
   * @param time histogram of the time from sending a batch until its response, in seconds
   * @param batchSize histogram of the number of commits in a batch
   * @param unanswered number of batches that failed as a whole or whose outcome is unknown
   */
  public record Commits(Distribution time, Distribution batchSize, long unanswered) {}
}
