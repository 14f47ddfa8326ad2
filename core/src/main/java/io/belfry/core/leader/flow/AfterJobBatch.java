package io.belfry.core.leader.flow;

import io.belfry.core.commit.CommitLimits;
import io.belfry.core.fire.AfterPlan;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.fire.CatchUpRate;
import io.belfry.core.leader.task.OverlapGuard;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.record.Cursor;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.WithoutPayload;
import io.belfry.model.InvalidException;
import io.belfry.model.job.Job;
import io.belfry.model.job.JobId;
import io.belfry.model.job.OverlapPolicy;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows from some of the ends in one history batch, as one commit that stays within the limits of every engine:
 *
 * <pre>
 *   guards   fence, edition, history batch; cursor, task and previous task of each start     ≤ 3 + 3 × starts
 *   writes   history batch, skips; cursor and task of each start                             ≤ 2 + 2 × starts
 * </pre>
 *
 * <p>Threading: confined to the leader's loop.
 */
final class AfterJobBatch {
  private static final Logger LOG = LoggerFactory.getLogger(AfterJobBatch.class);

  /**
   * A job that runs after another.
   *
   * @param bytes of its definition, which holds all that a task of it does
   */
  private record Follower(Job job, int bytes, Cursor before, Entry cursor, List<Task> ends) {}

  private final Entry source;
  private final EndedBatch after;
  private final boolean last;
  private final TaskFactory factory;
  private final List<Consumer<Commit.Builder>> terms = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final List<Task> skipped = new ArrayList<>();
  private final List<AfterPlan.Decided> skips = new ArrayList<>();
  private final Map<JobId, Cursor> cursors = new LinkedHashMap<>();
  private final Set<TaskId> replacer = new HashSet<>();
  private final Set<JobId> followers = new LinkedHashSet<>();

  private AfterJobBatch(Entry source, EndedBatch after, boolean last, TaskFactory factory) {
    this.source = source;
    this.after = after;
    this.last = last;
    this.factory = factory;
  }

  /**
   * Empty if the jobs are not what the index of followers says, which is behind then.
   *
   * @param owed all that the history batch owes
   * @param some the first of them
   * @param answers definitions and cursors of their jobs
   */
  static Optional<AfterJobBatch> of(
      Entry source,
      EndedBatch endedBatch,
      List<AfterJobIndex.Owed> owed,
      List<AfterJobIndex.Owed> some,
      Map<Key, Entry> answers,
      TaskTable table,
      TaskFactory factory,
      TermContext term) {
    Map<JobId, Follower> followers = new LinkedHashMap<>();
    int bytes = 0;
    int count = 0;
    for (AfterJobIndex.Owed each : some) {
      Optional<Follower> follower =
          Optional.ofNullable(followers.get(each.job())).or(() -> follower(each, answers));
      if (follower.isEmpty() && count == 0) {
        return Optional.empty();
      }
      if (follower.isEmpty()) {
        break; // what comes before it need not wait for it
      }
      if (count > 0 && bytes + follower.get().bytes > CommitLimits.AFTER_JOBS.bytes()) {
        break;
      }
      bytes += follower.get().bytes;
      count++;
      followers.put(each.job(), follower.get());
      follower.get().ends.add(each.end());
    }
    boolean last = count == owed.size();
    var batch = new AfterJobBatch(
        source, progressed(source, endedBatch, owed, count, bytes), last, factory);
    followers.values().forEach(follower -> batch.start(follower, table, term));
    return Optional.of(batch);
  }

  /** Whether the records of the job can be read, if there are any. */
  static boolean isLegible(JobId job, Map<Key, Entry> answers) {
    Entry definition = answers.get(Keys.job(job));
    Entry cursor = answers.get(Keys.cursor(job));
    return (definition == null
            || SafeDecoder.read(definition, each -> Records.job(each.value())).isPresent())
        && (cursor == null
            || SafeDecoder.read(cursor, each -> Records.cursor(each.value())).isPresent());
  }

  private static Optional<Follower> follower(AfterJobIndex.Owed owed, Map<Key, Entry> answers) {
    Entry definition = answers.get(Keys.job(owed.job()));
    Entry cursor = answers.get(Keys.cursor(owed.job()));
    if (definition == null || cursor == null) {
      return Optional.empty();
    }
    Optional<Job> job = SafeDecoder.read(definition, each -> Records.job(each.value()));
    Optional<Cursor> before = SafeDecoder.read(cursor, each -> Records.cursor(each.value()));
    boolean follows = job.isPresent()
        && before.isPresent()
        && job.get().generation() == before.get().generation()
        && job.get().trigger() instanceof Trigger.After trigger
        && owed.end().id().jobId().equals(Optional.of(trigger.job()));
    return follows
        ? Optional.of(new Follower(
            job.get(), definition.value().length, before.get(), cursor, new ArrayList<>()))
        : Optional.empty();
  }

