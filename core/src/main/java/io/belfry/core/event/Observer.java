package io.belfry.core.event;

/** Receives the events on one node. Called by the loops: must neither block nor throw. */
@FunctionalInterface
public interface Observer {
  Observer NOBODY = happening -> {};

  void observed(Happening happening);
}
