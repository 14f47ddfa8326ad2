package io.belfry.store;

/** Something is larger than any engine would take. Thrown before anything is sent. */
public final class TooLargeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  TooLargeException(String what, long got, long most, String unit) {
    super(what + " must have at most " + most + " " + unit
        + ", the most that every engine takes in one step, but has " + got
        + ". Split it, or keep the bulk elsewhere and store a reference.");
  }
}
