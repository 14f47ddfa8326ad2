package io.belfry.core.record;

import io.belfry.model.Check;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Payload;
import io.belfry.model.job.Work;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.Result;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskState;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * Estimates the size of tasks in a commit, so that batches are closed before they are too large for one. Never below the written size, at
 * most three times as much, and far faster than encoding.
 *
 * <pre>
 *   kibibytes       work + attempts + data
 *   assigned   2 × ( 576 +       64        )   the record and the inbox      ≤ 1280, the largest commit
 *   ended            576 +       64 +  384     the history batch                   ≤ 1024, the largest value
 *                  + 192 +       64            and the message to the leader ≤ 1280
 * </pre>
 *
 * Threading: stateless.
 */
public final class Weight {
  /** The largest work, with its payload, for which a task can be assigned, fail often, and end. */
  public static final int WORK_BYTES_MAX = 576 << 10;

  /** The largest part of it in messages to nodes that do not run it. */
  private static final int TOLD_BYTES_MAX = 192 << 10;

  /** Ids, instants, numbers and flags of a task, with the lengths of its parts; and its key in the commit. */
  private static final int FRAME = 400;
  /** All of an ended attempt except texts. */
  private static final int ENDED = 100;
  /** The longest number, with its tag. */
  private static final int NUMBER = 1 + Varint.LONGEST;

  /** UTF-8 takes at most this many bytes for a char, UTF-16 fewer. */
  private static final int BYTES_PER_CHAR = 3;

  private static final int LENGTH = 5;

  private Weight() {}

  public static long of(Task task) {
    long weight = FRAME + of(task.work()) + of(task.work().payload());
    if (task.key().isPresent()) {
      weight += text(task.key().get());
    }
    if (task.submittedBy().isPresent()) {
      weight += text(task.submittedBy().get());
    }
    if (task.cancel().isPresent()) {
      weight += cancel(task.cancel().get());
    }
    return weight
        + state(task.state())
        + ended(task.history().first())
        + ended(task.history().last());
  }

  /** Without the payload. */
  public static long of(Work work) {
    long weight = FRAME + text(work.name()) + text(work.executor().type()) + text(work.queue());
    if (work.limit().key().isPresent()) {
      weight += text(work.limit().key().get());
    }
    return weight
        + settings(work.executor().settings())
        + texts(work.workers())
        + texts(work.metadata());
  }

  /** The size of an executor's settings alone. */
  public static long of(ExecutorSpec spec) {
    return text(spec.type()) + settings(spec.settings());
  }

  /** Whether the encoded task has at most this many bytes, exactly. */
  public static boolean isAtMost(int bytes, Task task) {
    return of(task) <= bytes || Records.encode(task).length <= bytes;
  }

  /** Whether the work is too large for messages, even without its payload. */
  static boolean isTooMuchToTell(Work slim) {
    return of(slim) > TOLD_BYTES_MAX && Records.encode(slim).length > TOLD_BYTES_MAX;
  }

  /**
   * Checks the size of work before it is accepted.
   *
   * @param field the name of the field for the error
   * @throws io.belfry.model.InvalidException if a later commit with this work might be too large
   */
  public static Work checked(String field, Work work) {
    if (of(work) + of(work.payload()) > WORK_BYTES_MAX) {
      int bytes = Records.encode(work).length;
      Check.that(
          bytes <= WORK_BYTES_MAX,
          field,
          new Check.Amount(bytes, "bytes"),
          "must take at most " + WORK_BYTES_MAX
              + " bytes in all, because it is written with every attempt",
          "Shorten its payload, its executor's settings, its labels or its metadata.");
    }
    return work;
  }

  private static long state(TaskState state) {
    return switch (state) {
      case TaskState.Held held -> attempt(held.attempt());
      case TaskState.Succeeded succeeded -> result(succeeded.result());
      case TaskState.Failed failed -> result(failed.failure().result());
      case TaskState.Cancelled cancelled -> cancel(cancelled.request());
      case TaskState.Pending unused -> 0L;
      case TaskState.Skipped unused -> 0L;
    };
  }

  private static long ended(List<EndedAttempt> attempts) {
    long weight = 0;
    for (EndedAttempt each : attempts) {
      weight += ENDED + attempt(each.attempt());
      weight += switch (each.ending()) {
        case EndedAttempt.Ending.Failed failed -> result(failed.failure().result());
        case EndedAttempt.Ending.HandedBack(String why) -> text(why);
        case EndedAttempt.Ending.Succeeded unused -> 0L;
        case EndedAttempt.Ending.Cancelled unused -> 0L;
      };
    }
    return weight;
  }

  private static long attempt(Attempt attempt) {
    return text(attempt.worker());
  }

  private static long result(Result result) {
    return text(result.message()) + of(result.data());
  }

  private static long cancel(CancelRequest request) {
    return text(request.by()) + text(request.reason());
  }

  /** Payloads are deflated only if that is shorter. */
  private static long of(Payload payload) {
    return payload.equals(Payload.EMPTY)
        ? 0
        : 2L * NUMBER + text(payload.contentType()) + payload.size();
  }

  private static long texts(Map<String, String> texts) {
    long weight = LENGTH;
    for (var each : texts.entrySet()) {
      weight += text(each.getKey()) + text(each.getValue());
    }
    return weight;
  }

  private static long settings(Map<?, ?> settings) {
    long weight = NUMBER;
    for (var each : settings.entrySet()) {
      weight += text((String) each.getKey()) + setting(each.getValue());
    }
    return weight;
  }

  private static long setting(Object value) {
    return switch (value) {
      case String text -> 1 + text(text);
      case Map<?, ?> map -> 1 + settings(map);
      case List<?> list -> {
        long weight = NUMBER;
        for (Object each : list) {
          weight += setting(each);
        }
        yield weight;
      }
      case BigInteger big -> NUMBER + big.bitLength() / Byte.SIZE + 1L;
      default -> (long) NUMBER;
    };
  }

  private static long text(String text) {
    return LENGTH + (long) BYTES_PER_CHAR * text.length();
  }
}
