package io.belfry.core.record;

import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.missed.SkipReason;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import java.time.Instant;
import java.util.Optional;

/**
 * A task: first the constant parts, then its state.
 *
 * <pre>
 *   length work │ flags │ id │ [scheduled] │ created │ [priority] │ [key] │ length state │ [cancel] │ [history] │ [submitter]
 *                                   └── instants from here on are written as their distance from it
 * </pre>
 *
 * Threading: stateless.
 */
final class TaskCodec {
  /** Set unless the id already contains the scheduled instant. */
  private static final int SCHEDULED = 1;

  private static final int PRIORITY = 1 << 1;
  private static final int KEY = 1 << 2;
  private static final int CANCEL = 1 << 3;
  private static final int HISTORY = 1 << 4;
  private static final int SUBMITTER = 1 << 5;
  private static final int ALL = (1 << 6) - 1;

  private static final int PENDING = 0;
  private static final int ASSIGNED = 1;
  private static final int RUNNING = 2;
  private static final int SUCCEEDED = 3;
  private static final int FAILED = 4;
  private static final int CANCELLED = 5;
  private static final int SKIPPED = 6;

  private static final Priority[] PRIORITIES = Priority.values();
  private static final SkipReason[] REASONS = SkipReason.values();

  private TaskCodec() {}

  /** Writes it as a part of another record. */
  static void writePart(Writer out, Task task) {
    int begun = out.begin();
    write(out, task);
    out.end(begun);
  }

  static Task readPart(Reader in) {
    int outer = in.enter();
    Task task = read(in);
    in.leave(outer);
    return task;
  }

  static void write(Writer out, Task task) {
    WorkCodec.write(out, task.work());
    int flags = flags(task);
    Instant base = task.scheduled();
    out.number(flags);
    TaskIdCodec.write(out, task.id());
    if ((flags & SCHEDULED) != 0) {
      out.instant(base);
    }
    out.instant(task.created(), base);
    if ((flags & PRIORITY) != 0) {
      out.constant(task.priority());
    }
    task.key().ifPresent(out::text);
    writeState(out, task.state(), base);
    if (task.cancel().isPresent()) {
      AttemptCodec.writeCancel(out, task.cancel().get(), base);
    }
    if ((flags & HISTORY) != 0) {
      AttemptCodec.writeHistory(out, task.history(), base);
    }
    if (task.submittedBy().isPresent()) {
      out.text(task.submittedBy().get());
    }
  }

  static Task read(Reader in) {
    Work work = WorkCodec.read(in);
    int flags = in.flags(ALL);
    TaskId id = TaskIdCodec.read(in);
    Instant base = scheduled(in, flags, id);
    return new Task(
        id,
        work,
        base,
        in.instant(base),
        (flags & PRIORITY) == 0 ? Priority.NORMAL : in.constant(PRIORITIES),
        (flags & KEY) == 0 ? Optional.empty() : Optional.of(in.text()),
        readState(in, base),
        (flags & CANCEL) == 0 ? Optional.empty() : Optional.of(AttemptCodec.readCancel(in, base)),
        (flags & HISTORY) == 0 ? History.NONE : AttemptCodec.readHistory(in, base),
        (flags & SUBMITTER) == 0 ? Optional.empty() : Optional.of(in.text()));
  }

  /** Decodes only the id. */
  static TaskId readId(Reader in) {
    in.leave(in.enter()); // the work
    int unused = in.flags(ALL);
    return TaskIdCodec.read(in);
  }

  private static int flags(Task task) {
    boolean inId = task.id() instanceof TaskId.Fire fire && fire.at().equals(task.scheduled());
    return (inId ? 0 : SCHEDULED)
        | (task.priority() == Priority.NORMAL ? 0 : PRIORITY)
        | (task.key().isPresent() ? KEY : 0)
        | (task.cancel().isPresent() ? CANCEL : 0)
        | (task.history().equals(History.NONE) ? 0 : HISTORY)
        | (task.submittedBy().isPresent() ? SUBMITTER : 0);
  }

  private static Instant scheduled(Reader in, int flags, TaskId id) {
    if ((flags & SCHEDULED) != 0) {
      return in.instant();
    }
    if (id instanceof TaskId.Fire fire) {
      return fire.at();
    }
    throw in.damaged("no scheduled instant, and none in the id");
  }

  private static void writeState(Writer out, TaskState state, Instant base) {
    int begun = out.begin();
    switch (state) {
      case TaskState.Pending pending -> {
        out.number(PENDING);
        out.instant(pending.due(), base);
      }
      case TaskState.Assigned assigned -> {
        out.number(ASSIGNED);
        AttemptCodec.write(out, assigned.attempt(), base);
      }
      case TaskState.Running running -> {
        out.number(RUNNING);
        AttemptCodec.write(out, running.attempt(), base);
        out.instant(running.since(), base);
      }
      case TaskState.Succeeded succeeded -> {
        out.number(SUCCEEDED);
        AttemptCodec.writeResult(out, succeeded.result());
        out.instant(succeeded.at(), base);
      }
      case TaskState.Failed failed -> {
        out.number(FAILED);
        AttemptCodec.writeFailure(out, failed.failure());
        out.instant(failed.at(), base);
      }
      case TaskState.Cancelled cancelled -> {
        out.number(CANCELLED);
        AttemptCodec.writeCancel(out, cancelled.request(), base);
        out.instant(cancelled.at(), base);
      }
      case TaskState.Skipped skipped -> {
        out.number(SKIPPED);
        out.constant(skipped.reason());
        out.instant(skipped.at(), base);
      }
    }
    out.end(begun);
  }

  private static TaskState readState(Reader in, Instant base) {
    int outer = in.enter();
    int tag = in.integer();
    TaskState state = switch (tag) {
      case PENDING -> new TaskState.Pending(in.instant(base));
      case ASSIGNED -> new TaskState.Assigned(AttemptCodec.read(in, base));
      case RUNNING -> new TaskState.Running(AttemptCodec.read(in, base), in.instant(base));
      case SUCCEEDED -> new TaskState.Succeeded(AttemptCodec.readResult(in), in.instant(base));
      case FAILED -> new TaskState.Failed(AttemptCodec.readFailure(in), in.instant(base));
      case CANCELLED -> {
        CancelRequest request = AttemptCodec.readCancel(in, base);
        yield new TaskState.Cancelled(request, in.instant(base));
      }
      case SKIPPED -> new TaskState.Skipped(in.constant(REASONS), in.instant(base));
      default -> throw in.damaged("a task in the unknown state " + tag);
    };
    in.leave(outer);
    return state;
  }
}
