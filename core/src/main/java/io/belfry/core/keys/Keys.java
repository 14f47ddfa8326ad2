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

/** Every key of the core. Spaces declare only what somebody needs, because each declaration costs on each write. */
public final class Keys {
  /** Definitions of jobs. Not watched: every change rewrites the cursor, which is. */
  public static final Space JOBS = Space.plain("j").inOrder();
  /** Cursors of jobs, followed by every scheduler node. */
  public static final Space CURSORS = Space.plain("c").inOrder().watchedTogether();
  /** Generation and last instant of deleted jobs, so that neither comes back with a job of the same id. */
  public static final Space BURIED = Space.plain("g");
  /** Definitions of jobs as they were saved, by generation; also of jobs that are gone. */
  public static final Space VERSIONS = Space.plain("jv").inOrder();
  /** Deleted jobs by the hour in which their versions may be forgotten. */
  public static final Space VERSION_EXPIRY = Space.plain("je").inOrder();
  /** Unfinished tasks. Not watched: whoever writes one tells whom it concerns. */
  public static final Space TASKS = Space.plain("t").inOrder();
  /** What submitters tell the leader, one key per node. */
  public static final Space NEWS = Space.plain("new").inOrder().watchedTogether();
  /** What the leader tells a worker, one key per worker. */
  public static final Space INBOXES = Space.plain("in").inOrder().watchedByKey();
  /** What workers tell the leader, one key per worker. */
  public static final Space REPORTS = Space.plain("done").inOrder().watchedTogether();
  /** Requests to the leader, until it has met them. */
  public static final Space REQUESTS = Space.plain("ask").inOrder().watchedTogether();
  /** Callers' idempotency keys, and fires triggered from outside. */
  public static final Space DEDUP = Space.plain("k");
  /** The same by the hour in which they may be forgotten. */
  public static final Space DEDUP_EXPIRY = Space.plain("ke").inOrder();
  /** Finished tasks as workers left them. */
  public static final Space FRESH_HISTORY = Space.plain("h0").inOrder();
  /** Finished tasks, many in one value. Read by name only: the heads say which. */
  public static final Space PACKS = Space.plain("h1");
  /** What is in which pack, from the newest to the oldest. */
  public static final Space PACK_HEADS = Space.plain("hx").inOrder();
  /** Packs by the hour in which they may be forgotten. */
  public static final Space PACK_EXPIRY = Space.plain("he").inOrder();
  /** Packs of jobs of which only the last tasks must be kept, from the newest to the oldest. */
  public static final Space PACK_COUNTS = Space.plain("hn").inOrder();
  /** How far history has been forgotten, and up to which hours small packs have been put together. */
  public static final Space HISTORY_MARKS = Space.plain("hm");
  /** Counts and times of each job's tasks, hour by hour. */
  public static final Space ROLLUPS = Space.plain("r").inOrder();
  /** Rollups of many jobs together, until they are added to those of each job. */
  public static final Space ROLLUP_BATCHES = Space.plain("rb").inOrder();
  /** How far attempts have come, one key per attempt, under their workers' leases. */
  public static final Space PROGRESS = Space.plain("p");
  /** What there is of the log of each attempt. */
  public static final Space LOG_HEADS = Space.plain("lh").inOrder();
  /** The logs themselves. Read by name only: the heads say which. */
  public static final Space LOGS = Space.plain("l");
  /** What was reported of attempts that had been taken away: the last of each task. */
  public static final Space LATE_REPORTS = Space.plain("late").inOrder();
  /** Which jobs run after which, followed by the leader. */
  public static final Space AFTER = Space.plain("af").inOrder().watchedTogether();
  /** Calendars, what is still to be done after their changes, and their edition; followed by the leader. */
  public static final Space CALENDARS = Space.plain("cal").inOrder().watchedTogether();
  /** Which jobs go by which calendar. */
  public static final Space CALENDAR_USERS = Space.plain("cu").inOrder();
  /** Instants that were not fired, with their reason. */
  public static final Space SKIPS = Space.plain("skip").inOrder();
  /** Workers, under their leases. */
  public static final Space WORKERS = Space.plain("w").inOrder().watchedTogether();
  /** What people have ordered of workers, one key per worker. Not under its lease, because the worker may lose that and live on. */
  public static final Space WORKER_ORDERS = Space.plain("wo").inOrder().watchedByKey();
  /** Nodes, under their leases. */
  public static final Space NODES = Space.plain("n").inOrder().watchedTogether();
  /** What happened, told by the leader while a node that does not lead wants to know. */
  public static final Space EVENTS = Space.plain("ev").watchedTogether();
  /** Who may try to lead, under its lease. May lie on another engine than all the rest. */
  public static final Space ELECTION = Space.plain("lead").watchedTogether();
  /** The fence of the leader's writes. */
  public static final Space TERM = Space.plain("term").watchedTogether();
  /** What is switched at run time for the whole namespace. */
  public static final Space SETTINGS = Space.plain("s").inOrder().watchedTogether();

