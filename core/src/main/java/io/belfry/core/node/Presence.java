package io.belfry.core.node;

import io.belfry.core.election.ElectionSettings;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.EventKind;
import io.belfry.core.record.NodeRecord;
import io.belfry.core.record.Records;
import io.belfry.store.Commit;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Announces a node to users and to the other nodes: a lease, renewed by every heartbeat, and the node's record under it. No decision
 * depends on it: a node that cannot announce itself goes on.
 *
 * <p>Threading: confined to its loop.
 */
public final class Presence {
  private static final Duration PAUSE = Duration.ofMillis(500);

  /**
   * The constant properties of a node.
   *
   * @param id name and incarnation
   * @param address where it runs, for users
   * @param version of Belfry
   */
  public record Card(String id, Set<NodeRecord.Role> roles, String address, String version) {}

  private final Loop loop;
  private final Store store;
  private final Card card;
  private final ElectionSettings settings;
  private final Supplier<Optional<Long>> term;
  private final Instant since;
  private @Nullable Lease lease;
  private Set<EventKind> listens = Set.of();
  private int life;
  private int unanswered;
  private boolean stopped;

  /**
   * A presence that has not started.
   *
   * @param settings the lease and heartbeat of leaders, because they bound for how long a leader's wrong clock goes unnoticed
   * @param term the term in which the node leads, to its knowledge
   */
  public Presence(
      Loop loop, Store store, Card card, ElectionSettings settings, Supplier<Optional<Long>> term) {
    this.loop = loop;
    this.store = store;
    this.card = card;
    this.settings = settings;
    this.term = term;
    this.since = loop.time().wall();
  }

  public void start() {
    int now = ++life;
    lease = null;
    loop.onResult(
        store.grant(settings.lease()),
        granted -> {
          if (now != life) {
            revoke(granted);
            return;
          }
          lease = granted;
          beat(now);
        },
        failure -> {
          var unused = loop.after(PAUSE, () -> {
            if (now == life) {
              start();
            }
          });
        });
  }

  /** The events that this node subscribes to while others lead; announced at once. */
  public void listens(Set<EventKind> kinds) {
    listens = Set.copyOf(kinds);
    tell();
  }

  /**
   * Revokes the lease, so that the node disappears at once.
   *
   * @return completes once the engine has answered, or could not be reached
   */
  public CompletionStage<Void> stop() {
    stopped = true;
    life++;
    Lease held = lease;
    return held == null ? CompletableFuture.completedFuture(null) : revoke(held);
  }

  private void beat(int of) {
    Lease held = lease;
    if (of != life || held == null) {
      return;
    }
    var unused = loop.after(settings.renew(), () -> beat(of));
    loop.onResult(
        store.renew(held.id()),
        alive -> {
          if (of == life && !alive) {
            start();
          }
        },
        failure -> {
          // The next heartbeat tries again, and a lease that has ended is noticed then.
        });
    tell();
  }

  /** Writes the node's record again, unless an earlier write has no answer yet: finds out whether the engine accepts writes. */
  public void probe() {
    if (unanswered == 0) {
      tell();
    }
  }

  /** Writes the node's current record: with every heartbeat, and after changes that other nodes need to know. */
  public void tell() {
    Lease held = lease;
    if (stopped || held == null) {
      return;
    }
    int now = life;
    var record = new NodeRecord(
        card.id,
        card.roles,
        card.address,
        card.version,
        since,
        loop.time().wall(),
        term.get(),
        listens);
    Commit commit =
        Commit.when().put(Keys.node(card.id), Records.encode(record), held.id()).build();
    unanswered++;
    loop.onResult(
        store.commit(commit),
        outcome -> {
          unanswered--;
          if (now == life && outcome instanceof Outcome.LeaseEnded) {
            start();
          }
        },
        failure -> {
          unanswered--; // the next heartbeat writes it again
        });
  }

  private CompletionStage<Void> revoke(Lease ended) {
    var gone = new CompletableFuture<Void>();
    loop.onResult(store.revoke(ended.id()), done -> gone.complete(null), failure -> {
      gone.complete(null); // it ends by itself
    });
    return gone;
  }
}
