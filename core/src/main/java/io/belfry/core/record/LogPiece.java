package io.belfry.core.record;

import io.belfry.model.job.Payload;

/**
 * Some lines of a log.
 *
 * @param number counted from 0 for each attempt
 * @param text whole lines, as UTF-8
 */
public record LogPiece(long number, Payload text) {
  public static final String TYPE = "text/plain";
}
