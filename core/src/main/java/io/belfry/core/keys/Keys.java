package io.belfry.core.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Every key of the core. Spaces declare only the features they need, because each declaration costs on each write. */
public final class Keys {
  /** Job definitions. Not watched: every change rewrites the cursor, which is. */
  public static final Space JOBS = Space.plain("j").inOrder();
  /** Cursors of jobs, watched by every scheduler node. */
  public static final Space CURSORS = Space.plain("c").inOrder().watchedTogether();
  /** Generation and last instant of deleted jobs, so that neither is reused by a new job with the same id. */
  public static final Space BURIED = Space.plain("g");
  /** Saved versions of job definitions, by generation; also of deleted jobs. */
  public static final Space VERSIONS = Space.plain("jv").inOrder();
  /** Deleted jobs by the hour in which their versions expire. */
  public static final Space VERSION_EXPIRY = Space.plain("je").inOrder();
  /** Unfinished tasks. Not watched: the writer of a task notifies the nodes concerned. */
  public static final Space TASKS = Space.plain("t").inOrder();
  /** Messages of submitters to the leader, one key per node. */
  public static final Space NEWS = Space.plain("new").inOrder().watchedTogether();
  /** Messages of the leader to a worker, one key per worker. */
  public static final Space INBOXES = Space.plain("in").inOrder().watchedByKey();
  /** Messages of workers to the leader, one key per worker. */
  public static final Space REPORTS = Space.plain("done").inOrder().watchedTogether();
  /** Requests to the leader, until it has handled them. */
  public static final Space REQUESTS = Space.plain("ask").inOrder().watchedTogether();
  /** Idempotency keys of callers, and fires triggered from outside. */
  public static final Space DEDUP = Space.plain("k");
  /** Idempotency keys by the hour in which they expire. */
  public static final Space DEDUP_EXPIRY = Space.plain("ke").inOrder();
  /** Finished tasks as workers wrote them. */
  public static final Space FRESH_HISTORY = Space.plain("h0").inOrder();
  /** Finished tasks, many in one value. Read by name only, which the heads tell. */
  public static final Space SEGMENTS = Space.plain("h1");
  /** The content of each segment, from the newest to the oldest. */
  public static final Space SEGMENT_HEADS = Space.plain("hx").inOrder();
  /** Segments by the hour in which they expire. */
  public static final Space SEGMENT_EXPIRY = Space.plain("he").inOrder();
  /** Segments of jobs that keep only their last tasks, from the newest to the oldest. */
  public static final Space SEGMENT_COUNTS = Space.plain("hn").inOrder();
  /** How far history has been deleted, and up to which hours small segments have been merged. */
  public static final Space HISTORY_MARKS = Space.plain("hm");
  /** Counts and durations of each job's tasks, by hour. */
  public static final Space ROLLUPS = Space.plain("r").inOrder();
  /** Rollups of many jobs together, until they are added to those of each job. */
  public static final Space ROLLUP_BATCHES = Space.plain("rb").inOrder();
  /** Progress of attempts, one key per attempt, under their workers' leases. */
  public static final Space PROGRESS = Space.plain("p");
  /** Heads of attempt logs: what each log contains. */
  public static final Space LOG_HEADS = Space.plain("lh").inOrder();
  /** Pieces of logs. Read by name only, which the heads tell. */
  public static final Space LOGS = Space.plain("l");
  /** Reports of attempts that had already been taken away: the last ones of each task. */
  public static final Space LATE_REPORTS = Space.plain("late").inOrder();
  /** Which jobs run after which; watched by the leader. */
  public static final Space AFTER = Space.plain("af").inOrder().watchedTogether();
  /** Calendars, the pending work after their changes, and their edition; watched by the leader. */
  public static final Space CALENDARS = Space.plain("cal").inOrder().watchedTogether();
  /** Which jobs use which calendar. */
  public static final Space CALENDAR_USERS = Space.plain("cu").inOrder();
  /** Skipped instants, with their reason. */
  public static final Space SKIPS = Space.plain("skip").inOrder();
  /** Workers, under their leases. */
  public static final Space WORKERS = Space.plain("w").inOrder().watchedTogether();
  /** Operators' orders for workers, one key per worker. Not under its lease, because the worker may lose that and live on. */
  public static final Space WORKER_ORDERS = Space.plain("wo").inOrder().watchedByKey();
  /** Nodes, under their leases. */
  public static final Space NODES = Space.plain("n").inOrder().watchedTogether();
  /** Events, published by the leader while other nodes subscribe to them. */
  public static final Space EVENTS = Space.plain("ev").watchedTogether();
  /** The leader key, under the leader's lease. May be on another engine than all other spaces. */
  public static final Space ELECTION = Space.plain("lead").watchedTogether();
  /** The term: the fence of the leader's writes. */
  public static final Space TERM = Space.plain("term").watchedTogether();
  /** Settings of the whole namespace that change at run time. */
  public static final Space SETTINGS = Space.plain("s").inOrder().watchedTogether();

