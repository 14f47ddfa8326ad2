package io.belfry.simulation;

import io.belfry.store.Commit;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.StoreException;
import io.belfry.store.Write;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The one engine that all {@link SimStore}s of a world talk to.
 *
 * <pre>
 *   batch arrives ──▶ guards ──▶ step ──▶ tail ──replicated──▶ settled ──▶ feeds, answers
 *                                        │
 *                                        └── failover: taken back, new epoch, leases start over, everybody rescans
 * </pre>
 *
 * <p>Only in Redis mode does a step spend time in the tail. An answer leaves when everything it is based on has settled, a refusal too.
 *
 * <p>Threading: confined to its world.
 */
final class SimEngine {
  private static final int REPLICATION_NANOS = 2_000_000;
  private static final int SWEEP_NANOS = 300_000_000;

  private record Waiter(long serial, Runnable answer) {}

  private record Settled(long at, EngineStep step) {}

  private final World world;
  private final EngineMode mode;
  private final Set<Sabotage> sabotage;
  private final RandomGenerator random;
  private final EngineState state = new EngineState();
  private final Feeds feeds;
  private final Refusals refusals;
  private final ArrayDeque<EngineStep> tail = new ArrayDeque<>();
  private final ArrayDeque<Settled> notSynced = new ArrayDeque<>();
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private final List<Runnable> whenBack = new ArrayList<>();
  private final List<Runnable> whenBroken = new ArrayList<>();
  private final List<EngineEar> ears = new ArrayList<>();
  private long syncNanos;
  private long lastSerial;
  private long settledSerial;
  private long lastReplication;
  private long backAt = Long.MIN_VALUE;
  private long awaySince;
  private long troubledAt = Long.MIN_VALUE / 2;
  private long fullUntil = Long.MIN_VALUE / 2;
  private long awayBefore;

  SimEngine(World world, EngineMode mode, Set<Sabotage> sabotage) {
    this.world = world;
    this.mode = mode;
    this.sabotage = sabotage;
    this.random = world.dice();
    this.feeds = new Feeds(state.revision());
    this.refusals = new Refusals(world, new SplittableRandom(world.seed()));
  }

  EngineMode mode() {
    return mode;
  }

  boolean sabotaged(Sabotage how) {
    return sabotage.contains(how);
  }

  EngineState state() {
    return state;
  }

  Feeds feeds() {
    return feeds;
  }

  void addEar(EngineEar ear) {
    ears.add(ear);
  }

  /** What it refuses, if anything. */
  Refusals refusals() {
    return refusals;
  }

  void asked(String by, List<Key> keys) {
    ears.forEach(ear -> ear.asked(by, keys));
  }

  void called(SimNode node, Refusals.Call call) {
    ears.forEach(ear -> ear.called(node, call));
  }

  void gaveUp(SimNode node, long lease) {
    ears.forEach(ear -> ear.gaveUp(node, lease));
  }

  void renewed(SimNode node, long lease, long began, long asked, Duration ttl) {
    ears.forEach(ear -> ear.renewed(node, lease, began, asked, ttl));
  }

  /** What a connection does when a failover breaks it. */
  void whenBroken(Runnable consequence) {
    whenBroken.add(consequence);
  }

  void forgetConnection(Runnable consequence) {
    whenBroken.remove(consequence);
  }

  boolean away() {
    return backAt > world.now();
  }

  /** When something was last wrong with it; long ago when nothing ever was. */
  long troubledAt() {
    return backAt == Long.MIN_VALUE
        ? Math.max(Math.max(troubledAt, refusals.troubledAt()), Math.min(fullUntil, world.now()))
        : world.now();
  }

  /** How long it has been away in all its life. */
  long awayNanos() {
    return awayBefore + (backAt == Long.MIN_VALUE ? 0 : world.now() - awaySince);
  }

  /** Runs now, or when the engine is back. */
  void whenThere(Runnable request) {
    if (backAt == Long.MIN_VALUE) {
      request.run();
    } else {
      whenBack.add(request);
    }
  }

  /** No room for what is written, for so long. What is there stays, and can be deleted. */
  void full(Duration length) {
    world.note("engine", "is full", length.toMillis());
    fullUntil = Math.max(fullUntil, world.now() + length.toNanos());
  }

