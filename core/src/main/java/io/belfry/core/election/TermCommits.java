package io.belfry.core.election;

/**
 * Whether a term lasts, and what becomes of its commits, each of which holds its fencing token.
 *
 * <p>Threading: called by steps of the leader's loop.
 */
public interface TermCommits {

  /** Whether the lease of the leader is still trusted; once false, the term is over for good. */
  boolean leads();

  /** The state engine has applied one, or refused it for a reason of its own: it takes writes. */
  void answered();

  /** The fence was refused: another node leads, or the engine lost what it had. */
  void deposed();
}