  /** Marks that the namespace has ended. Not watched: it guards every commit that accepts something new. */
  public static final Space END = Space.plain("end");

  /** Settings of queues. */
  public static final Space QUEUES = Space.plain("q").inOrder().watchedTogether();
  /**
   * Claimable tasks, one key per queue in pull mode. One feed for all workers, because a message carries many tasks, and a worker
   * that serves all queues does not know their names.
   */
  public static final Space OFFERS = Space.plain("offer").inOrder().watchedTogether();

  public static final Key LEADER = Key.of(ELECTION, "leader");
  /** A random name of the election engine's data set, created once. */
  public static final Key ELECTION_DATA_SET = Key.of(ELECTION, "dataset");

  public static final Key FENCE = Key.of(TERM, "term");
  /** Rewritten to find out whether the state engine accepts writes. In a watched space, like most of what a leader writes. */
  public static final Key WRITE_PROBE = Key.of(TERM, "probe");

  public static final Key EVENT_BATCH = Key.of(EVENTS, "lot");
  public static final Key FORGOTTEN = Key.of(HISTORY_MARKS, "forgotten");
  /** When the store had reached which revisions, for about the last hour. */
  public static final Key REVISION_TIMES = Key.of(HISTORY_MARKS, "revisions");

  public static final Key MERGED = Key.of(HISTORY_MARKS, "merged");
  public static final Key MERGED_RATED = Key.of(HISTORY_MARKS, "merged-rated");
  /** The newest end among tasks that were deleted before their retention ended, because history had become too large. */
  public static final Key DROPPED_EARLY = Key.of(HISTORY_MARKS, "dropped");
  /** The batches of rollups that are being added to those of each job. */
  public static final Key ROLLED = Key.of(HISTORY_MARKS, "rolled");

  public static final Key NAMESPACE = Key.of(SETTINGS, "namespace");
  /** While it exists, the namespace accepts nothing new. */
  public static final Key ENDED = Key.of(END, "mark");
  /** Whether submitted tasks are accepted. */
  public static final Key FULLNESS = Key.of(SETTINGS, "full");
  /** Whether idempotency keys are accepted. */
  public static final Key KEYS_FULL = Key.of(SETTINGS, "keys");

  /** Rewritten by every change of which jobs run after which. Sorts before all ids, so that a scan never finds it newer than the rest. */
  public static final Key AFTER_EDITION = Key.of(AFTER, ".");

  /** Rewritten by every change of a calendar; first in a scan, for the same reason. */
  public static final Key CALENDAR_EDITION = Key.of(CALENDARS, ".");

  /** In the place of a job id: all jobs, and tasks without a job. No id looks like this. */
  public static final String ALL_JOBS = "*";

  private static final int EXPIRY_HOUR_CHARS = 8;
  private static final String CLAIMS = "/claims";
  private static final char INCARNATION = '~';

  private Keys() {}

  public static Key job(JobId job) {
    return Key.of(JOBS, job.value());
  }

  public static Key cursor(JobId job) {
    return Key.of(CURSORS, job.value());
  }

