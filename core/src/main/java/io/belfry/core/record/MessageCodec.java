package io.belfry.core.record;

import io.belfry.core.record.Inbox.Order;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Priority;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Messages between nodes, a batch of tasks at a time. Threading: stateless. */
final class MessageCodec {
  private static final int RUN = 0;
  private static final int STOP = 1;

  private static final int TRIGGER = 0;
  private static final int CANCEL = 1;
  private static final int REPRIORITISE = 2;
  private static final int AGAIN = 3;

  private static final Priority[] PRIORITIES = Priority.values();

  /** A bit that no content has: earlier versions wrote nothing after the content. */
  private static final long HAS_UNTIL = Long.MIN_VALUE;

  private MessageCodec() {}

  static void writeInbox(Writer out, Inbox inbox) {
    out.number(inbox.orders().size());
    for (Order order : inbox.orders()) {
      int begun = out.begin();
      switch (order) {
        case Order.Run run -> {
          out.number(RUN);
          TaskCodec.writePart(out, run.task());
          out.number(run.revision());
        }
        case Order.Stop stop -> {
          out.number(STOP);
          TaskIdCodec.write(out, stop.task());
          out.number(stop.token());
          AttemptCodec.writeCancel(out, stop.request(), Instant.EPOCH);
        }
      }
      out.end(begun);
    }
  }

  static Inbox readInbox(Reader in) {
    return new Inbox(in.list(MessageCodec::readOrder));
  }

  private static Order readOrder(Reader in) {
    int outer = in.enter();
    int tag = in.integer();
    Order order = switch (tag) {
      case RUN -> new Order.Run(TaskCodec.readPart(in), in.number());
      case STOP ->
        new Order.Stop(
            TaskIdCodec.read(in), in.number(), AttemptCodec.readCancel(in, Instant.EPOCH));
      default -> throw in.damaged("an order of the unknown kind " + tag);
    };
    in.leave(outer);
    return order;
  }

  static void writeReports(Writer out, Reports reports) {
    out.text(reports.endedBatch());
    writeTasks(out, reports.tasks());
    out.number(reports.rejected().size());
    reports.rejected().forEach(rejected -> EventCodec.writeRejected(out, rejected));
  }

  static Reports readReports(Reader in) {
    return new Reports(in.text(), readTasks(in), in.list(EventCodec::readRejected));
  }

  static void writeNews(Writer out, SubmittedTasks news) {
    writeTasks(out, news.tasks());
  }

  static SubmittedTasks readNews(Reader in) {
    return new SubmittedTasks(readTasks(in));
  }

  static void writeEndedBatch(Writer out, EndedBatch endedBatch) {
    out.number(endedBatch.progress().ended());
    out.number(endedBatch.progress().tasks());
    out.text(endedBatch.progress().job());
    writeTasks(out, endedBatch.tasks());
  }

  static EndedBatch readEndedBatch(Reader in) {
    return new EndedBatch(
        new EndedBatch.Progress(in.number(), in.integer(), in.text()), readTasks(in));
  }

  static void writeDedup(Writer out, DedupRecord record) {
    TaskIdCodec.write(out, record.task());
    if (record.until() == 0) {
      out.number(record.content());
    } else {
      out.number(record.content() | HAS_UNTIL);
      out.number(record.until());
    }
  }

  static DedupRecord readDedup(Reader in) {
    TaskId task = TaskIdCodec.read(in);
    long content = in.number();
    return (content & HAS_UNTIL) == 0
        ? new DedupRecord(task, content)
        : new DedupRecord(task, content & ~HAS_UNTIL, in.number());
  }

  private static void writeTasks(Writer out, List<Task> tasks) {
    out.number(tasks.size());
    for (Task task : tasks) {
      TaskCodec.writePart(out, task);
    }
  }

  private static List<Task> readTasks(Reader in) {
    return in.list(TaskCodec::readPart);
  }

  static void writeRequest(Writer out, Request request) {
    out.text(request.by());
    out.instant(request.at());
    switch (request) {
      case Request.Trigger trigger -> {
        out.number(TRIGGER);
        TaskIdCodec.write(out, trigger.task());
        out.flag(trigger.payload().isPresent());
        trigger.payload().ifPresent(payload -> PayloadCodec.write(out, payload));
        out.flag(trigger.worker().isPresent());
        trigger.worker().ifPresent(out::text);
      }
      case Request.Cancel cancel -> {
        out.number(CANCEL);
        TaskIdCodec.write(out, cancel.task());
        out.text(cancel.reason());
      }
      case Request.Reprioritise change -> {
        out.number(REPRIORITISE);
        TaskIdCodec.write(out, change.task());
        out.constant(change.priority());
      }
      case Request.Again again -> {
        out.number(AGAIN);
        TaskIdCodec.write(out, again.task());
        out.constant(again.priority());
        WorkCodec.write(out, again.work());
      }
    }
  }

  static Request readRequest(Reader in) {
    var by = in.text();
    var at = in.instant();
    int tag = in.integer();
    return switch (tag) {
      case TRIGGER -> {
        TaskId task = TaskIdCodec.read(in);
        Optional<Payload> payload =
            in.flag() ? Optional.of(PayloadCodec.read(in)) : Optional.empty();
        Optional<String> worker = in.flag() ? Optional.of(in.text()) : Optional.empty();
        yield new Request.Trigger(task, payload, worker, by, at);
      }
      case CANCEL -> new Request.Cancel(TaskIdCodec.read(in), in.text(), by, at);
      case REPRIORITISE ->
        new Request.Reprioritise(TaskIdCodec.read(in), in.constant(PRIORITIES), by, at);
      case AGAIN -> {
        TaskId task = TaskIdCodec.read(in);
        Priority priority = in.constant(PRIORITIES);
        yield new Request.Again(task, WorkCodec.read(in), priority, by, at);
      }
      default -> throw in.damaged("a request of the unknown kind " + tag);
    };
  }
}
