package io.belfry.core.election;

import java.time.Duration;

/**
 * Receives the results of an election. Between {@code won} and {@code lost} this node leads. Threading: called on the loop of the election.
 */
public interface ElectionListener {
  void won(Leadership leadership);

  void lost(String why);

  /** For how long it does not know enough to lead; zero: it does. */
  default Duration unready() {
    return Duration.ZERO;
  }

  /** For how long others that could lead are to be let go first; zero: not at all. */
  default Duration reserve() {
    return Duration.ZERO;
  }
}