  /**
   * The highest generation of the purged jobs. A new job continues after it, so that no generation of an id is ever reused, although
   * records of deleted jobs are purged. No id looks like this.
   */
  public static final Key FORGOTTEN_JOBS = Key.of(BURIED, ".");

  public static Key buried(JobId job) {
    return Key.of(BURIED, job.value());
  }

  /** Versions of a job, ordered by generation. */
  public static Key version(JobId job, long generation) {
    return Key.of(VERSIONS, versionName(job, generation));
  }

  public static Scan versions(JobId job) {
    return Scan.prefix(VERSIONS, (job + "/").getBytes(UTF_8));
  }

  /** Marks that a job was deleted at this generation. */
  public static Key versionExpiry(long untilMillis, JobId job, long generation) {
    return Key.of(
        VERSION_EXPIRY,
        hour(Duration.ofMillis(untilMillis).toHours() + 1) + "/" + versionName(job, generation));
  }

  /** The part after the hour in the name of such an expiry. Ids contain no slash. */
  public static String versionName(JobId job, long generation) {
    return "%s/%016x".formatted(job, generation);
  }

  public static JobId versionJob(String name) {
    return new JobId(name.substring(0, name.indexOf('/')));
  }

  public static long versionGeneration(String name) {
    return Long.parseLong(name, name.indexOf('/') + 1, name.length(), 16);
  }

  /** Marks that one job runs after another. Ids contain no slash. */
  public static Key after(JobId predecessor, JobId follower) {
    return Key.of(AFTER, predecessor + "/" + follower);
  }

  /** The jobs that run after this one, ordered by id. */
  public static Scan followers(JobId predecessor) {
    return Scan.prefix(AFTER, (predecessor + "/").getBytes(UTF_8));
  }

  public static Key task(TaskId task) {
    return Key.of(TASKS, task.toString());
  }

  public static Key progress(TaskId task, long token) {
    return Key.of(PROGRESS, attempt(task, token));
  }

  public static Key logHead(TaskId task, long token) {
    return Key.of(LOG_HEADS, attempt(task, token));
  }

  /** The records of a task in this space: log heads, ordered by attempt because tokens grow, or late reports. */
  public static Scan ofTask(Space space, TaskId task) {
    return Scan.prefix(space, (task + "/").getBytes(UTF_8));
  }

  public static Key logPiece(TaskId task, long token, int slot) {
    return Key.of(LOGS, "%s/%02x".formatted(attempt(task, token), slot));
  }

  /** A late report of a task, which has a few places for them. */
  public static Key lateReport(TaskId task, int place) {
    return Key.of(LATE_REPORTS, task + "/" + place);
  }

  private static String attempt(TaskId task, long token) {
    return "%s/%016x".formatted(task, token);
  }

  /** A node's messages to the leader about submitted tasks; it has several such keys, so that one commit need not wait for another. */
  public static Key news(String node, int lane) {
    return Key.of(NEWS, node + "/" + lane);
  }

  /** The node or worker that wrote this news, report or claim. For any other key: its whole name. */
  public static String teller(Key key) {
    int slash = key.text().lastIndexOf('/');
    return slash < 0 ? key.text() : key.text().substring(0, slash);
  }

  public static Key inbox(String worker) {
    return Key.of(INBOXES, worker);
  }

  /** A worker's messages to the leader about its attempts, on several keys, too. */
  public static Key reports(String worker, int lane) {
    return Key.of(REPORTS, worker + "/" + lane);
  }

  /** A worker's messages to the leader about tasks that it claimed. */
  public static Key claims(String worker) {
    return Key.of(REPORTS, worker + CLAIMS);
  }

  public static Key queue(String queue) {
    return Key.of(QUEUES, queue);
  }

  public static Key offer(String queue) {
    return Key.of(OFFERS, queue);
  }

  /** The request for a task of a job, for this incarnation of the job. */
  public static Key trigger(TaskId task, long incarnation) {
    return request("t" + ofIncarnation(task, incarnation));
  }

