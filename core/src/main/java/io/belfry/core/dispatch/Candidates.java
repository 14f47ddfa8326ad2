package io.belfry.core.dispatch;

/** The workers to choose from, at least one. Valid only during the call that it was handed to. */
public interface Candidates {
  int size();

  Candidate get(int index);
}
