package io.belfry.core.record;

import io.belfry.core.record.Inbox.Order;
import io.belfry.model.job.JobId;
import io.belfry.model.job.Priority;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.missed.SkippedRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Any of the core's own records. */
final class AnyRecord {
  private AnyRecord() {}

  static Cursor cursor(RandomGenerator random) {
    return new Cursor(
        Any.count(random),
        Any.flip(random),
        Any.maybe(random, Any::instant),
        Any.maybe(random, Any::instant),
        Any.maybe(random, AnyTask::id));
  }

  static Term term(RandomGenerator random) {
    return new Term(
        Any.count(random),
        Any.words(random, 80),
        Any.instant(random),
        Any.words(random, 40),
        Any.count(random));
  }

  static NodeRecord node(RandomGenerator random) {
    return new NodeRecord(
        Any.words(random, 80),
        Any.constants(random, NodeRecord.Role.class),
        Any.words(random, 80),
        Any.words(random, 20),
        Any.instant(random),
        Any.instant(random),
        Any.maybe(random, Any::count),
        Any.constants(random, EventKind.class));
  }

  static EventBatch eventBatch(RandomGenerator random) {
    return new EventBatch(
        Any.words(random, 80),
        Any.count(random),
        Any.count(random),
        Any.list(random, 4, r -> told(r)));
  }

  private static Told told(RandomGenerator random) {
    EventKind kind = Any.constant(random, EventKind.class);
    return switch (kind) {
      case FIRES_SKIPPED -> new Told.Skipped(new JobId(Any.name(random, 60)), skipped(random));
      case LEADER_CHANGED -> new Told.Led(term(random));
      case REPORT_REJECTED -> new Told.Rejected(AnyTask.id(random), Any.count(random));
      case WORKER_JOINED, WORKER_LEFT, WORKER_ONLINE, WORKER_OFFLINE ->
        new Told.OfWorker(kind, Any.words(random, 80));
      case TASKS_UNMATCHED ->
        new Told.Unmatched(Any.name(random, 60), Any.texts(random, 4), Any.count(random));
      default -> new Told.OfTask(kind, AnyTask.task(random));
    };
  }

  static WorkerRecord worker(RandomGenerator random) {
    return new WorkerRecord(
        Any.words(random, 80),
        Any.words(random, 80),
        Any.words(random, 80),
        Any.texts(random, 5),
        Set.copyOf(Any.list(random, 5, r -> Any.name(r, 60))),
        Any.integer(random),
        Any.integer(random),
        Any.flip(random),
        Any.flip(random),
        Any.flip(random),
        Any.instant(random),
        Any.instant(random),
        Any.count(random),
        Any.flip(random)
            ? WorkerRecord.Load.NONE
            : new WorkerRecord.Load(
                random.nextDouble(), Double.NaN, random.nextDouble(1e9), Any.integer(random)),
        Any.list(random, 20, Any::count));
  }

  static WorkerOrder workerOrder(RandomGenerator random) {
    return new WorkerOrder(
        Any.flip(random),
        Any.maybe(random, Any::integer),
        Any.words(random, 60),
        Any.instant(random));
  }

  static Inbox inbox(RandomGenerator random) {
    return new Inbox(Any.list(random, 4, AnyRecord::order));
  }

  private static Order order(RandomGenerator random) {
    return Any.flip(random)
        ? new Order.Run(AnyTask.task(random), Any.count(random))
        : new Order.Stop(AnyTask.id(random), Any.count(random), AnyTask.cancel(random));
  }

  static DedupRecord dedup(RandomGenerator random) {
    return new DedupRecord(AnyTask.id(random), Any.count(random), Any.count(random));
  }

  static Reports reports(RandomGenerator random) {
    return new Reports(
        Any.words(random, 60),
        Any.list(random, 4, AnyTask::task),
        Any.list(random, 4, some -> new Told.Rejected(AnyTask.id(some), Any.count(some))));
  }

  static SubmittedTasks news(RandomGenerator random) {
    return new SubmittedTasks(Any.list(random, 4, AnyTask::task));
  }

  static EndedBatch endedBatch(RandomGenerator random) {
    return new EndedBatch(
        new EndedBatch.Progress(Any.count(random), Any.integer(random), Any.words(random, 40)),
        Any.list(random, 4, AnyTask::task));
  }