  /** The incarnation of the job in such a request. */
  public static long triggerIncarnation(Key request) {
    int mark = request.text().lastIndexOf(INCARNATION);
    return mark < 0
        ? 1
        : Long.parseLong(request.text(), mark + 1, request.text().length(), 10);
  }

  /** Marks that the task of this instant was requested, for this incarnation of its job. */
  public static Key asked(TaskId task, long incarnation) {
    return dedup(ofIncarnation(task, incarnation));
  }

  /** A name that keeps requests for a deleted job apart from those for a later job with its id. No id contains this mark. */
  public static String ofIncarnation(TaskId task, long incarnation) {
    return incarnation <= 1 ? task.toString() : task.toString() + INCARNATION + incarnation;
  }

  public static Key request(String id) {
    return Key.of(REQUESTS, id);
  }

  public static Key dedup(String key) {
    return Key.of(DEDUP, key);
  }

  public static Key dedupExpiry(long untilMillis, String key) {
    return Key.of(DEDUP_EXPIRY, hour(Duration.ofMillis(untilMillis).toHours() + 1) + "/" + key);
  }

  /** All entries whose hour, with which the names begin, has come. */
  public static Scan expired(Space expiry, long nowMillis) {
    return new Scan(
        expiry,
        new byte[0],
        hour(Duration.ofMillis(nowMillis).toHours() + 1).getBytes(UTF_8),
        Limits.SCAN_ENTRIES_MAX);
  }

  /** The part after the hour in the name of an expiry. */
  public static String expiring(Key expiry) {
    return expiry.text().substring(EXPIRY_HOUR_CHARS + 1);
  }

  /** The same; empty if the name is malformed. */
  public static Optional<String> expiringName(Key expiry) {
    return expiry.text().length() > EXPIRY_HOUR_CHARS + 1
        ? Optional.of(expiring(expiry))
        : Optional.empty();
  }

  /** Hourly rollups of a job, in order. {@code job} may be empty, for tasks without a job, or {@link #ALL_JOBS}. */
  public static Key rollup(String job, long hour) {
    return Key.of(ROLLUPS, job + "/" + hour(hour));
  }

  /**
   * A batch of rollups.
   *
   * @param fresh a unique number
   */
  public static Key rollupBatch(long fresh) {
    return Key.of(ROLLUP_BATCHES, "%016x".formatted(fresh));
  }

  /** The hour of a rollup. */
  public static long rollupHour(Key rollup) {
    String name = rollup.text();
    return Long.parseLong(name, name.lastIndexOf('/') + 1, name.length(), 16);
  }

  /** Rollups of a job from one hour to another, both included. */
  public static Scan rollups(String job, long from, long to) {
    return new Scan(
        ROLLUPS, rollup(job, from).name(), rollup(job, to + 1).name(), Limits.SCAN_ENTRIES_MAX);
  }

  static String hour(long hour) {
    return "%08x".formatted(Math.max(0, hour));
  }

  public static Key worker(String worker) {
    return Key.of(WORKERS, worker);
  }

  /** The workers with one configured id, of any incarnation. */
  public static Scan workers(String configured) {
    return Scan.prefix(WORKERS, (configured + "~").getBytes(UTF_8));
  }

  public static Key workerOrder(String worker) {
    return Key.of(WORKER_ORDERS, worker);
  }

  public static Key node(String node) {
    return Key.of(NODES, node);
  }

  /** History batches of a worker, in the order in which it finished them. */
  public static Key freshHistory(String worker, long number) {
    return Key.of(FRESH_HISTORY, "%s/%016x".formatted(worker, number));
  }

  /** Skips of a job, ordered by their first instant. */
  public static Key skip(JobId job, Instant from) {
    byte[] id = job.value().getBytes(UTF_8);
    return Key.of(
        SKIPS,
        ByteBuffer.allocate(id.length + 1 + Long.BYTES)
            .put(id)
            .put((byte) '/')
            .putLong(from.toEpochMilli() ^ Long.MIN_VALUE)
            .array());
  }
}
