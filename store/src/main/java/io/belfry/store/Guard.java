package io.belfry.store;

/** What must be true at the very step of a commit. */
public sealed interface Guard {
  Key key();

  /** The key does not exist. */
  record Absent(Key key) implements Guard {}

  /** The key exists and was last written by this revision. */
  record Unchanged(Key key, long revision) implements Guard {}

  /**
   * The fence still stands as its holder wrote it, and in the same epoch: {@code Unchanged} plus "no step was taken back
   * since". Its refusal tells a leader that it no longer leads.
   */
  record Holds(Key key, long revision) implements Guard {}
}
