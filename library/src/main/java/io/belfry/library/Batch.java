package io.belfry.library;

import io.belfry.core.submit.Receipt;
import io.belfry.model.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Submits many tasks within the deadline of one call, each with its own outcome. Those without an answer by then are unknown. Threading:
 * confined to its caller.
 */
final class Batch {
  private final Calls calls;

  Batch(Calls calls) {
    this.calls = calls;
  }

  List<Submitted> submit(
      List<Submission> submissions, Function<Submission, CompletionStage<Receipt>> send) {
    Calls.Span span = calls.begin();
    var inFlight = new ArrayList<CompletionStage<Receipt>>();
    for (Submission each : submissions) {
      inFlight.add(sent(each, send));
    }
    return inFlight.stream().map(stage -> outcome(span, stage)).toList();
  }

  /** A submission that is invalid does not fail the others. */
  private static CompletionStage<Receipt> sent(
      Submission submission, Function<Submission, CompletionStage<Receipt>> send) {
    try {
      return send.apply(submission);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  /** The task of a submission, new or existing. */
  static TaskId task(Receipt receipt) {
    return switch (receipt) {
      case Receipt.Accepted(TaskId task) -> task;
      case Receipt.Repeated(TaskId task) -> task;
      case Receipt.Conflict(TaskId task) -> throw new ConflictException(task);
    };
  }

  private static Submitted outcome(Calls.Span span, CompletionStage<Receipt> stage) {
    try {
      return switch (span.written(stage)) {
        case Receipt.Accepted(TaskId task) -> new Submitted.Accepted(task);
        case Receipt.Repeated(TaskId task) -> new Submitted.Repeated(task);
        case Receipt.Conflict(TaskId task) -> new Submitted.Refused(new ConflictException(task));
      };
    } catch (RuntimeException e) {
      return new Submitted.Refused(e);
    }
  }
}
