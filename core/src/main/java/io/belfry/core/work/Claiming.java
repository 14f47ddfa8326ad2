package io.belfry.core.work;

import io.belfry.core.commit.Chain;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.Settler;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Offer;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.record.Slim;
import io.belfry.core.record.Stored;
import io.belfry.core.record.Weight;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.ObjLongConsumer;

/**
 * A worker's part in queues that are pulled from: takes what the leader has admitted, as much as it has room for.
 *
 * <pre>
 *   offer ──▶ some of the first, at random ──▶ read ──▶ commit(task unchanged, queue unchanged) ──▶ run
 *     ▲            refused by a task: somebody was faster │ refused by the queue: the offer is void
 *     └────────── looked at again when a slot is free, or a new offer comes; and now and then ◀──┘
 * </pre>
 *
 * <p>The task names this worker as soon as the commit is done, so that everything else is as if the leader had given it. One commit at
 * a time, linked, so that a lost answer is settled by sending it again.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class Claiming {
  /** So many more than are wanted are chosen among, so that workers do not all reach for the same. */
  private static final int SPREAD = 8;
  /** What is not to be had is looked for less and less often, at last about once a minute. */
  private static final int PATIENCE_MAX = 6;

  private static final Duration RECHECK = Duration.ofSeconds(1);

  /** Something that may be claimed. */
  private static final class Open {
    final Offer.Item item;
    int tries;
    int rounds;

    Open(Offer.Item item) {
      this.item = item;
    }
  }

  /**
   * What may be claimed of a queue.
   *
   * @param aside to be tried again, but not at once. Nothing is given up before the next offer: we may be the only worker
   */
  private record Pool(String queue, long queueRevision, List<Open> open, List<Open> aside) {
    /** It was not there, or not as offered: perhaps it is over, perhaps the read was behind. */
    void later(Open one) {
      one.tries++;
      one.rounds = 1 << Math.min(one.tries - 1, PATIENCE_MAX);
      aside.add(one);
    }

    /** The store did not answer. */
    void soon(Open one) {
      one.rounds = 1;
      aside.add(one);
    }

    /** It was not its own fault. */
    void again(Open one) {
      open.addFirst(one);
    }

    void recheck() {
      for (Iterator<Open> each = aside.iterator(); each.hasNext(); ) {
        Open one = each.next();
        if (--one.rounds <= 0) {
          each.remove();
          open.add(one);
        }
      }
    }
  }

  private record Claim(Open open, Task next) {}

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final WorkerSettings settings;
  private final Registration registration;
  private final IntSupplier room;
  private final ObjLongConsumer<Task> run;
  private final Runnable idle;
  private final Follower offers;
  private final Chain chain;
  private final Map<String, Pool> pools = new LinkedHashMap<>();
  private boolean away;
  private boolean looking;
  private boolean closing;
  private boolean stopped;

  /**
   * A claiming that has not begun.
   *
   * @param room how many attempts there is room for
   * @param run hears of a task that is ours by this revision
   * @param idle called when nothing is under way any more
   */
  Claiming(
      Loop loop,
      Store store,
      String worker,
      WorkerSettings settings,
      Registration registration,
      IntSupplier room,
      ObjLongConsumer<Task> run,
      Runnable idle) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.settings = settings;
    this.registration = registration;
    this.room = room;
    this.run = run;
    this.idle = idle;
    this.offers = new Follower(loop, store, Keys.OFFERS, new Offers());
    var settler = new Settler(loop, store, () -> !stopped, closed -> stop());
    this.chain =
        new Chain(settler, Keys.claims(worker), Records.encode(new Reports("", List.of())));
  }

  void start() {
    offers.start();
    recheck();
  }

  /** Nothing more is claimed; what is under way ends. */
  void close() {
    closing = true;
    offers.stop();
    pools.clear();
  }

  /** Nothing of it acts any more. */
  void stop() {
    close();
    stopped = true;
  }

  /** The key that is left behind once it is stopped and idle. */
  Optional<Key> leftOver() {
    return chain.opened();
  }

  boolean isIdle() {
    return !away;
  }

  /** What could not be claimed a moment ago is tried again: the trust may be back, and a read may have been behind. */
  private void recheck() {
    var unused = loop.after(RECHECK, () -> {
      if (!closing) {
        pools.values().forEach(Pool::recheck);
        look();
        recheck();
      }
    });
  }

  /** There may be room, or something to take. */
  void look() {
    if (!looking && !pools.isEmpty()) {
      looking = true;
      loop.post(() -> {
        looking = false;
        claim(); // behind what else this turn of the loop brings
      });
    }
  }

  /** None while the worker is not sure of its lease: it must not take what it may not begin. */
  private int credit() {
    boolean sure = registration.trusted() && registration.registeredAt() != Revision.NONE;
    return sure ? Math.min(room.getAsInt(), CommitLimits.CLAIM.items()) : 0;
  }

  private void claim() {
    int credit = credit();
    List<Pool> all =
        pools.values().stream().filter(pool -> !pool.open.isEmpty()).toList();
    if (away || closing || credit <= 0 || all.isEmpty()) {
      return;
    }
    Pool pool = all.get(loop.random().nextInt(all.size()));
    List<Open> chosen = choose(pool, credit);
    away = true;
    loop.onResult(
        store.get(chosen.stream().map(open -> Keys.task(open.item.task())).toList()),
        found -> commit(pool, decide(pool, chosen, found)),
        failure -> {
          chosen.forEach(pool::soon);
          rest();
        });
  }

  /** Some of the first, and gone from the pool: whatever becomes of them, they are not tried again at once. */
  private List<Open> choose(Pool pool, int room) {
    List<Open> first =
        new ArrayList<>(pool.open.subList(0, Math.min(pool.open.size(), 2 * room + SPREAD)));
    List<Open> chosen = new ArrayList<>();
    while (chosen.size() < room && !first.isEmpty()) {
      chosen.add(first.remove(loop.random().nextInt(first.size())));
    }
    pool.open.removeAll(chosen);
    return chosen;
  }

  private List<Claim> decide(Pool pool, List<Open> chosen, List<Entry> found) {
    Map<TaskId, Entry> byId = new LinkedHashMap<>();
    found.forEach(entry -> byId.put(TaskId.parse(entry.key().text()), entry));
    var claims = new ArrayList<Claim>();
    long bytes = 0;
    for (Open open : chosen) {
      Entry entry = byId.get(open.item.task());
      if (entry == null || entry.revision() < open.item.revision()) {
        pool.later(open); // the read is behind the offer, or the task is over
        continue;
      }
      Optional<Task> next = entry.revision() == open.item.revision()
          ? Legible.read(entry, Stored::task).flatMap(this::taken)
          : Optional.empty();
      if (next.isPresent()) {
        long weight = Weight.of(next.get());
        if (!claims.isEmpty() && bytes + weight > CommitLimits.CLAIM.bytes()) {
          pool.again(open);
        } else {
          bytes += weight;
          claims.add(new Claim(open, next.get()));
        }
      }
    }
    return claims;
  }

  /** The task as ours. Its time had come when the leader admitted it, whatever our calendar says. */
  private Optional<Task> taken(Task task) {
    if (!(task.state() instanceof TaskState.Pending(Instant due))) {
      return Optional.empty();
    }
    Instant now = loop.time().wall();
    var assign = new Command.Assign(task.token().next(), worker);
    return switch (TaskLife.decide(task, assign, now.isBefore(due) ? due : now, loop.random())) {
      case Decision.Accepted(var events) -> Optional.of(TaskLife.apply(task, events));
      case Decision.Refused unused -> Optional.empty();
    };
  }

  private void commit(Pool pool, List<Claim> claims) {
    if (stopped) {
      return;
    }
    if (claims.isEmpty() || closing || credit() < claims.size()) {
      claims.forEach(claim -> pool.again(claim.open)); // the room was taken meanwhile
      rest();
      look();
      return;
    }
    Commit.Builder commit = Commit.when().unchanged(Keys.queue(pool.queue), pool.queueRevision);
    for (Claim claim : claims) {
      Key key = Keys.task(claim.next.id());
      commit.unchanged(key, claim.open.item.revision()).put(key, Records.encode(claim.next));
    }
    byte[] word = Records.encode(
        new Reports("", claims.stream().map(claim -> Slim.of(claim.next)).toList()));
    chain.commit(commit.build(), word, link -> {
      switch (link) {
        case Chain.Link.Applied(long revision) ->
          claims.forEach(claim -> run.accept(Stored.stamped(claim.next, revision), revision));
        case Chain.Link.Refused(Guard guard, long found) -> refused(pool, claims, guard);
        // What is ours after all, the leader tells us when our heartbeats do not name it; the rest
        // is still to be had.
        case Chain.Link.Forgotten unused -> claims.forEach(claim -> pool.later(claim.open));
      }
      rest();
      look();
    });
  }

  private void refused(Pool pool, List<Claim> claims, Guard guard) {
    if (guard.key().equals(Keys.queue(pool.queue))) {
      pools.remove(
          pool.queue, pool); // void: a new offer comes, or the queue is not pulled any more
      return;
    }
    for (Claim claim : claims) {
      if (!Keys.task(claim.next.id()).equals(guard.key())) {
        pool.again(claim.open);
      }
    }
  }

  private void rest() {
    away = false;
    idle.run();
  }

  private final class Offers implements Follower.Sink {
    @Override
    public void loading() {}

    @Override
    public void put(Entry entry) {
      String queue = entry.key().text();
      if (settings.queues().isEmpty() || settings.queues().contains(queue)) {
        Legible.read(entry, each -> Records.offer(each.value()))
            .ifPresent(offer -> use(queue, offer));
      }
    }

    private void use(String queue, Offer offer) {
      var open = new ArrayList<Open>();
      for (Offer.Item item : offer.items()) {
        Map<String, String> need = offer.needs().get(item.need());
        if (settings.labels().entrySet().containsAll(need.entrySet())) {
          open.add(new Open(item));
        }
      }
      pools.remove(queue);
      if (!open.isEmpty()) {
        pools.put(queue, new Pool(queue, offer.queueRevision(), open, new ArrayList<>()));
        look();
      }
    }

    @Override
    public void deleted(Key key, long revision) {
      pools.remove(key.text());
    }

    @Override
    public void loaded() {}
  }
}