  private static EndedBatch progressed(
      Entry source, EndedBatch endedBatch, List<AfterJobIndex.Owed> owed, int count, int bytes) {
    int length = source.value().length;
    List<Task> kept = length <= CommitLimits.ENDED_BATCH_BYTES_MAX
            && length + bytes <= CommitLimits.ENDED_BATCH_AND_TASKS_BYTES_MAX
        ? endedBatch.tasks()
        : endedBatch.tasks().stream().map(WithoutPayload::of).toList();
    if (count == owed.size()) {
      return new EndedBatch(true, kept);
    }
    long ended = endedBatch.progress().ended() == 0
        ? source.revision()
        : endedBatch.progress().ended();
    AfterJobIndex.Owed latest = owed.get(count - 1);
    return new EndedBatch(
        new EndedBatch.Progress(ended, latest.place(), latest.job().value()), kept);
  }

  private void start(Follower follower, TaskTable table, TermContext term) {
    Job job = follower.job;
    followers.add(job.id());
    Instant now = term.now();
    List<AfterPlan.Decided> planned = AfterPlan.decide(
        job, follower.ends, now, term.settings().grace(), table.tasks.unfinished(job.id()));
    List<AfterPlan.Decided> decided = table.isFull()
        ? planned.stream().map(each -> each.unless(SkipReason.PENDING_FULL)).toList()
        : planned;
    terms.add(commit -> commit.unchanged(follower.cursor));
    boolean starts = false;
    for (AfterPlan.Decided each : decided) {
      if (each.skipped().isPresent()) {
        skips.add(each);
        TaskState state = new TaskState.Skipped(each.skipped().get(), now);
        skipped.add(WithoutPayload.of(task(job, each, state)));
      } else {
        starts = true;
        Task task = task(job, each, new TaskState.Pending(now));
        tasks.add(task);
        terms.add(commit -> TaskFactory.addTo(commit, task));
      }
    }
    boolean overlaps =
        decided.stream().anyMatch(each -> each.skipped().equals(Optional.of(SkipReason.OVERLAP)));
    terms.add(OverlapGuard.guard(table.tasks, follower.before, job, starts, overlaps));
    Cursor after = AfterPlan.after(job, follower.before, decided);
    if (!after.equals(follower.before)) {
      cursors.put(job.id(), after);
      terms.add(commit -> commit.put(follower.cursor.key(), Records.encode(after)));
    }
    if (starts && job.overlap() == OverlapPolicy.REPLACE) {
      replacer.add(tasks.getLast().id());
    }
  }

  private Task task(Job job, AfterPlan.Decided decided, TaskState state) {
    return factory.task(
        decided.id(),
        work(job, decided.predecessor().id()),
        job.priority(),
        decided.at(),
        state,
        Optional.empty());
  }

  /** A job that was saved before there had to be room for the name of its predecessor's task runs without it. */
  private Work work(Job job, TaskId predecessor) {
    Work work = factory.work(job);
    try {
      return AfterPlan.work(work, predecessor);
    } catch (InvalidException e) {
      LOG.warn(
          "Job {} runs after task {}, but the id of that task did not fit into its payload: {}",
          job.id(),
          predecessor,
          e.getMessage());
      return work;
    }
  }

  /** All of it; skips are stored in a history batch of their own. */
  void addTo(Commit.Builder commit, Supplier<Key> skipEndedBatch) {
    commit.unchanged(source).put(source.key(), Records.encode(after));
    terms.forEach(term -> term.accept(commit));
    if (!skipped.isEmpty()) {
      commit.put(skipEndedBatch.get(), Records.encode(new EndedBatch(true, skipped)));
    }
  }

  Key source() {
    return source.key();
  }

  /** Whether nothing is owed afterwards. */
  boolean isLast() {
    return last;
  }

  List<Task> tasks() {
    return tasks;
  }

  List<AfterPlan.Decided> skips() {
    return skips;
  }

  /** The jobs that it is about. */
  Set<JobId> followers() {
    return followers;
  }

  Map<JobId, Cursor> cursors() {
    return cursors;
  }

  /** Whether the task takes the place of its job's other ones. */
  boolean replaces(TaskId task) {
    return replacer.contains(task);
  }

  /** How many are made up for. */
  int missed(CatchUpRate rate, Instant now) {
    return (int)
        tasks.stream().filter(task -> rate.isMissed(task.scheduled(), now)).count();
  }
}
