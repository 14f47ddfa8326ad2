package io.belfry.executors.secret;

import io.belfry.executors.egress.Target;

/** Where an attempt is about to send a secret. */
public sealed interface Destination {

  /** A server, by the scheme, host and port that are really called. */
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
