package io.belfry.core.record;

import io.belfry.model.Check;
import java.time.Instant;

/**
 * The progress that an attempt has reported.
 *
 * @param fraction from 0 to 1
 * @param message for users; may be empty
 * @param at when it was reported, by its worker's clock
 */
public record Progress(double fraction, String message, Instant at) {
  public static final int MESSAGE_CHARS_MAX = 500;

  public Progress {
    Check.atMost("progress.message", message, MESSAGE_CHARS_MAX);
  }

  /** Makes valid progress of any arguments: a progress report never fails. */
  public static Progress said(double fraction, String message, Instant at) {
    double bounded = fraction > 0 ? Math.min(1, fraction) : 0; // also what is no number
    String clipped = message.length() <= MESSAGE_CHARS_MAX
        ? message
        : message.substring(0, MESSAGE_CHARS_MAX - 1) + "…";
    return new Progress(bounded, clipped, at);
  }
}
