package io.belfry.core.worker;

import io.belfry.core.commit.CommitChain;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Offer;
import io.belfry.core.record.Records;
import io.belfry.core.record.Reports;
import io.belfry.core.record.SafeDecoder;
import io.belfry.core.record.Stored;
import io.belfry.core.record.Weight;
import io.belfry.core.record.WithoutPayload;
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
 * A worker's side of queues in pull mode: claims tasks that the leader has admitted, as many as the worker has slots for.
 *
 * <pre>
 *   offer ──▶ some of the first, at random ──▶ read ──▶ commit(task unchanged, queue unchanged) ──▶ run
 *     ▲            refused by a task: another worker was faster │ refused by the queue: the offer is void
 *     └────────── checked again when a slot is free or a new offer comes, and periodically ◀──┘
 * </pre>
 *
 * <p>The task names this worker as soon as the commit is done, so that everything else is as if the leader had assigned it. One commit at
 * a time, in a chain, so that a lost answer is settled by sending the commit again.
 *
 * <p>Threading: confined to the worker's loop.
 */
final class OfferClaims {
  /** How many more than needed are chosen among, so that workers do not all try the same tasks. */
  private static final int SPREAD = 8;
  /** Backoff for tasks that could not be claimed: at most about once a minute. */
  private static final int PATIENCE_MAX = 6;

  private static final Duration RECHECK = Duration.ofSeconds(1);

  /** A claimable task. */
  private static final class Open {
    final Offer.Item item;
    int tries;
    int rounds;

    Open(Offer.Item item) {
      this.item = item;
    }
  }

  /**
   * The claimable tasks of a queue.
   *
   * @param aside to be retried, but not at once. No task is given up before the next offer: this may be the only worker
   */
  private record Pool(String queue, long queueRevision, List<Open> open, List<Open> aside) {
    /** The task was missing, or not as offered: it may be over, or the read was stale. */
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

    /** The failure was not this task's. */
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
  private final CommitChain chain;
  private final Map<String, Pool> pools = new LinkedHashMap<>();
  private boolean writeInFlight;
  private boolean lookPosted;
  private boolean closing;
  private boolean stopped;

  /**
   * A claiming that has not started.
   *
   * @param room the number of free slots
   * @param run called for each claimed task, with the revision of the claim
   * @param idle called when no commit is in flight any more
   */
  OfferClaims(
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
    var settler = new RetryingCommitter(loop, store, () -> !stopped, closed -> stop());
    this.chain =
        new CommitChain(settler, Keys.claims(worker), Records.encode(new Reports("", List.of())));
  }

  void start() {
    offers.start();
    recheck();
  }

  /** Claims nothing more; a commit in flight is completed. */
  void close() {
    closing = true;
    offers.stop();
    pools.clear();
  }

  /** Stops at once; no callback is called any more. */
  void stop() {
    close();
    stopped = true;
  }

  /** The key that is left behind once it is stopped and idle. */
  Optional<Key> leftOver() {
    return chain.opened();
  }

  boolean isIdle() {
    return !writeInFlight;
  }

  /** Retries what could not be claimed before: the lease may be trusted again, and a read may have been stale. */
  private void recheck() {
    var unused = loop.after(RECHECK, () -> {
      if (!closing) {
        pools.values().forEach(Pool::recheck);
        look();
        recheck();
      }
    });
  }

  /** There may be a free slot, or a task to claim. */
  void look() {
    if (!lookPosted && !pools.isEmpty()) {
      lookPosted = true;
      loop.post(() -> {
        lookPosted = false;
        claim(); // after the other steps of this turn of the loop
      });
    }
  }

  /** Zero while the worker does not trust its lease: it must not claim what it may not start. */
  private int credit() {
    boolean sure = registration.trusted() && registration.registeredAt() != Revision.NONE;
    return sure ? Math.min(room.getAsInt(), CommitLimits.CLAIM.items()) : 0;
  }

  private void claim() {
    int credit = credit();
    List<Pool> all =
        pools.values().stream().filter(pool -> !pool.open.isEmpty()).toList();
    if (writeInFlight || closing || credit <= 0 || all.isEmpty()) {
      return;
    }
    Pool pool = all.get(loop.random().nextInt(all.size()));
    List<Open> chosen = choose(pool, credit);
    writeInFlight = true;
    loop.onResult(
        store.get(chosen.stream().map(open -> Keys.task(open.item.task())).toList()),
        found -> commit(pool, decide(pool, chosen, found)),
        failure -> {
          chosen.forEach(pool::soon);
          rest();
        });
  }

  /** Picks some of the first and removes them from the pool: whatever the outcome, they are not retried at once. */
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
        pool.later(open); // a read older than the offer, or the task is over
        continue;
      }
      Optional<Task> next = entry.revision() == open.item.revision()
          ? SafeDecoder.read(entry, Stored::task).flatMap(this::taken)
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

  /** The task assigned to this worker. It was due when the leader admitted it, whatever our clock says. */
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
      claims.forEach(claim -> pool.again(claim.open)); // the slots were taken meanwhile
      rest();
      look();
      return;
    }
    Commit.Builder commit = Commit.when().unchanged(Keys.queue(pool.queue), pool.queueRevision);
    for (Claim claim : claims) {
      Key key = Keys.task(claim.next.id());
      commit.unchanged(key, claim.open.item.revision()).put(key, Records.encode(claim.next));
    }
    byte[] message = Records.encode(new Reports(
        "", claims.stream().map(claim -> WithoutPayload.of(claim.next)).toList()));
    chain.commit(commit.build(), message, link -> {
      switch (link) {
        case CommitChain.Link.Applied(long revision) ->
          claims.forEach(claim -> run.accept(Stored.stamped(claim.next, revision), revision));
        case CommitChain.Link.Refused(Guard guard, long found) -> refused(pool, claims, guard);
        // If a claim was applied after all, the leader sends us the task when our heartbeats do not
        // name it; the others are still claimable.
        case CommitChain.Link.Forgotten unused -> claims.forEach(claim -> pool.later(claim.open));
      }
      rest();
      look();
    });
  }

  private void refused(Pool pool, List<Claim> claims, Guard guard) {
    if (guard.key().equals(Keys.queue(pool.queue))) {
      pools.remove(
          pool.queue, pool); // void: a new offer comes, or the queue is no longer in pull mode
      return;
    }
    for (Claim claim : claims) {
      if (!Keys.task(claim.next.id()).equals(guard.key())) {
        pool.again(claim.open);
      }
    }
  }

  private void rest() {
    writeInFlight = false;
    idle.run();
  }

  private final class Offers implements Follower.Sink {
    @Override
    public void loading() {}

    @Override
    public void put(Entry entry) {
      String queue = entry.key().text();
      if (settings.queues().isEmpty() || settings.queues().contains(queue)) {
        SafeDecoder.read(entry, each -> Records.offer(each.value()))
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
