package io.belfry.core.lead;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.commit.Settler;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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

  /** Tells the new leadership, or empty when a later election stands there; nothing once it is not wanted any more. */
  void raise(long ballot, BooleanSupplier wanted, Consumer<Optional<Leadership>> then) {
    if (!wanted.getAsBoolean()) {
      return;
    }
    if (dataSet == null) {
      nameDataSet(wanted, () -> raise(ballot, wanted, then));
      return;
    }
    loop.hear(
        state.get(List.of(Keys.FENCE)),
        found -> propose(found, ballot, wanted, then),
        failure -> later(wanted, () -> raise(ballot, wanted, then)));
  }

  private void propose(
      List<Entry> found, long ballot, BooleanSupplier wanted, Consumer<Optional<Leadership>> then) {
    Optional<Entry> stands = found.stream().findFirst();
    Optional<Term> before = stands.map(entry -> Records.term(entry.value()));
    if (before.isPresent() && isMine(before.get(), ballot)) {
      // A refusal made us look again, and it was our own success that was in the way.
      then.accept(Optional.of(new Leadership(before.get(), stands.get().revision())));
      return;
    }
    if (before.isPresent()
        && before.get().electedBy().equals(dataSet)
        && before.get().ballot() > ballot) {
      then.accept(Optional.empty());
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
    new Settler(loop, state, wanted, TermRaiser::complain)
        .commit(commit.put(Keys.FENCE, Records.encode(next)).build(), settled -> {
          if (settled.outcome() instanceof Outcome.Done(long revision)) {
            then.accept(Optional.of(new Leadership(next, revision)));
          } else {
            raise(ballot, wanted, then);
          }
        });
  }

  private boolean isMine(Term term, long ballot) {
    return term.leader().equals(node)
        && term.electedBy().equals(dataSet)
        && term.ballot() == ballot;
  }

  private void nameDataSet(BooleanSupplier wanted, Runnable then) {
    loop.hear(
        election.get(List.of(Keys.ELECTION_DATA_SET)),
        found -> {
          if (!found.isEmpty()) {
            dataSet = new String(found.getFirst().value(), UTF_8);
            then.run();
          } else {
            makeName(wanted, then);
          }
        },
        failure -> later(wanted, then));
  }

  private void makeName(BooleanSupplier wanted, Runnable then) {
    byte[] name = Long.toUnsignedString(loop.random().nextLong(), 36).getBytes(UTF_8);
    Commit commit = Commit.when()
        .absent(Keys.ELECTION_DATA_SET)
        .put(Keys.ELECTION_DATA_SET, name)
        .build();
    new Settler(loop, election, wanted, TermRaiser::complain).commit(commit, settled -> then.run());
  }

  /** The candidacy ends by its own limit, and the next one tries again: perhaps somebody has mended it by then. */
  private static void complain(StoreException why) {
    if (!(why instanceof StoreException.Closed)) {
      LOG.error(
          "This node cannot lead, because the store refuses its term. Act on what it says.", why);
    }
  }

  private void later(BooleanSupplier wanted, Runnable step) {
    var unused = loop.in(PAUSE, () -> {
      if (wanted.getAsBoolean()) {
        step.run();
      }
    });
  }
}
