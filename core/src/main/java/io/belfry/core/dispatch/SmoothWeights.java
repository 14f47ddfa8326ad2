package io.belfry.core.dispatch;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Smooth weighted round robin: each round every balance grows by its worker's weight, and the worker with the highest balance is chosen and
 * pays the sum. Weights 5, 1, 1 give a a b a c a a, not a a a a a b c. Threading: confined to the leader loop.
 */
final class SmoothWeights implements Strategy {
  private static final int SEATS = 16;

  private long[] balances = new long[SEATS];

  @Override
  public Candidate choose(Candidates candidates, WaitingTask<?> task, RandomGenerator random) {
    Candidate richest = candidates.get(0);
    long most = Long.MIN_VALUE;
    long given = 0;
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      int weight = Math.max(1, candidate.record().weight());
      long balance = balances(candidate.seat())[candidate.seat()] += weight;
      given += weight;
      if (balance > most) {
        most = balance;
        richest = candidate;
      }
    }
    balances[richest.seat()] -= given;
    return richest;
  }

  private long[] balances(int seat) {
    if (seat >= balances.length) {
      balances = Arrays.copyOf(balances, 2 * seat);
    }
    return balances;
  }

  @Override
  public void left(Candidate worker) {
    balances(worker.seat())[worker.seat()] = 0;
  }

  @Override
  public void reset() {
    Arrays.fill(balances, 0);
  }
}