  static Request request(RandomGenerator random) {
    String by = Any.words(random, 60);
    Instant at = Any.instant(random);
    return Any.<Request>oneOf(
        random,
        () -> new Request.Trigger(
            AnyTask.id(random),
            Any.maybe(random, AnyWork::payload),
            Any.maybe(random, r -> Any.words(r, 60)),
            by,
            at),
        () -> new Request.Cancel(AnyTask.id(random), Any.words(random, 200), by, at),
        () -> new Request.Reprioritise(
            AnyTask.id(random), Any.constant(random, Priority.class), by, at),
        () -> new Request.Again(
            AnyTask.id(random),
            AnyWork.work(random),
            Any.constant(random, Priority.class),
            by,
            at));
  }

  static Progress progress(RandomGenerator random) {
    return new Progress(random.nextDouble(), Any.words(random, 60), Any.instant(random));
  }

  static LogHead logHead(RandomGenerator random) {
    return new LogHead(
        AnyTask.id(random),
        Any.count(random),
        Any.integer(random),
        Any.words(random, 60),
        Any.instant(random),
        random.nextInt(1, LogHead.SPAN_MAX + 1),
        Any.count(random),
        Any.count(random),
        Any.count(random),
        Any.flip(random));
  }

  static LateReport lateReport(RandomGenerator random) {
    return new LateReport(
        AnyTask.id(random),
        Any.integer(random),
        Any.count(random),
        Any.words(random, 60),
        Any.instant(random),
        Any.constant(random, LateReport.Said.class),
        Any.words(random, 60));
  }

  static LogPiece logPiece(RandomGenerator random) {
    return new LogPiece(Any.count(random), AnyWork.payload(random));
  }

  static NamespaceSettings settings(RandomGenerator random) {
    return Any.flip(random)
        ? NamespaceSettings.DEFAULT
        : new NamespaceSettings(
            Any.flip(random), Any.words(random, 60), Any.count(random), Any.words(random, 60));
  }

  static QueueRecord queue(RandomGenerator random) {
    return new QueueRecord(
        Any.constant(random, QueueRecord.Mode.class), Any.flip(random), Any.count(random));
  }

  static Offer offer(RandomGenerator random) {
    var needs = Any.list(random, 3, r -> Any.texts(r, 2));
    return new Offer(
        Any.count(random),
        needs,
        needs.isEmpty()
            ? List.of()
            : Any.list(
                random,
                10,
                r -> new Offer.Item(AnyTask.id(r), Any.count(r), r.nextInt(needs.size()))));
  }

  static Fullness fullness(RandomGenerator random) {
    return new Fullness(Any.flip(random), Any.count(random), Any.count(random));
  }

  static SkippedRange skipped(RandomGenerator random) {
    Instant one = Any.instant(random);
    Instant other = Any.instant(random);
    boolean swap = other.isBefore(one);
    return new SkippedRange(
        swap ? other : one,
        swap ? one : other,
        random.nextInt(1, SkippedRange.COUNT_MAX + 1),
        Any.flip(random),
        Any.constant(random, SkipReason.class));
  }

  static SegmentHead segmentHead(RandomGenerator random) {
    Bloom tasks = Bloom.forCount(random.nextInt(50));
    Bloom jobs = Bloom.forCount(random.nextInt(5));
    tasks.add(Any.words(random, 40));
    jobs.add(Any.words(random, 40));
    return new SegmentHead(
        random.nextInt(10_000),
        random.nextLong(),
        random.nextLong(),
        List.of(Any.integer(random), random.nextInt(9), 0, 7),
        Any.integer(random),
        random.nextLong(),
        Any.integer(random),
        tasks,
        jobs);
  }

  static SegmentCount segmentCount(RandomGenerator random) {
    var pieces = new ArrayList<SegmentCount.Piece>();
    for (int i = random.nextInt(5); i > 0; i--) {
      pieces.add(new SegmentCount.Piece(
          Any.name(random, 128),
          Any.integer(random),
          Any.integer(random),
          random.nextLong(),
          random.nextLong()));
    }
    return new SegmentCount(random.nextLong(), Any.integer(random), pieces);
  }

  static Forgotten forgotten(RandomGenerator random) {
    return new Forgotten(random.nextLong());
  }

  static Rollup rollup(RandomGenerator random) {
    var rollup = new Rollup();
    rollup.ends[random.nextInt(rollup.ends.length)] = Any.count(random);
    rollup.retries = Any.count(random);
    for (int i = random.nextInt(20); i > 0; i--) {
      rollup.runTime.add(Duration.ofNanos(random.nextLong(1L << random.nextInt(10, 62))));
      rollup.lateness.add(Duration.ofNanos(random.nextLong(1L << random.nextInt(10, 62))));
    }
    return rollup;
  }
}