  /** Throws {@link StoreException.Full} if there is none. */
  void requireRoom(List<Commit> batch) {
    boolean puts = batch.stream()
        .flatMap(commit -> commit.writes().stream())
        .anyMatch(Write.Put.class::isInstance);
    if (fullUntil > world.now() && puts) {
      world.count("refusals for want of room");
      throw new StoreException.Full("The engine has no room. Nothing was written.", null);
    }
  }

  void commit(String by, List<Commit> batch, Consumer<List<Outcome>> answer) {
    List<Outcome> outcomes = mode == EngineMode.ETCD ? together(by, batch) : oneByOne(by, batch);
    onceSettled(() -> answer.accept(outcomes));
  }

  private List<Outcome> oneByOne(String by, List<Commit> batch) {
    var outcomes = new ArrayList<Outcome>(batch.size());
    for (Commit commit : batch) {
      Outcome refusal = state.refusal(commit);
      outcomes.add(
          refusal != null ? refusal : new Outcome.Done(take(state.apply(by, List.of(commit)))));
    }
    return outcomes;
  }

  private List<Outcome> together(String by, List<Commit> batch) {
    var refusals = new ArrayList<Outcome>(batch.size());
    var good = new ArrayList<Commit>(batch.size());
    for (Commit commit : batch) {
      Outcome refusal = state.refusal(commit);
      if (refusal == null) {
        good.add(commit);
      }
      refusals.add(refusal == null ? new Outcome.Done(0) : refusal);
    }
    if (!good.isEmpty()) {
      var done = new Outcome.Done(take(state.apply(by, good)));
      refusals.replaceAll(each -> each instanceof Outcome.Done ? done : each);
    }
    return refusals;
  }

  /** A read shows only what cannot be taken back any more. */
  <T> void read(Supplier<T> question, Consumer<T> answer) {
    T found = question.get();
    onceSettled(() -> answer.accept(found));
  }

  void grant(String by, Duration ttl, Consumer<Long> answer) {
    EngineStep step = state.grant(by, ttl.toNanos());
    Held held = Objects.requireNonNull(step.granted());
    held.endsAt = world.now() + held.ttlNanos;
    take(step);
    look(held);
    onceSettled(() -> answer.accept(held.id));
  }

  void renew(long lease, Consumer<Boolean> answer) {
    Held held = state.lease(lease);
    if (held != null) {
      held.endsAt = world.now() + held.ttlNanos;
    }
    onceSettled(() -> answer.accept(held != null));
  }

  void revoke(String by, long lease, Runnable answer) {
    Held held = state.lease(lease);
    if (held != null) {
      take(state.end(by, held));
    }
    onceSettled(answer);
  }

  /** Looks at the lease when it could be over; an engine sweeps when it finds the time. */
  private void look(Held held) {
    held.looked = true;
    world.at(held.endsAt + random.nextInt(SWEEP_NANOS), () -> {
      held.looked = false;
      if (state.lease(held.id) != held) {
        return;
      }
      if (backAt != Long.MIN_VALUE || held.endsAt > world.now()) {
        held.endsAt = Math.max(held.endsAt, world.now());
        look(held);
      } else {
        world.note("engine", "lease ran out", held.id);
        take(state.end("engine", held));
      }
    });
  }

  private long take(EngineStep step) {
    lastSerial = step.serial();
    ears.forEach(ear -> ear.applied(step));
    if (mode != EngineMode.REDIS) {
      settle(step);
      return step.revision();
    }
    if (sabotaged(Sabotage.WATCH_BEFORE_REPLICATION)) {
      feeds.publish(step);
    }
    tail.add(step);
    lastReplication = Math.max(lastReplication, world.now() + random.nextInt(REPLICATION_NANOS));
    world.at(lastReplication, () -> replicated(step));
    return step.revision();
  }

  private void replicated(EngineStep step) {
    EngineStep first = tail.peekFirst();
    // After a failover the step is no longer there, and its successor may be.
    if (first != null && first.serial() == step.serial()) {
      tail.removeFirst();
      settle(step);
    }
  }

