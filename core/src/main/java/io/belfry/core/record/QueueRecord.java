package io.belfry.core.record;

/**
 * The settings of a queue. A queue without a record is in push mode and not paused.
 *
 * @param paused none of its tasks is assigned or may be claimed
 * @param generation grows with every change; every claim is guarded by the unchanged record
 */
public record QueueRecord(Mode mode, boolean paused, long generation) {
  /** Who decides which worker gets a task. */
  public enum Mode {
    /** The leader, by strategy. */
    PUSH,
    /** The workers, which claim what the leader has admitted. */
    PULL
  }

  public static final QueueRecord DEFAULT = new QueueRecord(Mode.PUSH, false, 0);

  public QueueRecord mode(Mode to) {
    return new QueueRecord(to, paused, generation + 1);
  }

  public QueueRecord paused(boolean to) {
    return new QueueRecord(mode, to, generation + 1);
  }
}
