package io.belfry.store.etcd;

import io.belfry.store.etcd.Failure.Kind;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.util.List;
import java.util.Optional;

/**
 * What etcd's answers mean. The first row that fits counts; what fits none may have been carried out.
 *
 * <p>The rows say "certainly not carried out" only where etcd decides before it proposes, or where its state machine
 * refuses as a whole. "database space exceeded" may be either, or a remark about what was applied: see {@link BatchMarks}. "request timed out",
 * "leader changed", "server stopped" and the like come after the proposal: no
 * row, so unknown.
 */
final class FailureTable {
  private record Row(String text, Kind kind) {}

  private static final List<Row> BY_TEXT = List.of(
      new Row("invalid auth token", Kind.UNAUTHENTICATED),
      new Row("revision of auth store is old", Kind.UNAUTHENTICATED),
      new Row("user name is empty", Kind.UNAUTHENTICATED),
      new Row("requested lease not found", Kind.LEASE_ENDED),
      new Row("request is too large", Kind.TOO_LARGE),
      new Row("too many operations in txn request", Kind.TOO_LARGE),
      new Row("received message larger than max", Kind.TOO_LARGE),
      new Row("gRPC message exceeds maximum size", Kind.ANSWER_TOO_LARGE),
      new Row("required revision has been compacted", Kind.COMPACTED),
      new Row("database space exceeded", Kind.FULL),
      new Row("too many requests", Kind.OVERLOADED),
      new Row("authentication failed", Kind.DENIED),
      new Row("permission denied", Kind.DENIED),
      new Row("corrupt cluster", Kind.DAMAGED));

  private FailureTable() {}

  /**
   * @param sent whether the request was handed to a connection
   */
  static Failure classify(Status status, boolean sent, String member) {
    return new Failure(kind(status, sent), status, member);
  }

  private static Kind kind(Status status, boolean sent) {
    if (!sent) {
      return Kind.NOT_SENT;
    }
    String text = Optional.ofNullable(status.getDescription()).orElse("");
    for (Row row : BY_TEXT) {
      if (text.contains(row.text)) {
        return row.kind;
      }
    }
    return byCode(status.getCode());
  }

  private static Kind byCode(Code code) {
    return switch (code) {
      case UNAUTHENTICATED -> Kind.UNAUTHENTICATED;
      case PERMISSION_DENIED, INVALID_ARGUMENT, FAILED_PRECONDITION, UNIMPLEMENTED -> Kind.DENIED;
      case DATA_LOSS -> Kind.DAMAGED;
      default -> Kind.UNKNOWN;
    };
  }
}
