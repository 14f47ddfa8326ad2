package io.belfry.server.connection;

import java.io.IOException;

/** The body of a request did not arrive in time. Threading: immutable. */
public final class SlowBodyException extends IOException {
  private static final long serialVersionUID = 1;

  SlowBodyException(CloseReason reason) {
    super(reason.text());
  }
}
