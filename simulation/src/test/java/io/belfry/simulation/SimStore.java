package io.belfry.simulation;

import io.belfry.simulation.Refusals.Call;
import io.belfry.store.Commit;
import io.belfry.store.Committer;
import io.belfry.store.Endpoint;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Limits;
import io.belfry.store.Outcome;
import io.belfry.store.Page;
import io.belfry.store.Scan;
import io.belfry.store.Status;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One node's connection to the engine. Gathers commits with the very {@link Committer} that the real adapters use; what it replaces is
 * the wire, where everything takes time and anything may go wrong.
 *
 * <pre>
 *   commit ──▶ Committer ──batch──▶ wire: late, lost, out of order (etcd) ──▶ SimEngine
 *   caller ◀── node.deliver ◀──── wire: late, lost ◀──────────── once settled ──┘
 *      ▲
 *      └── gave up after TIMEOUT: Unknown for what changes something, and the batch may still arrive
 * </pre>
 *
 * <p>Threading: confined to its world.
 */
final class SimStore implements Store {
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private record Pending(CompletableFuture<?> caller, boolean changes, long deadline) {}

  /** What is asked of the engine once the request is there; it answers once, or never, or throws why it will not. */
  private interface Question<T> {
    void ask(Consumer<T> answer);
  }

  private final SimNode node;
  private final World world;
  private final SimEngine engine;
  private final Link link;
  private final Committer committer;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  private final List<SimWatch> watches = new ArrayList<>();
  private final Runnable broken = this::breakUp;
  private boolean sweeping;
  private boolean closed;
  private long lastArrival;
  private long lastAnswer;
  private Link.Fate hanging = Link.Fate.ARRIVES;
  private long hangsUntil;
  private long lateAt;

  SimStore(SimNode node, SimEngine engine, Link link) {
    this.node = node;
    this.world = node.world();
    this.engine = engine;
    this.link = link;
    EngineMode mode = engine.mode();
    this.committer = new Committer(
        engine.sabotaged(Sabotage.BATCHES_NOT_DISJOINT) ? mode.carelessRule() : mode.rule(),
        this::send);
    engine.whenBroken(broken);
    node.whenGone(this::vanish);
  }

  @Override
  public CompletionStage<Outcome> commit(Commit commit) {
    return committer.commit(commit);
  }

  private CompletionStage<List<Outcome>> send(List<Commit> batch) {
    return ask(true, Call.COMMIT, answer -> {
      engine.requireRoom(batch);
      engine.commit(node.id(), batch, answer);
    });
  }

  @Override
  public CompletionStage<List<Entry>> get(Collection<Key> keys) {
    List<Key> asked = List.copyOf(Limits.checkedKeys(keys));
    engine.asked(node.id(), asked);
    return ask(false, Call.READ, answer -> engine.read(() -> engine.state().get(asked), answer));
  }

  @Override
  public CompletionStage<Page> scan(Scan scan) {
    return ask(
        false,
        Call.READ,
        answer -> engine.read(() -> link.scannedBy(engine.state()).scan(scan), answer));
  }

  @Override
  public CompletionStage<Lease> grant(Duration ttl) {
    Lease.checked(ttl);
    long began = node.stepBegan();
    long asked = node.now();
    CompletionStage<Lease> granted = ask(
        true,
        Call.GRANT,
        answer -> engine.grant(node.id(), ttl, id -> answer.accept(new Lease(id, ttl))));
    return granted.thenApply(lease -> {
      engine.renewed(node, lease.id(), began, asked, ttl);
      return lease;
    });
  }

  @Override
  public CompletionStage<Boolean> renew(long lease) {
    long began = node.stepBegan();
    long asked = node.now();
    Held held = engine.state().lease(lease);
    CompletionStage<Boolean> renewed = ask(true, Call.RENEW, answer -> engine.renew(lease, answer));
    return renewed.thenApply(alive -> {
      if (alive && held != null) {
        engine.renewed(node, lease, began, asked, Duration.ofNanos(held.ttlNanos));
      }
      return alive;
    });
  }

  @Override
  public CompletionStage<Void> revoke(long lease) {
    engine.gaveUp(node, lease);
    CompletionStage<Boolean> done = ask(
        true, Call.REVOKE, answer -> engine.revoke(node.id(), lease, () -> answer.accept(true)));
    return done.thenAccept(unused -> {});
  }

  @Override
  public Watch watch(Feed feed, long after, Watcher watcher) {
    if (closed) {
      throw new StoreException.Closed();
    }
    var watch = new SimWatch(node, engine, link, feed, watcher);
    watches.add(watch);
    engine.called(node, Call.WATCH);
    world.in(
        link.nanos(), () -> link.whenHealed(() -> engine.whenThere(() -> register(watch, after))));
    return watch;
  }

