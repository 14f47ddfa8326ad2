package io.belfry.core.record;

import org.jspecify.annotations.Nullable;

/** A stored record cannot be decoded. No part of it was used. */
public final class DamagedRecordException extends RuntimeException {

  DamagedRecordException(
      String kind, int position, int length, String found, @Nullable Throwable cause) {
    super(
        "the " + kind + " record of " + length + " bytes cannot be read at byte " + position + ": "
            + found + ". This record was written by a newer Belfry or is damaged:"
            + " upgrade all nodes, or restore it from a backup.",
        cause);
  }
}
