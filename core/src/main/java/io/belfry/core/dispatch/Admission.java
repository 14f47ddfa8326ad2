package io.belfry.core.dispatch;

/**
 * A task of a queue in pull mode that workers may claim. Its slot under its limit is reserved; which worker gets it is open. Threading:
 * confined to the leader loop.
 */
public final class Admission<T> {
  private final WaitingTask<T> task;
  private final Row<T> row;
  private final int most;
  private final long rank;
  private final long nanos;

  Admission(WaitingTask<T> task, Row<T> row, int most, long rank, long nanos) {
    this.task = task;
    this.row = row;
    this.most = most;
    this.rank = rank;
    this.nanos = nanos;
  }

  public WaitingTask<T> task() {
    return task;
  }

  /** The smaller rank goes first; among equals, the smaller {@link WaitingTask#order}. */
  public long rank() {
    return rank;
  }

  Row<T> row() {
    return row;
  }

  int most() {
    return most;
  }

  long nanos() {
    return nanos;
  }
}
