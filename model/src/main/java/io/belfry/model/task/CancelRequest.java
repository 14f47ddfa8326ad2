package io.belfry.model.task;

import io.belfry.model.Check;
import java.time.Instant;

/** A request to cancel a task: who asked, why and when. */
public record CancelRequest(String by, String reason, Instant at) {
  private static final int CHARS_MAX = 500;

  public CancelRequest {
    by = Check.clip(by, CHARS_MAX);
    reason = Check.clip(reason, CHARS_MAX);
  }
}
