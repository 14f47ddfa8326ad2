package io.belfry.core.dispatch;

/**
 * The comparisons of the strategies that remember nothing themselves. Where two candidates are equal, the one goes first that has
 * been without a task for longer, so that equals take turns. Threading: stateless.
 */
final class Best {
  static final Strategy LEAST_TASKS = (all, task, random) -> of(all, Best::heldLess);

  private static final double MEASURES = 3;

  interface Better {
    boolean test(Candidate a, Candidate b);
  }

  private Best() {}

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

  /** Whoever had a task longest ago is next: among the same workers, that is taking turns. */
  static boolean waitedLonger(Candidate a, Candidate b) {
    return a.lastTaken() < b.lastTaken();
  }

  static boolean heldLess(Candidate a, Candidate b) {
    return a.held() != b.held() ? a.held() < b.held() : waitedLonger(a, b);
  }

  /** Reported connections, and one more for each task given since: otherwise a whole heartbeat's tasks go to one worker. */
  static boolean connectedLess(Candidate a, Candidate b) {
    int here = a.record().load().connections() + a.unreported();
    int there = b.record().load().connections() + b.unreported();
    return here != there ? here < there : heldLess(a, b);
  }

  static boolean loadedLess(Candidate a, Candidate b) {
    int order = Double.compare(load(a), load(b));
    return order != 0 ? order < 0 : heldLess(a, b);
  }

  /** The mean of CPU, memory and places in use; a task given since the heartbeat counts as one place's share of the CPU. */
  private static double load(Candidate worker) {
    var reported = worker.record().load();
    double unseen = (double) worker.unreported() / worker.record().capacity();
    return (reported.cpu() + unseen + reported.memory() + worker.fullness()) / MEASURES;
  }
}
