package io.belfry.core.election;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's part in choosing the leader. Tries whenever the leader key is free, holds it while it can, and notifies its listener.
 *
 * <p>A leader that cannot write to the state engine for longer than its lease resigns, even if its lease is renewed: on an engine of its
 * own, or on one that refuses writes and answers renewals. If nothing else was written for a while, a small commit is, to find out. A node
 * that could not write proves that it can before it tries to lead again.
 *
 * <pre>
 *   following ──key gone──▶ campaigning ──key mine──▶ raising the term ──done──▶ leading
 *       ▲                        │ another was faster       │ refused, too slow     │ trust over, deposed
 *       └────────────────────────┴──────────────────────────┴───────────────────────┘ lease revoked
 * </pre>
 *
 * <p>Threading: confined to its loop.
 */
public final class Election implements TermCommits {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);

  private final Loop loop;
  private final Store engine;
  private final String node;
  private final ElectionSettings settings;
  private final ElectionListener listener;
  private final TermRaiser raiser;
  private final WriteProof proof;
  private final LeaderLog log;
  private final LeaderKeyWatch watch;
  private @Nullable Candidacy candidacy;
  private int held;
  /** Whether others have been let go first, and none did. */
  private boolean yielded;

  private boolean stopped;

  /**
   * An election that has not begun.
   *
   * @param election the engine that leases are held on
   * @param state the engine that the term, and everything it fences, is kept on; often the same
   * @param node name and incarnation: another process is another node
   */
  public Election(
      Loop loop,
      Store election,
      Store state,
      String node,
      ElectionSettings settings,
      ElectionListener listener) {
    this.loop = loop;
    this.engine = election;
    this.node = node;
    this.settings = settings;
    this.listener = listener;
    this.raiser = new TermRaiser(loop, election, state, node);
    this.proof = new WriteProof(loop, state, node, settings.lease());
    this.log = new LeaderLog(loop, state, node);
    this.watch = new LeaderKeyWatch(loop, election, this::keyGone, log::taken);
  }

  public void start() {
    watch.start();
    checkAgainAndAgain();
  }

  /** Whether this node may act as leader at this moment. A gap in the loop longer than the trust is noticed here, before any work. */
  @Override
  public boolean leads() {
    if (candidacy == null || !candidacy.leading) {
      return false;
    }
    if (!candidacy.trusted()) {
      end("the lease could not be renewed in time");
      return false;
    }
    return true;
  }

  /**
   * Hands over at once. Nothing is tried any more.
   *
   * @return completes once the engine has deleted the key, or could not be reached
   */
  public CompletionStage<Void> resign() {
    stopped = true;
    proof.stop();
    watch.stop();
    Candidacy ended = candidacy;
    end("resigned");
    return ended == null ? CompletableFuture.completedFuture(null) : ended.gone;
  }

  /** The next term decides. */
  @Override
  public void deposed() {
    end("the fence was refused: another node leads, or the engine lost what it had");
  }

  @Override
  public void answered() {
    if (candidacy != null) {
      candidacy.writes.ifPresent(LeaderWrites::answered);
    }
  }

  /** Gives up the lead and does not try for a while, so that a node that is better off can. */
  public void stepDown(String why, Duration holdOff) {
    yieldFor(holdOff);
    end(why);
  }

  private void yieldFor(Duration length) {
    holdOff(length, () -> yielded = true);
  }

  private void holdOff(Duration length, Runnable over) {
    held++;
    var unused = loop.after(length, () -> {
      held--;
      over.run();
      check();
    });
  }

  private void keyGone() {
    log.gone();
    campaign();
  }

  /** A watch is only a hint: a node that received nothing checks now and then. */
  private void checkAgainAndAgain() {
    if (!stopped) {
      var unused = loop.after(settings.lease(), this::checkAgainAndAgain);
      check();
    }
  }

  private void check() {
    if (stopped || candidacy != null) {
      return;
    }
    loop.onResult(
        engine.get(List.of(Keys.LEADER)),
        found -> {
          if (found.isEmpty()) {
            campaign();
          } else {
            yielded = false;
            log.taken(new String(found.getFirst().value(), UTF_8));
          }
        },
        failure -> {
          // The next look asks again.
        });
  }

  private void campaign() {
    if (stopped || held > 0 || candidacy != null) {
      return;
    }
    if (proof.isNeeded()) {
      proof.seek(this::check);
      return;
    }
    if (listener.unready().isPositive()) {
      holdOff(listener.unready(), () -> {});
      return;
    }
    Duration reserve = yielded ? Duration.ZERO : listener.reserve();
    if (reserve.isPositive()) {
      yieldFor(reserve);
      return;
    }
    yielded = false;
    candidacy = new Candidacy();
    candidacy.begin();
  }

  private void end(String why) {
    Candidacy ended = candidacy;
    if (ended != null) {
      candidacy = null;
      ended.end(why);
    }
  }

  /** One try to lead, from the first question to the end of what came of it. */
  private final class Candidacy implements TermRaiser.Candidate {
    private @Nullable Lease lease;
    private long trustedUntil;
    private boolean leading;
    private Optional<LeaderWrites> writes = Optional.empty();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    void begin() {
      long sent = loop.time().nanos();
      trustedUntil = sent;
      trust(sent);
      loop.onResult(
          engine.grant(settings.lease()),
          granted -> {
            lease = granted;
            if (!isCurrent()) {
              revoke();
              return;
            }
            renewLater();
            take(granted);
          },
          this::failed);
    }

    private boolean isCurrent() {
      return candidacy == this;
    }

    private void trust(long sent) {
      long until = sent + settings.lease().minus(settings.margin()).toNanos();
      if (until - trustedUntil <= 0) {
        return; // an older renewal, answered after a newer one
      }
      trustedUntil = until;
      long left = trustedUntil - loop.time().nanos();
      var unused = loop.timeout(Duration.ofNanos(Math.max(0, left)), () -> doubt(until));
    }

    boolean trusted() {
      return loop.time().nanos() - trustedUntil < 0;
    }

    /** Silence was awaited until this moment only: behind a later one there may be an answer in the mail. */
    private void doubt(long until) {
      if (isCurrent() && trustedUntil == until) {
        Election.this.end("the lease could not be renewed in time");
      }
    }

    private void take(Lease granted) {
      Commit mine = Commit.when()
          .absent(Keys.LEADER)
          .put(Keys.LEADER, node.getBytes(UTF_8), granted.id())
          .evenIfFull() // only a leader makes room
          .build();
      loop.onResult(
          engine.commit(mine),
          outcome -> {
            if (isCurrent()) {
              switch (outcome) {
                case Outcome.Done done -> raise(done.revision());
                case Outcome.Refused unused -> Election.this.end("another node was faster");
                case Outcome.LeaseEnded unused -> Election.this.end("the lease ended at once");
              }
            }
          },
          this::failed);
    }

    private void raise(long ballot) {
      var unused = loop.timeout(settings.lease(), this::giveUpUnlessLeading);
      raiser.raise(ballot, this);
    }

    @Override
    public boolean isWanted() {
      return isCurrent();
    }

    @Override
    public void refused(StoreException reason) {
      cannotWrite(String.valueOf(reason.getMessage()));
    }

    /** Somebody else may reach the state engine where this node does not. */
    private void giveUpUnlessLeading() {
      if (isCurrent() && !leading) {
        cannotWrite("it did not take the term within " + settings.lease());
      }
    }

    @Override
    public void raised(Optional<Leadership> raised) {
      if (raised.isEmpty()) {
        Election.this.end("a later election has been won");
      } else if (!trusted()) {
        Election.this.end("the term was raised too late");
      } else {
        leading = true;
        writes = Optional.of(new LeaderWrites(
            loop,
            proof,
            settings,
            raised.get().fence(),
            this::isCurrent,
            Election.this::deposed,
            this::cannotWrite));
        log.won(raised.get().term());
        listener.won(raised.get());
      }
    }

    private void cannotWrite(String reason) {
      LOG.warn(
          "Node {} cannot write to the state engine: it does not lead until it can. Other nodes may. Reason: {}",
          node,
          reason);
      proof.need();
      Election.this.end("cannot write to the state engine: " + reason);
    }

    private void renewLater() {
      var unused = loop.after(settings.renew(), this::renew);
    }

    private void renew() {
      Lease held = lease;
      if (!isCurrent() || held == null) {
        return;
      }
      renewLater();
      long sent = loop.time().nanos();
      loop.onResult(
          engine.renew(held.id()),
          alive -> {
            if (!isCurrent()) {
              return;
            }
            if (alive) {
              trust(sent);
            } else {
              Election.this.end("the lease ended");
            }
          },
          failure -> {
            // The trust runs out by itself unless a later renewal is answered.
          });
    }

    private void failed(Throwable failure) {
      if (isCurrent()) {
        Election.this.end("the engine did not answer: " + failure.getMessage());
      }
    }

    void end(String why) {
      if (leading) {
        leading = false;
        listener.lost(why);
      }
      revoke();
      if (!stopped) {
        var unused = loop.after(pause(), Election.this::check);
      }
    }

    private void revoke() {
      if (lease == null) {
        gone.complete(null);
        return;
      }
      loop.onResult(
          engine.revoke(lease.id()),
          done -> gone.complete(null),
          failure -> gone.complete(null)); // it ends by itself
    }
  }

  private Duration pause() {
    return Duration.ofMillis(loop.random().nextLong(50, 250));
  }
}
