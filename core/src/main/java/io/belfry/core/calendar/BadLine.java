package io.belfry.core.calendar;

import io.belfry.model.InvalidException;

/** Refuses a holiday file, and says at which line. Threading: stateless. */
final class BadLine {
  private BadLine() {}

  /**
   * @param line counted from 1
   */
  static InvalidException at(int line, String message) {
    return new InvalidException("calendar.file", "calendar.file line " + line + ": " + message);
  }
}
