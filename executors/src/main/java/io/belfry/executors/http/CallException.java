package io.belfry.executors.http;

/** A call got no answer. */
final class CallException extends Exception {
  private static final long serialVersionUID = 1;

  private final CallFailure trouble;

  CallException(CallFailure trouble, String message) {
    super(message);
    this.trouble = trouble;
  }

  CallFailure trouble() {
    return trouble;
  }
}
