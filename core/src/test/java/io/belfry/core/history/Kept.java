package io.belfry.core.history;

import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.loop.StepLoop;
import io.belfry.core.record.EndedBatch;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.Records;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Job;
import io.belfry.model.job.Limit;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Rate;
import io.belfry.model.job.Work;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.Token;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.MemoryStore;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Space;
import io.belfry.store.StoreException;
import io.belfry.testkit.FaultyStore;
import io.belfry.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/** A store with history in it, a leader that can be replaced, and a clock. Threading: confined to its test. */
final class Kept {
  static final Instant START = Instant.parse("2027-03-01T10:00:00Z");
  static final RetainSettings SETTINGS = RetainSettings.DEFAULT;

  final ManualTime time = new ManualTime(START);
  final RandomGenerator random;
  final MemoryStore memory = new MemoryStore(time, Runnable::run);
  final FaultyStore faulty = new FaultyStore(memory);
  final CountingStore store = new CountingStore(faulty);
  final StepLoop loop;
  final History history = new History(store, Runnable::run);
  final RetainCounts counts = new RetainCounts();
  /** Whether the leader finds that too many tasks wait to be folded. */
  BooleanSupplier full = () -> false;

  private long batches;
  private long term;
  private boolean[] leads = {false};
  long folds;
  /** Of the last walk. */
  int pages;

  FoldBlockers debts = FoldBlockers.NONE;

  Kept() {
    this(new SplittableRandom(1));
  }

  Kept(RandomGenerator random) {
    this.random = random;
    this.loop = new StepLoop(time, random);
  }

  /** A new leader; the previous one gets no callbacks any more. */
  void lead(RetainSettings settings) {
    leads[0] = false;
    boolean[] mine = {true};
    leads = mine;
    put(Keys.FENCE, new byte[] {(byte) ++term});
    long fence = get(Keys.FENCE).orElseThrow().revision();
    var settler = new RetryingCommitter(loop, store, () -> mine[0], hopeless -> mine[0] = false);
    var retention = new Retention(
        loop,
        store,
        new TermWrites() {
          @Override
          public Commit.Builder commit() {
            return Commit.when().holds(Keys.FENCE, fence);
          }

          @Override
          public void send(Commit.Builder commit, LongConsumer done, Consumer<Guard> refused) {
            settler.commit(commit.build(), settled -> settled(settled, done, refused));
          }

          @Override
          public void send(
              Commit.Builder commit,
              LongConsumer done,
              Consumer<Guard> refused,
              Consumer<StoreException> notTaken) {
            settler.commit(commit.build(), settled -> settled(settled, done, refused), notTaken);
          }

          private void settled(
              RetryingCommitter.Settled settled, LongConsumer done, Consumer<Guard> refused) {
            switch (settled.outcome()) {
              case Outcome.Done(long revision) -> {
                folds++;
                done.accept(revision);
              }
              case Outcome.Refused(Guard guard, long found) -> refused.accept(guard);
              case Outcome.LeaseEnded ended -> throw new AssertionError(ended);
            }
          }
        },
        settings,
        debts,
        counts,
        () -> mine[0]);
    full = retention::isFull;
    get(Keys.KEYS_FULL).ifPresent(retention.keys()::heard);
    retention.start();
  }

  /** There is no leader. */
  void crash() {
    leads[0] = false;
  }

  void batch(String worker, List<Task> tasks) {
    put(Keys.freshHistory(worker, ++batches), Records.encode(new EndedBatch(false, tasks)));
  }

  /** As a leader folds them, without rollups. */
  String segment(List<Task> tasks) {
    List<HistorySegment.Row> rows = tasks.stream().map(HistorySegment.Row::of).toList();
    byte[] segment = HistorySegment.encode(rows);
    long last = rows.stream().mapToLong(HistorySegment.Row::end).max().orElseThrow();
    long until = last + SETTINGS.tasks().toMillis();
    String name = SegmentKeys.name(last, random.nextLong());
    put(SegmentKeys.tasks(name), segment);
    put(SegmentKeys.head(name), Records.encode(HistorySegment.head(rows, until, segment.length)));
    put(SegmentKeys.expiry(until, name), new byte[0]);
    return name;
  }

  /** As a worker does: the commit that puts the batch deletes the tasks. */
  void finish(String worker, List<Task> tasks) {
    Commit.Builder commit = Commit.when();
    tasks.forEach(task -> commit.delete(Keys.task(task.id())));
    commit.put(Keys.freshHistory(worker, ++batches), Records.encode(new EndedBatch(false, tasks)));
    Outcome unused = join(memory.commit(commit.build()));
  }

