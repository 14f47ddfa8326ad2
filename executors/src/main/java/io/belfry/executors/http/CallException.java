package io.belfry.executors.http;

/** A call ended without a response. */
final class CallException extends Exception {
  private static final long serialVersionUID = 1;

  private final CallFailure failure;

  CallException(CallFailure failure, String message) {
    super(message);
    this.failure = failure;
  }

  CallFailure failure() {
    return failure;
  }
}
