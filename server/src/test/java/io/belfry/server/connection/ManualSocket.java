package io.belfry.server.connection;

import java.util.Optional;

/** A connection controlled by its test. Threading: confined to its test. */
final class ManualSocket implements Client.Socket {
  long out;
  boolean pending;
  Optional<CloseReason> closed = Optional.empty();

  @Override
  public long bytesOut() {
    return out;
  }

  @Override
  public boolean writePending() {
    return pending;
  }

  @Override
  public void close(CloseReason reason, boolean answer) {
    closed = Optional.of(reason);
  }
}
