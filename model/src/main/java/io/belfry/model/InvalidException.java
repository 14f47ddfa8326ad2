package io.belfry.model;

/** A value was refused before anything was written. Names the field, so that a form can highlight it. */
public final class InvalidException extends IllegalArgumentException {
  private final String field;

  public InvalidException(String field, String message) {
    super(message);
    this.field = field;
  }

  /** Path of the refused value as a user writes it, such as {@code retry.max}. */
  public String field() {
    return field;
  }
}
