package io.belfry.core.election;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this node can write to the state engine. A node that could not, as a leader or when it raised its term, proves that it can before
 * it tries to lead again: so the leader key stays free for nodes that are better off.
 *
 * <pre>
 *   needed ──▶ commit the probe ──accepted──▶ proven
 *                ▲      │ refused, unknown, no answer within a lease
 *                └──────┘ after a pause that grows to 2 s
 * </pre>
 *
 * <p>Threading: confined to its loop.
 */
final class WriteProof {
  private static final Logger LOG = LoggerFactory.getLogger(WriteProof.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Loop loop;
  private final Store state;
  private final String node;
  private final Duration patience;
  private Optional<Runnable> waiting = Optional.empty();
  private boolean needed;
  private long neededSince;
  private int tries;

  /**
   * A proof that is not needed.
   *
   * @param patience how long an answer is waited for
   */
  WriteProof(Loop loop, Store state, String node, Duration patience) {
    this.loop = loop;
    this.state = state;
    this.node = node;
    this.patience = patience;
  }

  boolean isNeeded() {
    return needed;
  }

  /** This node could not write. */
  void need() {
    if (!needed) {
      needed = true;
      neededSince = loop.time().nanos();
    }
  }

  /**
   * Tries until the engine accepts a write; at most one proof is under way.
   *
   * @param proven called once, when it has
   */
  void seek(Runnable proven) {
    if (waiting.isEmpty()) {
      waiting = Optional.of(proven);
      ask(FIRST_PAUSE);
    }
  }

  void stop() {
    waiting = Optional.empty();
    tries++;
  }

  private void ask(Duration pause) {
    int now = ++tries;
    var unused = loop.timeout(patience, () -> failed(now, pause));
    loop.onResult(state.commit(probe()), done -> accepted(now), why -> failed(now, pause));
  }

  private void accepted(int of) {
    if (of != tries || waiting.isEmpty()) {
      return;
    }
    tries++;
    needed = false;
    Runnable proven = waiting.get();
    waiting = Optional.empty();
    LOG.info(
        "Node {} can write to the state engine again, after {}: it may lead.",
        node,
        Duration.ofMillis((loop.time().nanos() - neededSince) / 1_000_000));
    proven.run();
  }

  private void failed(int of, Duration pause) {
    if (of != tries || waiting.isEmpty()) {
      return;
    }
    int now = ++tries;
    Duration longer = pause.multipliedBy(2);
    var unused = loop.after(jittered(pause), () -> {
      if (now == tries && waiting.isPresent()) {
        ask(longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
      }
    });
  }

  /** So that nodes that lost the engine together do not come back together. */
  private Duration jittered(Duration pause) {
    long half = pause.toMillis() / 2;
    return Duration.ofMillis(half + loop.random().nextLong(half + 1));
  }

  /**
   * Asks once, under a leader's fence. By a delete, which a full engine accepts as well: there the leader must stay, because it alone
   * deletes what is over, and makes room.
   */
  void ask(long fence, Consumer<Outcome> answered, Consumer<Throwable> failed) {
    Commit probe =
        Commit.when().holds(Keys.FENCE, fence).delete(Keys.WRITE_PROBE).build();
    loop.onResult(state.commit(probe), answered, failed);
  }

  /** What a candidate writes: a new term must be put as well, on an engine that is full only if that takes what an election puts. */
  private Commit probe() {
    return Commit.when()
        .put(Keys.WRITE_PROBE, node.getBytes(UTF_8))
        .evenIfFull()
        .build();
  }
}
