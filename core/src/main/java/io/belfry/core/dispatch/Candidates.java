package io.belfry.core.dispatch;

/** The workers to choose from, at least one. Valid only during the call that receives it. */
public interface Candidates {
  int size();

  Candidate get(int index);
}
