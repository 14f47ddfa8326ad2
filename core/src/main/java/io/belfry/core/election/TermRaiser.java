package io.belfry.core.election;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.DamagedRecordException;
import io.belfry.core.record.Records;
import io.belfry.core.record.Term;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a won election over to the state engine: the next term, or nothing if a later election is already there.
 *
 * <p>Elections are compared by the revision that they were won with, which means something only on one data set; so the election
 * engine's data set has a name of its own, made once.
 *
 * <p>Threading: confined to its loop.
 */
final class TermRaiser {
  private static final Logger LOG = LoggerFactory.getLogger(TermRaiser.class);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Loop loop;
  private final Store election;
  private final Store state;
  private final String node;
  private @Nullable String dataSet;

  TermRaiser(Loop loop, Store election, Store state, String node) {
    this.loop = loop;
    this.election = election;
    this.state = state;
    this.node = node;
  }

  /** Who wants a term raised. */
  interface Candidate {
    /** Once not, nothing is tried any more, and the candidate is not called. */
    boolean isWanted();

    /** The new leadership, or empty when a later election was stored. */
    void raised(Optional<Leadership> leadership);

    /** An engine refuses: another node may be better off. */
    void refused(StoreException reason);
  }

  void raise(long ballot, Candidate candidate) {
    if (!candidate.isWanted()) {
      return;
    }
    if (dataSet == null) {
      nameDataSet(candidate, () -> raise(ballot, candidate));
      return;
    }
    loop.onResult(
        state.get(List.of(Keys.FENCE)),
        found -> propose(found, ballot, candidate),
        failure -> failed(failure, candidate, () -> raise(ballot, candidate)));
  }

  private void propose(List<Entry> found, long ballot, Candidate candidate) {
    Optional<Entry> stands = found.stream().findFirst();
    Optional<Term> before;
    try {
      before = stands.map(entry -> Records.term(entry.value()));
    } catch (DamagedRecordException e) {
      refuse(
          candidate,
          new StoreException.Damaged(
              "The record of the term cannot be read: " + e.getMessage(), e));
      return;
    }
    if (before.isPresent() && isMine(before.get(), ballot)) {
      // A refusal made us look again, and it was our own success that was in the way.
      candidate.raised(Optional.of(new Leadership(before.get(), stands.get().revision())));
      return;
    }
    if (before.isPresent()
        && before.get().electedBy().equals(dataSet)
        && before.get().ballot() > ballot) {
      candidate.raised(Optional.empty());
      return;
    }
    Term next = new Term(
        before.map(Term::number).orElse(0L) + 1,
        node,
        loop.time().wall(),
        String.valueOf(dataSet),
        ballot);
    Commit.Builder commit = Commit.when();
    if (stands.isPresent()) {
      commit.unchanged(stands.get());
    } else {
      commit.absent(Keys.FENCE);
    }
    RetryingCommitter.impatient(
            loop, state, candidate::isWanted, reason -> refuse(candidate, reason))
        .commit(commit.put(Keys.FENCE, Records.encode(next)).evenIfFull().build(), settled -> {
          if (settled.outcome() instanceof Outcome.Done(long revision)) {
            candidate.raised(Optional.of(new Leadership(next, revision)));
          } else {
            raise(ballot, candidate);
          }
        });
  }

  private boolean isMine(Term term, long ballot) {
    return term.leader().equals(node)
        && term.electedBy().equals(dataSet)
        && term.ballot() == ballot;
  }

  private void nameDataSet(Candidate candidate, Runnable then) {
    loop.onResult(
        election.get(List.of(Keys.ELECTION_DATA_SET)),
        found -> {
          if (!found.isEmpty()) {
            dataSet = new String(found.getFirst().value(), UTF_8);
            then.run();
          } else {
            makeName(candidate, then);
          }
        },
        failure -> failed(failure, candidate, then));
  }

  private void makeName(Candidate candidate, Runnable then) {
    byte[] name = Long.toUnsignedString(loop.random().nextLong(), 36).getBytes(UTF_8);
    Commit commit = Commit.when()
        .absent(Keys.ELECTION_DATA_SET)
        .put(Keys.ELECTION_DATA_SET, name)
        .evenIfFull()
        .build();
    RetryingCommitter.impatient(
            loop, election, candidate::isWanted, reason -> refuse(candidate, reason))
        .commit(commit, settled -> then.run());
  }

  /** What is refused is not tried again by this candidacy; what got no answer is, until the candidacy ends by its own limit. */
  private void failed(Throwable failure, Candidate candidate, Runnable again) {
    if (RetryingCommitter.isRefusal(failure)) {
      refuse(candidate, (StoreException) failure);
      return;
    }
    var unused = loop.after(PAUSE, () -> {
      if (candidate.isWanted()) {
        again.run();
      }
    });
  }

  private void refuse(Candidate candidate, StoreException reason) {
    if (candidate.isWanted() && !(reason instanceof StoreException.Closed)) {
      LOG.debug("Node {} could not raise its term.", node, reason);
      candidate.refused(reason);
    }
  }
}
