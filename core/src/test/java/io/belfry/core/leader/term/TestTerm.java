package io.belfry.core.leader.term;

import io.belfry.core.election.Leadership;
import io.belfry.core.election.TermCommits;
import io.belfry.core.event.Observer;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Term;
import io.belfry.store.Store;
import java.time.Instant;

/** A term that lasts, for tests of single parts of a leader. Threading: stateless. */
public final class TestTerm {
  /** An election that trusts its lease. */
  public static final TermCommits ELECTION = new TermCommits() {
    @Override
    public boolean leads() {
      return true;
    }

    @Override
    public void answered() {}

    @Override
    public void deposed() {}
  };

  private TestTerm() {}

  public static TermContext on(Loop loop, Store store) {
    return on(loop, store, LeaderSettings.DEFAULT, Observer.NOBODY);
  }

  public static TermContext on(Loop loop, Store store, LeaderSettings settings, Observer observer) {
    var term = new TermLoop(loop, () -> true, () -> {});
    var leadership = new Leadership(new Term(1, "n~1", Instant.EPOCH, "", 0), 0);
    var committer = new TermCommitter(term, store, leadership, ELECTION);
    return new TermContext(term, store, committer, settings, observer, () -> {});
  }
}
