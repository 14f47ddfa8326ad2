package io.belfry.executors.http;

/** A call got no answer. */
final class CallException extends Exception {
  private static final long serialVersionUID = 1;

  private final Trouble trouble;

  CallException(Trouble trouble, String message) {
    super(message);
    this.trouble = trouble;
  }

  Trouble trouble() {
    return trouble;
  }
}
