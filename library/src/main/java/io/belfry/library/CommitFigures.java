package io.belfry.library;

import io.belfry.store.CommitObserver;
import java.util.concurrent.atomic.LongAdder;

/** Counts how the store gets on. Threading: safe. */
final class CommitFigures implements CommitObserver {
  private final Tally time = Tally.ofCommits();
  private final Tally size = Tally.ofLots();
  private final LongAdder unanswered = new LongAdder();

  @Override
  public void lot(int commits, long nanos, boolean answered) {
    size.add(commits);
    if (answered) {
      time.add(nanos);
    } else {
      unanswered.increment();
    }
  }

  Readings.Commits now() {
    return new Readings.Commits(time.now(), size.now(), unanswered.sum());
  }
}
