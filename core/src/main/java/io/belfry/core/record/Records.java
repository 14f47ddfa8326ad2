package io.belfry.core.record;

import io.belfry.core.calendar.Calendar;
import io.belfry.model.job.Job;
import io.belfry.model.job.Trigger;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkippedRange;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Encodes and decodes the records: compact, because every task is written and read several times in its life.
 *
 * <pre>
 *   record   version │ field │ field │ … │ fields of a later minor version
 *   part              length │ field │ … │ fields of a later minor version
 * </pre>
 *
 * <p>How the format may change. A minor version may append fields to the end of a record, and of a part that has its length before
 * it: older readers skip them, newer ones find them missing in older records and take the default. Constants may be
 * appended to an enum, tags to a sealed type and bits to flags, once all nodes that read them are new enough: an older reader refuses
 * what it does not know, because guessing would lose data. Any other change needs a new version byte.
 *
 * <p>Every method that reads throws {@link DamagedRecordException}, and nothing else, for bytes that are not such a record. There is
 * no checksum: engines have their own. Threading: stateless.
 */
public final class Records {
  static final byte VERSION = 1;

  private Records() {}

  public static byte[] encode(Task task) {
    return encode(task, TaskCodec::write);
  }

  public static Task task(byte[] bytes) {
    return decode("task", bytes, TaskCodec::read);
  }

  public static byte[] encode(Job job) {
    return encode(job, JobCodec::write);
  }

  public static Job job(byte[] bytes) {
    return decode("job", bytes, JobCodec::read);
  }

  public static byte[] encode(Cursor cursor) {
    return encode(cursor, ProgressCodec::writeCursor);
  }

  public static Cursor cursor(byte[] bytes) {
    return decode("cursor", bytes, ProgressCodec::readCursor);
  }

  public static byte[] encode(Calendar calendar) {
    return encode(calendar, CalendarCodec::write);
  }

  public static Calendar calendar(byte[] bytes) {
    return decode("calendar", bytes, CalendarCodec::read);
  }

  public static byte[] encode(CalendarChange change) {
    return encode(change, CalendarCodec::writeChange);
  }

  public static CalendarChange calendarChange(byte[] bytes) {
    return decode("change of a calendar", bytes, CalendarCodec::readChange);
  }

  /** The end states of the predecessor that trigger a job. */
  public static byte[] encode(Trigger.After.Outcome on) {
    return encode(on, TriggerCodec::writeOutcome);
  }

  public static Trigger.After.Outcome outcome(byte[] bytes) {
    return decode("outcome to follow", bytes, TriggerCodec::readOutcome);
  }

  public static byte[] encode(Term term) {
    return encode(term, PresenceCodec::writeTerm);
  }

  public static Term term(byte[] bytes) {
    return decode("term", bytes, PresenceCodec::readTerm);
  }

  public static byte[] encode(NodeRecord node) {
    return encode(node, PresenceCodec::writeNode);
  }

  public static NodeRecord node(byte[] bytes) {
    return decode("node", bytes, PresenceCodec::readNode);
  }

  public static byte[] encode(WorkerRecord worker) {
    return encode(worker, PresenceCodec::writeWorker);
  }

  public static WorkerRecord worker(byte[] bytes) {
    return decode("worker", bytes, PresenceCodec::readWorker);
  }

  public static byte[] encode(WorkerOrder order) {
    return encode(order, PresenceCodec::writeOrder);
  }

  public static WorkerOrder workerOrder(byte[] bytes) {
    return decode("order to a worker", bytes, PresenceCodec::readOrder);
  }

  public static byte[] encode(Inbox inbox) {
    return encode(inbox, MessageCodec::writeInbox);
  }

  public static Inbox inbox(byte[] bytes) {
    return decode("inbox", bytes, MessageCodec::readInbox);
  }

  public static byte[] encode(Reports reports) {
    return encode(reports, MessageCodec::writeReports);
  }

  public static Reports reports(byte[] bytes) {
    return decode("reports", bytes, MessageCodec::readReports);
  }

  public static byte[] encode(SubmittedTasks news) {
    return encode(news, MessageCodec::writeNews);
  }

  public static SubmittedTasks news(byte[] bytes) {
    return decode("news", bytes, MessageCodec::readNews);
  }

  public static byte[] encode(EndedBatch endedBatch) {
    return encode(endedBatch, MessageCodec::writeEndedBatch);
  }

  public static EndedBatch endedBatch(byte[] bytes) {
    return decode("history batch", bytes, MessageCodec::readEndedBatch);
  }

  public static byte[] encode(Request request) {
    return encode(request, MessageCodec::writeRequest);
  }

  public static Request request(byte[] bytes) {
    return decode("request", bytes, MessageCodec::readRequest);
  }

  public static byte[] encode(NamespaceSettings settings) {
    return encode(settings, ProgressCodec::writeSettings);
  }

  public static NamespaceSettings namespaceSettings(byte[] bytes) {
    return decode("namespace settings", bytes, ProgressCodec::readSettings);
  }

  public static byte[] encode(QueueRecord queue) {
    return encode(queue, QueueCodec::writeQueue);
  }

