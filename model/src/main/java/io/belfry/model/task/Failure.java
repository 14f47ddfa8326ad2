package io.belfry.model.task;

import io.belfry.model.retry.FailureKind;

/** How an attempt failed, with its result. */
public record Failure(FailureKind kind, Result result) {

  public static Failure error(String message) {
    return of(FailureKind.ERROR, message);
  }

  public static Failure timeout(String message) {
    return of(FailureKind.TIMEOUT, message);
  }

  public static Failure lost(String message) {
    return of(FailureKind.LOST, message);
  }

  public static Failure rejected(String message) {
    return of(FailureKind.REJECTED, message);
  }

  private static Failure of(FailureKind kind, String message) {
    return new Failure(kind, Result.of(1, message));
  }

  Failure brief(int chars) {
    return new Failure(kind, result.brief(chars));
  }
}
