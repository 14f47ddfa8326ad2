package io.belfry.core.dispatch;

/**
 * The comparisons used by stateless strategies. Of two equal candidates, the one that has been without a new task for longer goes
 * first, so that equals take turns. Threading: stateless.
 */
final class Comparisons {
  static final Strategy LEAST_TASKS = (all, task, random) -> of(all, Comparisons::heldLess);

  private static final double MEASURES = 3;

  interface Better {
    boolean test(Candidate a, Candidate b);
  }

  private Comparisons() {}

  static Candidate of(Candidates candidates, Better better) {
    Candidate best = candidates.get(0);
    for (int i = 1; i < candidates.size(); i++) {
      Candidate next = candidates.get(i);
      if (better.test(next, best)) {
        best = next;
      }
    }
    return best;
  }

  /** Whether {@code a} got its last task longer ago: among equal workers this is round robin. */
  static boolean waitedLonger(Candidate a, Candidate b) {
    return a.lastTaken() < b.lastTaken();
  }

  static boolean heldLess(Candidate a, Candidate b) {
    return a.held() != b.held() ? a.held() < b.held() : waitedLonger(a, b);
  }

  /** Reported connections, plus one for each task assigned since: otherwise all tasks between two heartbeats go to one worker. */
  static boolean connectedLess(Candidate a, Candidate b) {
    int here = a.record().load().connections() + a.unreported();
    int there = b.record().load().connections() + b.unreported();
    return here != there ? here < there : heldLess(a, b);
  }

  static boolean loadedLess(Candidate a, Candidate b) {
    int order = Double.compare(load(a), load(b));
    return order != 0 ? order < 0 : heldLess(a, b);
  }

  /** The mean of CPU, memory and capacity in use; a task assigned since the heartbeat counts as one slot's share of the CPU. */
  private static double load(Candidate worker) {
    var reported = worker.record().load();
    double unseen = (double) worker.unreported() / worker.record().capacity();
    return (reported.cpu() + unseen + reported.memory() + worker.fullness()) / MEASURES;
  }
}