  @Override
  public CompletionStage<Status> status() {
    return ask(
        false,
        Call.READ,
        answer -> answer.accept(new Status(
            "simulated " + engine.mode(),
            "1",
            "as long as the world",
            0,
            engine.state().revision())));
  }

  private void register(SimWatch watch, long after) {
    try {
      engine.refusals().check(node, Call.WATCH);
      watch.register(after);
    } catch (StoreException refusal) {
      watch.sayFailed(refusal);
    }
  }

  private <T> CompletionStage<T> ask(boolean changes, Call call, Question<T> question) {
    var caller = new CompletableFuture<T>();
    if (closed) {
      caller.completeExceptionally(new StoreException.Closed());
      return caller;
    }
    engine.called(node, call);
    node.moment();
    Link.Fate fate = fate();
    if (fate == Link.Fate.UNSENT) {
      world.at(
          node.now() + link.nanos(),
          () -> node.arrive(() -> caller.completeExceptionally(new StoreException.Unavailable(
              "The way to the engine is cut. Nothing was sent.", null))));
      return caller;
    }
    pending.add(new Pending(caller, changes, node.now() + TIMEOUT.toNanos()));
    sweepLater();
    Runnable there = () -> engine.whenThere(() -> {
      if (engine.mode() != EngineMode.PLAIN || node.alive()) {
        try {
          engine.refusals().check(node, call);
          question.ask(answer -> reply(() -> caller.complete(answer)));
        } catch (StoreException refusal) {
          reply(() -> caller.completeExceptionally(refusal));
        }
      }
    });
    if (fate == Link.Fate.ARRIVES) {
      world.at(arrival(), there);
    } else if (fate == Link.Fate.LATE) {
      world.at(engine.mode() == EngineMode.ETCD ? late() : lateAt, there);
    }
    return caller;
  }

  /** On one connection, what is sent behind something that hangs hangs too; a new one is made when the client has given up. */
  private Link.Fate fate() {
    if (world.now() < hangsUntil) {
      return hanging;
    }
    Link.Fate fate = link.request();
    if (engine.mode() != EngineMode.ETCD && (fate == Link.Fate.LATE || fate == Link.Fate.LOST)) {
      hanging = fate;
      hangsUntil = node.now() + TIMEOUT.toNanos();
      lateAt = late();
    }
    return fate;
  }

  private long late() {
    return node.now() + TIMEOUT.toNanos() + node.random().nextLong(3_000_000_000L);
  }

  /** On one connection nobody overtakes; etcd's calls are many streams. */
  private long arrival() {
    long at = node.now() + link.nanos();
    if (engine.mode() == EngineMode.ETCD) {
      return at;
    }
    lastArrival = Math.max(lastArrival, at);
    return lastArrival;
  }

  private void reply(Runnable answer) {
    if (link.losesAnswer()) {
      return;
    }
    long at = world.now() + link.nanos() + link.answersLate();
    if (engine.mode() != EngineMode.ETCD) {
      at = lastAnswer = Math.max(lastAnswer, at);
    }
    world.at(at, () -> node.deliver(answer));
  }

  /** One step of the world looks after all that wait, instead of one for each. */
  private void sweepLater() {
    if (!sweeping) {
      sweeping = true;
      world.at(pending.getFirst().deadline, () -> node.arrive(this::sweep));
    }
  }

  private void sweep() {
    sweeping = false;
    while (!pending.isEmpty()
        && (pending.getFirst().caller.isDone() || pending.getFirst().deadline <= world.now())) {
      giveUp(pending.removeFirst());
    }
    if (!pending.isEmpty()) {
      sweepLater();
    }
  }

  private static void giveUp(Pending one) {
    one.caller.completeExceptionally(
        one.changes
            ? new StoreException.Unknown(
                "No answer came. The request may still be carried out.", null)
            : new StoreException.Unavailable("No answer came.", null));
  }

  /** The connection is gone: whoever waits hears so a little later. */
  private void breakUp() {
    world.in(link.nanos(), () -> node.arrive(this::giveUpAll));
  }

  private void giveUpAll() {
    List<Pending> all = List.copyOf(pending);
    pending.clear();
    all.forEach(SimStore::giveUp);
  }

  private void vanish() {
    closed = true;
    engine.forgetConnection(broken);
    watches.forEach(SimWatch::close);
    watches.clear();
    pending.clear();
  }

  @Override
  public Set<Endpoint> endpoints() {
    return Set.of();
  }

  @Override
  public void close() {
    if (!closed) {
      committer.close();
      List<Pending> all = List.copyOf(pending);
      vanish();
      all.forEach(SimStore::giveUp);
    }
  }
}