  void put(Key key, byte[] value) {
    Outcome unused = join(memory.commit(Commit.when().put(key, value).build()));
  }

  void delete(Key key) {
    Outcome unused = join(memory.commit(Commit.when().delete(key).build()));
  }

  Optional<Entry> get(Key key) {
    return join(memory.get(List.of(key))).stream().findFirst();
  }

  void job(String id, Duration retain) {
    save(Job.named(id).every(Duration.ofSeconds(1)).local("noop").retain(retain).build());
  }

  /** A job that keeps only its last tasks. */
  void job(String id, int last) {
    save(Job.named(id)
        .every(Duration.ofSeconds(1))
        .local("noop")
        .retainLast(last)
        .build());
  }

  private void save(Job job) {
    put(Keys.job(job.id()), Records.encode(job));
  }

  Task pending(TaskId id) {
    return Task.pending(
        id, Work.of("w", ExecutorSpec.local("noop")), Priority.NORMAL, time.wall(), time.wall());
  }

  /** A task that just ran. */
  Task succeeded(TaskId id) {
    return succeeded(id, "w1~1", time.wall());
  }

  Task succeeded(TaskId id, String worker, Instant end) {
    Instant began = end.minusMillis(5);
    Task task = Task.pending(
            id, Work.of("w", ExecutorSpec.local("noop")), Priority.NORMAL, began, began)
        .withSubmitter(Optional.of("ci (4f2a91)"));
    task = after(task, new Command.Assign(new Token(1), worker), began);
    return after(task, new Command.Complete(task.token(), began, Result.OK), end);
  }

  /** A task that ran under a rate limit. */
  Task rated(TaskId id, Instant end) {
    Task task = succeeded(id, "w1~1", end);
    return task.withWork(task.work().withLimit(Limit.rate(new Rate(5, Rate.Unit.MINUTE))));
  }

  Task cancelled(TaskId id) {
    return after(pending(id), new Command.Cancel("me", "no"), time.wall());
  }

  private Task after(Task task, Command command, Instant at) {
    return switch (TaskLife.decide(task, command, at, random)) {
      case Decision.Accepted(var events) -> TaskLife.apply(task, events);
      case Decision.Refused(var reason) -> throw new AssertionError(reason);
    };
  }

  List<Entry> all(Space space) {
    var all = new ArrayList<Entry>();
    Optional<Scan> next = Optional.of(Scan.all(space));
    while (next.isPresent()) {
      Page page = join(memory.scan(next.get()));
      all.addAll(page.entries());
      next = page.next();
    }
    return all;
  }

  List<Task> inBatches() {
    return all(Keys.FRESH_HISTORY).stream()
        .flatMap(entry -> Records.endedBatch(entry.value()).tasks().stream())
        .toList();
  }

  /** Each where it belongs. */
  List<Task> inSegments() {
    var tasks = new ArrayList<Task>();
    for (Entry head : all(Keys.SEGMENT_HEADS)) {
      if (Records.segmentHead(head.value()).isElsewhere()) {
        continue;
      }
      HistorySegment segment = HistorySegment.of(
          get(SegmentKeys.tasks(head.key().text())).orElseThrow().value());
      for (int row = 0; row < segment.count(); row++) {
        tasks.add(segment.task(row));
      }
    }
    return tasks;
  }

  /** All pages. */
  List<Task> walk(Query query, int limit) {
    return walk(query, Optional.empty(), limit);
  }

  /** The pages from there on. */
  List<Task> walk(Query query, Optional<String> from, int limit) {
    var all = new ArrayList<Task>();
    Optional<String> cursor = from;
    pages = 0;
    do {
      Listing page = join(history.list(query, cursor, limit));
      all.addAll(page.tasks());
      if (page.next().isPresent() && page.next().equals(cursor)) {
        throw new AssertionError("a page that leads to itself");
      }
      cursor = page.next();
      pages++;
    } while (cursor.isPresent());
    return all;
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** The log of an attempt, last written long ago. */
  void log(TaskId task, Instant last, long bytes) {
    put(
        Keys.logHead(task, 1),
        Records.encode(new LogHead(task, 1, 1, "w~1", last, 16, 3, bytes, 0, true)));
    for (int slot = 0; slot < 3; slot++) {
      put(Keys.logPiece(task, 1, slot), new byte[] {1});
    }
  }

  List<TaskId> logged() {
    return all(Keys.LOG_HEADS).stream()
        .map(entry -> Records.logHead(entry.value()).task())
        .toList();
  }
}