  /** Whether the namespace has ended. Not watched: whoever takes something in is guarded by it. */
  public static final Space END = Space.plain("end");

  /** How queues are served. */
  public static final Space QUEUES = Space.plain("q").inOrder().watchedTogether();
  /**
   * What may be claimed, one key per queue in pull mode. One feed for all workers, because a message carries many tasks, and a worker
   * that serves all queues does not know their names.
   */
  public static final Space OFFERS = Space.plain("offer").inOrder().watchedTogether();

  public static final Key LEADER = Key.of(ELECTION, "leader");
  /** A name of the election engine's data set, made once. */
  public static final Key ELECTION_DATA_SET = Key.of(ELECTION, "dataset");

  public static final Key FENCE = Key.of(TERM, "term");
  /** Rewritten to find out whether the state engine accepts writes. In a watched space, as most of what a leader writes is. */
  public static final Key WRITE_PROBE = Key.of(TERM, "probe");

  public static final Key EVENT_LOT = Key.of(EVENTS, "lot");
  public static final Key FORGOTTEN = Key.of(HISTORY_MARKS, "forgotten");
  /** Which revisions the store had reached when, for the last hour or so. */
  public static final Key REVISION_TIMES = Key.of(HISTORY_MARKS, "revisions");

  public static final Key MERGED = Key.of(HISTORY_MARKS, "merged");
  public static final Key MERGED_RATED = Key.of(HISTORY_MARKS, "merged-rated");
  /** The newest end among tasks that were dropped before their time, because history weighed too much. */
  public static final Key DROPPED_EARLY = Key.of(HISTORY_MARKS, "dropped");
  /** Which batches of rollups are being added to those of each job. */
  public static final Key ROLLED = Key.of(HISTORY_MARKS, "rolled");

  public static final Key NAMESPACE = Key.of(SETTINGS, "namespace");
  /** While it exists, the namespace takes in nothing new. */
  public static final Key ENDED = Key.of(END, "mark");
  /** Whether there is room for submitted tasks. */
  public static final Key FULLNESS = Key.of(SETTINGS, "full");
  /** Whether there is room for idempotency keys. */
  public static final Key KEYS_FULL = Key.of(SETTINGS, "keys");

  /** Rewritten by every change of what runs after what. Comes before all ids, so that a scan never finds it newer than the rest. */
  public static final Key AFTER_EDITION = Key.of(AFTER, ".");

  /** Rewritten by every change of a calendar, and first in a scan, for the same reason. */
  public static final Key CALENDAR_EDITION = Key.of(CALENDARS, ".");

  /** In the place of a job: whatever a task belongs to. No id is like that. */
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
   * The highest generation of the deleted jobs of which nothing else is kept any more. A job that is created begins behind it, so that
   * no generation of an id ever comes back, although deleted jobs are forgotten. No id is like that.
   */
  public static final Key FORGOTTEN_JOBS = Key.of(BURIED, ".");

  public static Key buried(JobId job) {
    return Key.of(BURIED, job.value());
  }

  /** Versions of a job in the order of their generations. */
  public static Key version(JobId job, long generation) {
    return Key.of(VERSIONS, versionName(job, generation));
  }

  public static Scan versions(JobId job) {
    return Scan.prefix(VERSIONS, (job + "/").getBytes(UTF_8));
  }

  /** That a job was deleted as of this generation. */
  public static Key versionExpiry(long untilMillis, JobId job, long generation) {
    return Key.of(
        VERSION_EXPIRY,
        hour(Duration.ofMillis(untilMillis).toHours() + 1) + "/" + versionName(job, generation));
  }

  /** What follows the hour in the name of such an expiry. Ids have no slash. */
  public static String versionName(JobId job, long generation) {
    return "%s/%016x".formatted(job, generation);
  }

  public static JobId versionJob(String name) {
    return new JobId(name.substring(0, name.indexOf('/')));
  }

  public static long versionGeneration(String name) {
    return Long.parseLong(name, name.indexOf('/') + 1, name.length(), 16);
  }

  /** That one job runs after another. Ids have no slash. */
  public static Key after(JobId predecessor, JobId follower) {
    return Key.of(AFTER, predecessor + "/" + follower);
  }

