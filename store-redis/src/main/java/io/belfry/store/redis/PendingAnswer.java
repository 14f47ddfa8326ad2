package io.belfry.store.redis;

/** Something whose answer is due on the connection, in the order in which it was sent. */
sealed interface PendingAnswer {

  /**
   * A call that was taken out of the queue in order to be written.
   *
   * <p>Threading: {@code begun} and {@code withdrawn} under the lock of the {@link CallQueue}.
   */
  final class Asked implements PendingAnswer {
    private final Call<?> call;
    private final DataSetLife sent;
    /** Its first byte may have been written: from then on it may have been done. */
    boolean begun;
    /** It was given up before its first byte, and must not be written any more. */
    boolean withdrawn;

    Asked(Call<?> call, DataSetLife sent) {
      this.call = call;
      this.sent = sent;
    }

    Call<?> call() {
      return call;
    }

    /** What was known when it was sent. */
    DataSetLife sent() {
      return sent;
    }
  }

  /** A WAIT that covers what was asked before it. */
  record Acknowledgements(int wanted) implements PendingAnswer {}
}
