package io.belfry.library;

import io.belfry.store.CommitObserver;
import java.util.concurrent.atomic.LongAdder;

/** Measures the commits of the store. Threading: safe. */
final class CommitMetrics implements CommitObserver {
  private final DistributionCounter time = DistributionCounter.ofCommits();
  private final DistributionCounter size = DistributionCounter.ofBatches();
  private final LongAdder unanswered = new LongAdder();

  @Override
  public void batch(int commits, long nanos, boolean answered) {
    size.add(commits);
    if (answered) {
      time.add(nanos);
    } else {
      unanswered.increment();
    }
  }

  NodeMetrics.Commits now() {
    return new NodeMetrics.Commits(time.now(), size.now(), unanswered.sum());
  }
}