  private void settle(EngineStep step) {
    settledSerial = step.serial();
    if (syncNanos > 0) {
      notSynced.add(new Settled(world.now(), step));
      while (notSynced.getFirst().at < world.now() - syncNanos) {
        notSynced.removeFirst();
      }
    }
    ears.forEach(ear -> ear.settled(step));
    if (mode != EngineMode.REDIS || !sabotaged(Sabotage.WATCH_BEFORE_REPLICATION)) {
      feeds.publish(step);
    }
    while (!waiters.isEmpty() && waiters.getFirst().serial <= settledSerial) {
      waiters.removeFirst().answer.run();
    }
  }

  private void onceSettled(Runnable answer) {
    if (lastSerial <= settledSerial) {
      answer.run();
    } else {
      waiters.add(new Waiter(lastSerial, answer));
    }
  }

  /** The replicas fall behind: what is written meanwhile is neither acknowledged nor safe. */
  void stallReplication(Duration length) {
    world.note("engine", "replicas fall behind", length.toMillis());
    troubledAt = world.now();
    lastReplication = Math.max(lastReplication, world.now() + length.toNanos());
  }

  /** From now on what was acknowledged is safe only after a while, as with a disk that is synced now and then. */
  void syncEvery(Duration interval) {
    syncNanos = interval.toNanos();
  }

  /** What was not synced is lost, although it was acknowledged; for the rest as {@link #failover}. */
  void loseWhatIsNotSynced(Duration gap) {
    world.note("engine", "loses acknowledged steps", notSynced.size());
    takeBack(tail.descendingIterator());
    tail.clear();
    takeBack(notSynced.reversed().stream().map(Settled::step).iterator());
    notSynced.clear();
    failover(gap);
  }

  private void takeBack(Iterator<EngineStep> newestFirst) {
    while (newestFirst.hasNext()) {
      EngineStep step = newestFirst.next();
      state.undo(step);
      ears.forEach(ear -> ear.takenBack(step));
    }
  }

  /** The primary is gone with its tail, and a replica takes over after a while. Only Redis does that to us; an etcd is restored from a backup. */
  void failover(Duration gap) {
    world.note("engine", "fails over, steps taken back", tail.size());
    takeBack(tail.descendingIterator());
    tail.clear();
    waiters.clear();
    lastSerial = settledSerial;
    lastReplication = world.now();
    if (!sabotaged(Sabotage.NO_NEW_EPOCH)) {
      if (mode == EngineMode.ETCD) {
        state.beginEpochForAll();
      } else {
        state.beginEpoch();
      }
      feeds.compact(state.revision());
    }
    breakConnections();
    pause(gap);
  }

  /** Away, with nothing lost; leases start over afterwards. */
  void pause(Duration length) {
    world.note("engine", "is away", length.toMillis());
    awaySince = backAt == Long.MIN_VALUE ? world.now() : awaySince;
    backAt = Math.max(backAt, world.now() + length.toNanos());
    world.at(backAt, this::back);
  }

  /**
   * An embedded engine's process was ended and started again: connections break, what was acknowledged stays. The next process has the directory
   * to itself, so whoever held a lease is gone: all of them end before anybody can ask for anything.
   */
  void restart() {
    world.note("engine", "restarts", "");
    troubledAt = world.now();
    breakConnections();
    for (Held held : List.copyOf(state.leases())) {
      take(state.end("engine", held));
    }
    feeds.forget();
  }

  private void breakConnections() {
    List.copyOf(whenBroken).forEach(Runnable::run);
  }

  private void back() {
    if (backAt > world.now() || backAt == Long.MIN_VALUE) {
      return;
    }
    awayBefore = awayNanos();
    backAt = Long.MIN_VALUE;
    troubledAt = world.now();
    world.note("engine", "is back", whenBack.size());
    startLeasesOver();
    List<Runnable> waiting = List.copyOf(whenBack);
    whenBack.clear();
    waiting.forEach(request -> world.in(0, () -> whenThere(request)));
  }

  private void startLeasesOver() {
    for (Held held : state.leases()) {
      held.endsAt = world.now() + held.ttlNanos;
      if (!held.looked) {
        look(held);
      }
    }
  }
}
