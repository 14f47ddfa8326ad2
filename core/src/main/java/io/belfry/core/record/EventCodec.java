package io.belfry.core.record;

import io.belfry.model.job.JobId;

/** Events as sent between nodes. Threading: stateless. */
final class EventCodec {
  private static final EventKind[] KINDS = EventKind.values();

  private EventCodec() {}

  static void write(Writer out, EventBatch batch) {
    out.text(batch.by());
    out.number(batch.term());
    out.number(batch.first());
    out.number(batch.events().size());
    for (Told event : batch.events()) {
      int begun = out.begin();
      out.constant(event.kind());
      switch (event) {
        case Told.OfTask of -> TaskCodec.writePart(out, of.task());
        case Told.OfWorker of -> out.text(of.worker());
        case Told.Skipped skipped -> {
          out.text(skipped.job().value());
          ProgressCodec.writeSkipped(out, skipped.range());
        }
        case Told.Led led -> PresenceCodec.writeTerm(out, led.term());
        case Told.Rejected rejected -> writeRejected(out, rejected);
        case Told.Unmatched unmatched -> {
          out.text(unmatched.queue());
          out.texts(unmatched.labels());
          out.number(unmatched.tasks());
        }
      }
      out.end(begun);
    }
  }

  static EventBatch read(Reader in) {
    return new EventBatch(in.text(), in.number(), in.number(), in.list(EventCodec::readEvent));
  }

  private static Told readEvent(Reader in) {
    int outer = in.enter();
    EventKind kind = in.constant(KINDS);
    Told event = switch (kind) {
      case TASK_SUBMITTED,
          TASK_SCHEDULED,
          TASK_STARTED,
          TASK_COMPLETED,
          TASK_FAILED,
          TASK_CANCELLED,
          TASK_RETRYING -> new Told.OfTask(kind, TaskCodec.readPart(in));
      case WORKER_JOINED, WORKER_LEFT, WORKER_ONLINE, WORKER_OFFLINE ->
        new Told.OfWorker(kind, in.text());
      case FIRES_SKIPPED -> new Told.Skipped(new JobId(in.text()), ProgressCodec.readSkipped(in));
      case LEADER_CHANGED -> new Told.Led(PresenceCodec.readTerm(in));
      case REPORT_REJECTED -> readRejected(in);
      case TASKS_UNMATCHED -> new Told.Unmatched(in.text(), in.texts(), in.number());
    };
    in.leave(outer);
    return event;
  }

  static void writeRejected(Writer out, Told.Rejected rejected) {
    TaskIdCodec.write(out, rejected.task());
    out.number(rejected.token());
  }

  static Told.Rejected readRejected(Reader in) {
    return new Told.Rejected(TaskIdCodec.read(in), in.number());
  }
}
