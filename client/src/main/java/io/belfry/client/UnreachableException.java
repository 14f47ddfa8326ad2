package io.belfry.client;

/** No server answered. Threading: immutable. */
public final class UnreachableException extends BelfryException {
  private final boolean unknown;

  UnreachableException(String message, boolean unknown, Throwable cause) {
    super(message, cause);
    this.unknown = unknown;
  }

  /** True if the request had gone out before the connection broke; false if it never left. */
  @Override
  public boolean isUnknown() {
    return unknown;
  }
}
