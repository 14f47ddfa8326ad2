package io.belfry.core.record;

import io.belfry.model.job.Payload;
import io.belfry.model.retry.FailureKind;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.CancelRequest;
import io.belfry.model.task.EndedAttempt;
import io.belfry.model.task.EndedAttempt.Ending;
import io.belfry.model.task.Failure;
import io.belfry.model.task.History;
import io.belfry.model.task.Result;
import io.belfry.model.task.Token;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Attempts, their endings, and cancel requests, each as an extensible part. Threading: stateless. */
final class AttemptCodec {
  private static final int STARTED = 1;

  private static final int SUCCEEDED = 0;
  private static final int FAILED = 1;
  private static final int HANDED_BACK = 2;
  private static final int CANCELLED = 3;

  private static final int CODE = 1;
  private static final int MESSAGE = 1 << 1;
  private static final int DATA = 1 << 2;

  private static final FailureKind[] KINDS = FailureKind.values();

  private AttemptCodec() {}

  static void write(Writer out, Attempt attempt, Instant base) {
    int begun = out.begin();
    out.number(attempt.number());
    out.number(attempt.token().value());
    out.text(attempt.worker());
    out.instant(attempt.assigned(), base);
    out.end(begun);
  }

  static Attempt read(Reader in, Instant base) {
    int outer = in.enter();
    Attempt attempt =
        new Attempt(in.integer(), new Token(in.number()), in.text(), in.instant(base));
    in.leave(outer);
    return attempt;
  }

  static void writeHistory(Writer out, History history, Instant base) {
    int begun = out.begin();
    out.number(history.total());
    out.number(history.failed());
    out.number(history.lost());
    out.number(history.token().value());
    writeEnded(out, history.first(), base);
    writeEnded(out, history.last(), base);
    out.end(begun);
  }

  static History readHistory(Reader in, Instant base) {
    int outer = in.enter();
    int total = in.integer();
    int failed = in.integer();
    int lost = in.integer();
    Token token = new Token(in.number());
    List<EndedAttempt> first = in.list(r -> readEnded(r, base));
    List<EndedAttempt> last = in.list(r -> readEnded(r, base));
    in.leave(outer);
    return new History(first, last, total, failed, lost, token);
  }

  private static void writeEnded(Writer out, List<EndedAttempt> all, Instant base) {
    out.number(all.size());
    for (EndedAttempt ended : all) {
      int begun = out.begin();
      write(out, ended.attempt(), base);
      out.number(ended.started().isPresent() ? STARTED : 0);
      ended.started().ifPresent(started -> out.instant(started, base));
      out.instant(ended.ended(), base);
      writeEnding(out, ended.ending());
      out.end(begun);
    }
  }

  private static EndedAttempt readEnded(Reader in, Instant base) {
    int outer = in.enter();
    Attempt attempt = read(in, base);
    Optional<Instant> started =
        (in.flags(STARTED) & STARTED) == 0 ? Optional.empty() : Optional.of(in.instant(base));
    EndedAttempt ended = new EndedAttempt(attempt, started, in.instant(base), readEnding(in));
    in.leave(outer);
    return ended;
  }

  private static void writeEnding(Writer out, Ending ending) {
    switch (ending) {
      case Ending.Succeeded unused -> out.number(SUCCEEDED);
      case Ending.Failed(Failure failure) -> {
        out.number(FAILED);
        writeFailure(out, failure);
      }
      case Ending.HandedBack(String why) -> {
        out.number(HANDED_BACK);
        out.text(why);
      }
      case Ending.Cancelled unused -> out.number(CANCELLED);
    }
  }

  private static Ending readEnding(Reader in) {
    int tag = in.integer();
    return switch (tag) {
      case SUCCEEDED -> new Ending.Succeeded();
      case FAILED -> new Ending.Failed(readFailure(in));
      case HANDED_BACK -> new Ending.HandedBack(in.text());
      case CANCELLED -> new Ending.Cancelled();
      default -> throw in.damaged("an attempt with the unknown ending " + tag);
    };
  }

  static void writeFailure(Writer out, Failure failure) {
    int begun = out.begin();
    out.constant(failure.kind());
    writeResult(out, failure.result());
    out.end(begun);
  }

  static Failure readFailure(Reader in) {
    int outer = in.enter();
    Failure failure = new Failure(in.constant(KINDS), readResult(in));
    in.leave(outer);
    return failure;
  }

  static void writeResult(Writer out, Result result) {
    int begun = out.begin();
    boolean data = !result.data().equals(Payload.EMPTY);
    out.number((result.code() == 0 ? 0 : CODE)
        | (result.message().isEmpty() ? 0 : MESSAGE)
        | (data ? DATA : 0));
    if (result.code() != 0) {
      out.signed(result.code());
    }
    if (!result.message().isEmpty()) {
      out.text(result.message());
    }
    if (data) {
      PayloadCodec.write(out, result.data());
    }
    out.end(begun);
  }

  static Result readResult(Reader in) {
    int outer = in.enter();
    int flags = in.flags(CODE | MESSAGE | DATA);
    Result result = flags == 0
        ? Result.OK
        : new Result(
            (flags & CODE) == 0 ? 0 : in.signedInteger(),
            (flags & MESSAGE) == 0 ? "" : in.text(),
            (flags & DATA) == 0 ? Payload.EMPTY : PayloadCodec.read(in));
    in.leave(outer);
    return result;
  }

  static void writeCancel(Writer out, CancelRequest request, Instant base) {
    int begun = out.begin();
    writeCancelFields(out, request, base);
    out.end(begun);
  }

  static CancelRequest readCancel(Reader in, Instant base) {
    int outer = in.enter();
    CancelRequest request = readCancelFields(in, base);
    in.leave(outer);
    return request;
  }

  static void writeCancelFields(Writer out, CancelRequest request, Instant base) {
    out.text(request.by());
    out.text(request.reason());
    out.instant(request.at(), base);
  }

  static CancelRequest readCancelFields(Reader in, Instant base) {
    return new CancelRequest(in.text(), in.text(), in.instant(base));
  }
}
