package io.belfry.core.record;

import io.belfry.model.job.JobId;
import io.belfry.model.task.TaskId;

/** A task id in parts: formatting and parsing an instant would cost more than all the rest. Threading: stateless. */
final class TaskIdCodec {
  private static final int ONE_OFF = 0;
  private static final int FIRE = 1;
  private static final int TRIGGERED = 2;

  private TaskIdCodec() {}

  static void write(Writer out, TaskId id) {
    switch (id) {
      case TaskId.OneOff own -> {
        out.number(ONE_OFF);
        out.text(own.value());
      }
      case TaskId.Fire fire -> {
        out.number(FIRE);
        out.text(fire.job().value());
        out.instant(fire.at());
      }
      case TaskId.Triggered triggered -> {
        out.number(TRIGGERED);
        out.text(triggered.job().value());
        out.text(triggered.fresh());
      }
    }
  }

  static TaskId read(Reader in) {
    int tag = in.integer();
    return switch (tag) {
      case ONE_OFF -> new TaskId.OneOff(in.text());
      case FIRE -> new TaskId.Fire(new JobId(in.text()), in.instant());
      case TRIGGERED -> new TaskId.Triggered(new JobId(in.text()), in.text());
      default -> throw in.damaged("a task id of the unknown kind " + tag);
    };
  }
}
