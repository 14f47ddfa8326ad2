package io.belfry.core.election;

/**
 * Hears what becomes of a leader's commits, each of which holds its term.
 *
 * <p>Threading: called by steps of the leader's loop.
 */
public interface TermCommits {

  /** The state engine has applied one, or refused it for a reason of its own: it takes writes. */
  void answered();

  /** The fence was refused: another node leads, or the engine lost what it had. */
  void deposed();
}
