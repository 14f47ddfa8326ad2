package io.belfry.client;

/** No server sent a response. Threading: immutable. */
public final class UnreachableException extends BelfryException {
  private final boolean unknown;

  UnreachableException(String message, boolean unknown, Throwable cause) {
    super(message, cause);
    this.unknown = unknown;
  }

  /** True if the request may have been sent before the connection was lost; false if it was not sent. */
  @Override
  public boolean isUnknown() {
    return unknown;
  }
}
