package io.belfry.cli.verb;

/** What went wrong, as a sentence for the user. */
public final class Complaint extends RuntimeException {
  public Complaint(String message) {
    super(message);
  }

  public Complaint(String message, Throwable cause) {
    super(message, cause);
  }
}
