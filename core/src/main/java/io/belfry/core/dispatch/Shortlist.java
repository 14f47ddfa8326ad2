package io.belfry.core.dispatch;

/** The workers that meet a need, and those of them with credit; recomputed only after one of them changed. */
final class Shortlist implements Candidates {
  private static final PoolWorker[] NOBODY = new PoolWorker[0];

  private final WorkerNeeds need;
  private PoolWorker[] eligible = NOBODY;
  private PoolWorker[] free = NOBODY;
  private int size;
  private long seenChange;
  private long seenCredit;

  Shortlist(WorkerNeeds need) {
    this.need = need;
  }

  /** Updates the list, and returns whether any worker with credit is in it. */
  boolean refresh(WorkerPool crew) {
    if (seenChange != crew.changes()) {
      seenChange = crew.changes();
      eligible = crew.all().stream().filter(m -> need.isMetBy(m.record)).toArray(PoolWorker[]::new);
      free = new PoolWorker[eligible.length];
      pick();
    } else if (seenCredit != crew.creditChanges()) {
      pick();
    }
    seenCredit = crew.creditChanges();
    return size > 0;
  }

  /** Whether any worker meets the need, with credit or without. */
  boolean isServed(WorkerPool crew) {
    refresh(crew);
    return eligible.length > 0;
  }

  private void pick() {
    size = 0;
    for (PoolWorker member : eligible) {
      if (member.hasCredit()) {
        free[size++] = member;
      }
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Candidate get(int index) {
    return free[index];
  }
}
