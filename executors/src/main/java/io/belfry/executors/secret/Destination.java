package io.belfry.executors.secret;

import io.belfry.executors.egress.Target;

/** The destination to which an attempt is about to send a secret. */
public sealed interface Destination {

  /** A server: scheme, host and port of the actual call. */
  record Server(Target target) implements Destination {
    @Override
    public String toString() {
      return target.origin();
    }
  }

  /** A script on the worker's machine. */
  record Script() implements Destination {
    @Override
    public String toString() {
      return Destinations.SCRIPT;
    }
  }
}
