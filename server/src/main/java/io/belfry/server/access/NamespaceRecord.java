package io.belfry.server.access;

import io.belfry.model.Check;
import java.time.Instant;

/** A namespace that somebody made. */
public record NamespaceRecord(String name, String description, Instant created) {
  private static final int DESCRIPTION_CHARS_MAX = 1000;

  public NamespaceRecord {
    Check.atMost("description", description, DESCRIPTION_CHARS_MAX);
  }
}
