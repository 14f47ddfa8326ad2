package io.belfry.core.leader;

import java.util.EnumSet;
import java.util.Set;

/**
 * Opens once the leader has read all it needs. A leader that assigned tasks earlier would start what was cancelled or paused before its
 * term.
 *
 * <p>Threading: confined to the leader's loop.
 */
final class LoadBarrier {
  /** What must have been read once. */
  enum Part {
    TASKS,
    REQUESTS,
    SETTINGS,
    CALENDARS,
    QUEUES,
    OFFERS,
    AFTER_JOBS
  }

  private final Set<Part> awaited = EnumSet.allOf(Part.class);
  private final Runnable opened;

  /**
   * A closed barrier.
   *
   * @param opened called once
   */
  LoadBarrier(Runnable opened) {
    this.opened = opened;
  }

  boolean isOpen() {
    return awaited.isEmpty();
  }

  /** A part has been read, for the first time or again. */
  void loaded(Part part) {
    if (awaited.remove(part) && awaited.isEmpty()) {
      opened.run();
    }
  }
}
