package io.belfry.store.etcd;

import io.belfry.store.StoreException;
import io.grpc.Status;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Why a call has no answer, and above all whether it may have been carried out. What etcd or the wire says is put into
 * one of the kinds by {@link FailureTable}.
 */
record Failure(Kind kind, Status status, String member) {

  /**
   * Only {@code UNKNOWN}, and {@code FULL} of a request that puts something, leave open whether the request was carried out; after all others it
   * certainly was not.
   */
  enum Kind {
    /** Never left this process: the member refused the connection, or did not shake hands in time. */
    NOT_SENT,
    /** Left, and was not answered, or was answered with etcd's own "I don't know". */
    UNKNOWN,
    /** The token is stale, or belongs to older users and roles. */
    UNAUTHENTICATED,
    /** A put under a lease that does not exist: etcd refuses the whole transaction. */
    LEASE_ENDED,
    /** More bytes or operations than this etcd takes in one request. */
    TOO_LARGE,
    /** The answer is larger than we take. */
    ANSWER_TOO_LARGE,
    /** The revision asked for is no longer there. */
    COMPACTED,
    /** etcd's quota is used up. {@link BatchMarks} says what became of a batch. */
    FULL,
    /** etcd applies more slowly than it is asked, and takes no more for the moment. It says so before it proposes anything. */
    OVERLOADED,
    /** Credentials, permissions, or something this etcd does not do. */
    DENIED,
    /** etcd itself says its data is damaged. */
    DAMAGED
  }

  /** Carries a failure through stages inside the adapter; callers never see it. */
  static final class Thrown extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Failure failure;

    Thrown(Failure failure) {
      super(failure.words(), failure.status.getCause(), false, false);
      this.failure = failure;
    }

    Failure failure() {
      return failure;
    }
  }

  /** etcd answered, whatever it said: the line works. */
  boolean answered() {
    return Optional.ofNullable(status.getDescription()).orElse("").startsWith("etcdserver: ");
  }

  /**
   * This process gave the call up, at its deadline or before. It may have been held up itself, so that says nothing about a line that is
   * connected: others may be served over it at this moment.
   */
  boolean endedHere() {
    return status.getCode() == Status.Code.DEADLINE_EXCEEDED
        || (status.getCode() == Status.Code.CANCELLED && status.getCause() == null);
  }

  StoreException asException() {
    String words = words();
    Throwable cause = status.asRuntimeException();
    return switch (kind) {
      case NOT_SENT ->
        isTls()
            ? new StoreException.Denied(
                words
                    + " No TLS connection came about: check etcd.ca, etcd.cert, etcd.key and the name"
                    + " in the member's certificate.",
                cause)
            : new StoreException.Unavailable(
                words + " Nothing was sent. Check that the members run and can be reached.", cause);
      case UNKNOWN ->
        new StoreException.Unknown(
            words + " Whether the request was or will be carried out is not known.", cause);
      case LEASE_ENDED, ANSWER_TOO_LARGE, COMPACTED -> new StoreException.Unavailable(words, cause);
      case TOO_LARGE ->
        new StoreException.Denied(
            words + " Start etcd with --max-request-bytes 1572864 and --max-txn-ops 128 or more.",
            cause);
      case FULL ->
        new StoreException.Full(
            words + " Compact and defragment etcd, raise its quota, then disarm the alarm.", cause);
      // Callers of the server are told this as it is, so it names no member.
      case OVERLOADED ->
        new StoreException.Unavailable(
            "etcd has more requests than it takes in. Try again later, and slower.", cause);
      case UNAUTHENTICATED, DENIED ->
        new StoreException.Denied(
            words + " Check etcd.user, etcd.password and that user's permissions.", cause);
      case DAMAGED ->
        new StoreException.Damaged(words + " Replace the member, or restore a backup.", cause);
    };
  }

  String words() {
    String description = Optional.ofNullable(status.getDescription()).orElse("no words");
    String cause = Optional.ofNullable(status.getCause())
        .map(c -> " (" + c.getMessage() + ")")
        .orElse("");
    return "etcd member " + member + " did not do it: " + status.getCode() + ", " + description
        + cause + ".";
  }

  /** Whether etcd only said that it asks nobody for a password. */
  boolean isAuthenticationOff() {
    return Optional.ofNullable(status.getDescription())
        .orElse("")
        .contains("authentication is not enabled");
  }

  /** Whether TLS could not be agreed on: certificates, names, or a connection that was cut meanwhile. */
  boolean isTls() {
    for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException) {
        return true;
      }
    }
    return false;
  }
}