  public static QueueRecord queue(byte[] bytes) {
    return decode("queue", bytes, QueueCodec::readQueue);
  }

  public static byte[] encode(Offer offer) {
    return encode(offer, QueueCodec::writeOffer);
  }

  public static Offer offer(byte[] bytes) {
    return decode("offer", bytes, QueueCodec::readOffer);
  }

  public static byte[] encode(Fullness fullness) {
    return encode(fullness, QueueCodec::writeFullness);
  }

  public static Fullness fullness(byte[] bytes) {
    return decode("fullness", bytes, QueueCodec::readFullness);
  }

  public static byte[] encode(SkippedRange range) {
    return encode(range, ProgressCodec::writeSkipped);
  }

  public static SkippedRange skippedRange(byte[] bytes) {
    return decode("skipped range", bytes, ProgressCodec::readSkipped);
  }

  public static byte[] encode(CancelRequest request) {
    return encode(
        request, (out, value) -> AttemptCodec.writeCancelFields(out, value, Instant.EPOCH));
  }

  public static CancelRequest cancelRequest(byte[] bytes) {
    return decode("cancel request", bytes, in -> AttemptCodec.readCancelFields(in, Instant.EPOCH));
  }

  public static byte[] encode(DedupRecord record) {
    return encode(record, MessageCodec::writeDedup);
  }

  public static DedupRecord dedup(byte[] bytes) {
    return decode("dedup record", bytes, MessageCodec::readDedup);
  }

  public static byte[] encode(SegmentCount count) {
    return encode(count, SegmentCodec::writeCount);
  }

  public static SegmentCount segmentCount(byte[] bytes) {
    return decode("segmentCount", bytes, SegmentCodec::readCount);
  }

  public static byte[] encode(Forgotten forgotten) {
    return encode(forgotten, SegmentCodec::writeForgotten);
  }

  public static Forgotten forgotten(byte[] bytes) {
    return decode("forgotten", bytes, SegmentCodec::readForgotten);
  }

  public static byte[] encode(SegmentHead head) {
    return encode(head, SegmentCodec::writeHead);
  }

  public static SegmentHead segmentHead(byte[] bytes) {
    return decode("head of a segment", bytes, SegmentCodec::readHead);
  }

  public static byte[] encode(Rollup rollup) {
    return encode(rollup, SegmentCodec::writeRollup);
  }

  public static Rollup rollup(byte[] bytes) {
    return decode("rollup", bytes, SegmentCodec::readRollup);
  }

  public static byte[] encode(EventBatch batch) {
    return encode(batch, EventCodec::write);
  }

  public static EventBatch eventBatch(byte[] bytes) {
    return decode("batch of events", bytes, EventCodec::read);
  }

  public static byte[] encode(RollupBatch batch) {
    return encode(batch, SegmentCodec::writeBatch);
  }

  public static RollupBatch rollupBatch(byte[] bytes) {
    return decode("batch of rollups", bytes, SegmentCodec::readBatch);
  }

  public static byte[] encode(RollupProgress progress) {
    return encode(progress, SegmentCodec::writeProgress);
  }

  public static RollupProgress rollupProgress(byte[] bytes) {
    return decode("progress of rollups", bytes, SegmentCodec::readProgress);
  }

  public static byte[] encode(Progress progress) {
    return encode(progress, LogCodec::writeProgress);
  }

  public static Progress progress(byte[] bytes) {
    return decode("progress", bytes, LogCodec::readProgress);
  }

  public static byte[] encode(LogHead head) {
    return encode(head, LogCodec::writeHead);
  }

  public static LogHead logHead(byte[] bytes) {
    return decode("head of a log", bytes, LogCodec::readHead);
  }

  public static byte[] encode(LogPiece piece) {
    return encode(piece, LogCodec::writePiece);
  }

  public static LogPiece logPiece(byte[] bytes) {
    return decode("piece of a log", bytes, LogCodec::readPiece);
  }

  public static byte[] encode(LateReport late) {
    return encode(late, LogCodec::writeLate);
  }

  public static LateReport lateReport(byte[] bytes) {
    return decode("late report", bytes, LogCodec::readLate);
  }

  /** Decodes only the id of a task. */
  static TaskId taskId(byte[] task) {
    return decode("task", task, TaskCodec::readId);
  }

  /** Encodes the work, to compare two submissions. */
  static byte[] encode(Work work) {
    return encode(work, WorkCodec::write);
  }

  private static <R> byte[] encode(R value, BiConsumer<Writer, R> content) {
    Writer out = new Writer();
    out.number(VERSION);
    content.accept(out, value);
    return out.done();
  }

  static <R> R decode(String kind, byte[] bytes, Function<Reader, R> content) {
    Reader in = new Reader(kind, bytes);
    try {
      long version = in.number();
      if (version != VERSION) {
        throw in.damaged("format version " + version + " where " + VERSION + " is supported");
      }
      return content.apply(in);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      // The model, dates and exact sums refuse values that no writer has written.
      throw in.damaged("a value that is refused: " + e.getMessage(), e);
    }
  }
}