  /** The jobs that run after this one, in the order of their ids. */
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

  /** What lies there of a task: heads of logs in the order of the attempts, because tokens grow, or late reports. */
  public static Scan ofTask(Space space, TaskId task) {
    return Scan.prefix(space, (task + "/").getBytes(UTF_8));
  }

  public static Key logPiece(TaskId task, long token, int slot) {
    return Key.of(LOGS, "%s/%02x".formatted(attempt(task, token), slot));
  }

  /** A task has a few places for late reports. */
  public static Key lateReport(TaskId task, int place) {
    return Key.of(LATE_REPORTS, task + "/" + place);
  }

  private static String attempt(TaskId task, long token) {
    return "%s/%016x".formatted(task, token);
  }

  /** What a node tells the leader of tasks that were submitted to it; it has several such keys, so that one need not wait for another. */
  public static Key news(String node, int lane) {
    return Key.of(NEWS, node + "/" + lane);
  }

  /** Who tells these news, or whose reports or claims these are. Of a key that is none of these: its whole name. */
  public static String teller(Key key) {
    int slash = key.text().lastIndexOf('/');
    return slash < 0 ? key.text() : key.text().substring(0, slash);
  }

  public static Key inbox(String worker) {
    return Key.of(INBOXES, worker);
  }

  /** What a worker tells the leader of its attempts, on several keys, too. */
  public static Key reports(String worker, int lane) {
    return Key.of(REPORTS, worker + "/" + lane);
  }

  /** What a worker tells the leader of tasks that it took itself. */
  public static Key claims(String worker) {
    return Key.of(REPORTS, worker + CLAIMS);
  }

  public static Key queue(String queue) {
    return Key.of(QUEUES, queue);
  }

  public static Key offer(String queue) {
    return Key.of(OFFERS, queue);
  }

  /** The request for a task of a job, of this incarnation of the job. */
  public static Key trigger(TaskId task, long incarnation) {
    return request("t" + ofIncarnation(task, incarnation));
  }

  /** The incarnation that such a request is for. */
  public static long triggerIncarnation(Key request) {
    int mark = request.text().lastIndexOf(INCARNATION);
    return mark < 0
        ? 1
        : Long.parseLong(request.text(), mark + 1, request.text().length(), 10);
  }

  /** That somebody asked for the task of this instant, of this incarnation of its job. */
  public static Key asked(TaskId task, long incarnation) {
    return dedup(ofIncarnation(task, incarnation));
  }

  /** What was asked of a job that is gone says nothing of one that was created later under its id. No id has such a mark. */
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

  /** Everything whose hour, by which the names begin, has come. */
  public static Scan expired(Space expiry, long nowMillis) {
    return new Scan(
        expiry,
        new byte[0],
        hour(Duration.ofMillis(nowMillis).toHours() + 1).getBytes(UTF_8),
        Limits.SCAN_ENTRIES_MAX);
  }

  /** What follows the hour in the name of an expiry. */
  public static String expiring(Key expiry) {
    return expiry.text().substring(EXPIRY_HOUR_CHARS + 1);
  }

  /** The same; empty if it is no such name. */
  public static Optional<String> expiringName(Key expiry) {
    return expiry.text().length() > EXPIRY_HOUR_CHARS + 1
        ? Optional.of(expiring(expiry))
        : Optional.empty();
  }

  /** Hours of a job in their order. {@code job} may be empty, for tasks that belong to none, or {@link #ALL_JOBS}. */
  public static Key rollup(String job, long hour) {
    return Key.of(ROLLUPS, job + "/" + hour(hour));
  }

  /**
   * A batch of rollups.
   *
   * @param fresh nobody else's
   */
  public static Key rollupBatch(long fresh) {
    return Key.of(ROLLUP_BATCHES, "%016x".formatted(fresh));
  }

  /** The hour that a rollup is of. */
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

  /** The workers of one configured id, whatever their incarnation. */
  public static Scan workers(String configured) {
    return Scan.prefix(WORKERS, (configured + "~").getBytes(UTF_8));
  }

  public static Key workerOrder(String worker) {
    return Key.of(WORKER_ORDERS, worker);
  }

  public static Key node(String node) {
    return Key.of(NODES, node);
  }

  /** Segments of a worker in the order in which it finished them. */
  public static Key freshHistory(String worker, long number) {
    return Key.of(FRESH_HISTORY, "%s/%016x".formatted(worker, number));
  }

  /** Skips of a job in the order of their first instants. */
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
