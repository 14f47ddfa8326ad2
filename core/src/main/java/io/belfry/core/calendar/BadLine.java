package io.belfry.core.calendar;

import io.belfry.model.InvalidException;

/** Creates the error for a holiday file, with its line number. Threading: stateless. */
final class BadLine {
  private BadLine() {}

  /**
   * @param line counted from 1
   */
  static InvalidException at(int line, String message) {
    return new InvalidException("calendar.file", "calendar.file line " + line + ": " + message);
  }
}
