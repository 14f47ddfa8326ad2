package io.belfry.core.leader.assign;

import io.belfry.core.dispatch.Admission;
import io.belfry.core.follow.Follower;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.task.TaskTransitions;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Offer;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Revision;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The leader's part in queues that workers pull from: admits tasks, publishes which, and never assigns one.
 *
 * <pre>
 *   waiting ──admit: due, limit, labels──▶ offered ──▶ offer of the queue ──watch──▶ workers
 *      ▲                                     │
 *      └──── rewritten, or mode switched ────┴── claimed by a worker: known by its report
 * </pre>
 *
 * <p>What has been offered may be claimed until the task's record or the queue's has changed, whether or not that is known here. So a
 * place under a limit is given back only once the task is known to have another revision; when a queue is switched to push, limited
 * tasks are rewritten for that. A new leader takes over what the offers of the last one say.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class PullOffers {
  /** Of one need: enough for workers to go on with while the next are admitted; what is more urgent and comes later waits for no more. */
  static final int ADMITTED_MAX = 64;
  /** Of one queue, whatever the needs: a message stays small. */
  static final int OFFERED_MAX = 1000;

  private static final Comparator<LiveTask> IN_ORDER = Comparator.<LiveTask>comparingLong(
          live -> live.admission().rank())
      .thenComparingLong(live -> live.admission().task().order());

  private static final class Queue {
    final String name;
    QueueRecord record = QueueRecord.DEFAULT;
    long revision = Revision.NONE;
    /** The stored offer, from this leader or the last. */
    List<Offer.Item> lastLeaders = List.of();

    final List<LiveTask> offered = new ArrayList<>();
    boolean changed;
    boolean empty = true;
    boolean writeInFlight;

    Queue(String name) {
      this.name = name;
    }

    boolean isOpen() {
      return record.mode() == QueueRecord.Mode.PULL && !record.paused();
    }
  }

  private final TermLoop loop;
  private final TermCommitter committer;
  private final TaskTable table;
  private final TaskTransitions transitions;
  private final Runnable turn;
  private final Runnable queuesLoaded;
  private final Runnable offersLoaded;
  private final Map<String, Queue> queues = new LinkedHashMap<>();
  private final Follower records;
  private final Follower offers;

  /**
   * An offering that has not begun.
   *
   * @param queuesLoaded called when all queues have been read
   * @param offersLoaded called when all offers of the last leader have been read
   */
  public PullOffers(
      TermContext term,
      TaskTable table,
      TaskTransitions transitions,
      Runnable queuesLoaded,
      Runnable offersLoaded) {
    this.loop = term.loop();
    this.committer = term.committer();
    this.table = table;
    this.transitions = transitions;
    this.turn = term.wakeUp();
    this.queuesLoaded = queuesLoaded;
    this.offersLoaded = offersLoaded;
    this.records = new Follower(loop, term.store(), Keys.QUEUES, new QueueRecords());
    this.offers = new Follower(loop, term.store(), Keys.OFFERS, new LastOffers());
  }

  public void start() {
    records.start();
    offers.start();
  }

  public void stop() {
    records.stop();
    offers.stop();
  }

  /** All tasks are known: what the last leader offered is still offered. */
  public void ready() {
    for (Queue queue : queues.values()) {
      for (Offer.Item item : queue.lastLeaders) {
        LiveTask live = table.tasks.find(item.task());
        if (live != null
            && live.revision() == item.revision()
            && live.isPending()
            && live.isFree()) {
          table
              .dispatcher
              .adopt(item.task(), ADMITTED_MAX, loop.time().nanos())
              .ifPresent(admission -> offer(queue, live, admission));
        }
      }
      queue.lastLeaders = List.of();
      queue.changed = true;
    }
    offers.stop(); // from here on nobody writes them but us
  }

  private void offer(Queue queue, LiveTask live, Admission<LiveTask> admission) {
    table.offer(live, admission);
    queue.offered.add(live);
    queue.changed = true;
  }

  /** Admits what may be admitted, and publishes what has changed. Part of every turn. */
  public void offer(boolean namespacePaused) {
    for (Queue queue : queues.values()) {
      queue.offered.removeIf(live -> !live.isOffered());
      if (queue.record.mode() == QueueRecord.Mode.PUSH) {
        List.copyOf(queue.offered).forEach(this::takeBack);
      } else if (queue.isOpen() && !namespacePaused) {
        admit(queue);
      }
      publish(queue, namespacePaused);
    }
  }

  private void admit(Queue queue) {
    while (queue.offered.size() < OFFERED_MAX) {
      var admission = table.dispatcher.admit(
          queue.name, ADMITTED_MAX, loop.time().wall(), loop.time().nanos());
      if (admission.isEmpty()) {
        return;
      }
      offer(queue, admission.get().task().body(), admission.get());
    }
  }

  /** A claim by the offer that stood may have been made unheard: that is found out by rewriting the task, if a limit depends on it. */
  private void takeBack(LiveTask live) {
    if (!live.isFree()) {
      return; // tried again in the next turn
    }
    if (live.admission().task().isLimited()) {
      var unused =
          transitions.rewrite(live, List.of(), TaskTransitions.Terms.NONE, task -> turn.run());
    } else {
      table.withdrawOffer(live);
    }
  }

  private void publish(Queue queue, boolean namespacePaused) {
    boolean empty = !queue.isOpen() || namespacePaused;
    boolean changed = empty ? !queue.empty : queue.changed || queue.empty;
    if (!changed || queue.writeInFlight) {
      return;
    }
    queue.writeInFlight = true;
    queue.changed = false;
    queue.empty = empty;
    Offer offer = offer(queue.revision, empty ? List.of() : queue.offered);
    var commit = committer.commit();
    if (queue.revision != Revision.NONE) {
      commit.unchanged(Keys.queue(queue.name), queue.revision);
    }
    committer.send(
        commit.put(Keys.offer(queue.name), Records.encode(offer)),
        revision -> {
          queue.writeInFlight = false;
          turn.run();
        },
        guard -> {
          queue.writeInFlight = false; // the queue's record has changed, of which we shall hear
          queue.changed = true;
        });
  }

  private static Offer offer(long queueRevision, List<LiveTask> offered) {
    Map<Map<String, String>, Integer> needs = new LinkedHashMap<>();
    var items = new ArrayList<Offer.Item>(offered.size());
    offered.stream().filter(live -> live.isFree()).sorted(IN_ORDER).forEach(live -> {
      Integer place = needs.computeIfAbsent(live.admission().task().labels(), n -> needs.size());
      items.add(new Offer.Item(live.id(), live.revision(), place));
    });
    return new Offer(queueRevision, List.copyOf(needs.keySet()), items);
  }

  private Queue queue(String name) {
    return queues.computeIfAbsent(name, Queue::new);
  }

  private final class QueueRecords implements Follower.Sink {
    @Override
    public void loading() {}

    @Override
    public void put(Entry entry) {
      SafeDecoder.read(entry, each -> Records.queue(each.value()))
          .ifPresent(record -> use(queue(entry.key().text()), record, entry.revision()));
    }

    @Override
    public void deleted(Key key, long revision) {
      use(queue(key.text()), QueueRecord.DEFAULT, revision);
    }

    @Override
    public void loaded() {
      queuesLoaded.run();
    }

    private void use(Queue queue, QueueRecord record, long revision) {
      if (revision <= queue.revision) {
        return;
      }
      queue.record = record;
      queue.revision = revision;
      queue.changed = true;
      table.dispatcher.pull(queue.name, record.mode() == QueueRecord.Mode.PULL);
      if (record.paused()) {
        table.dispatcher.pause(queue.name);
      } else {
        table.dispatcher.resume(queue.name);
      }
      turn.run();
    }
  }

  /** What the last leader had offered; of no interest once we offer ourselves. */
  private final class LastOffers implements Follower.Sink {
    @Override
    public void loading() {}

    @Override
    public void put(Entry entry) {
      SafeDecoder.read(entry, each -> Records.offer(each.value())).ifPresent(offer -> {
        Queue queue = queue(entry.key().text());
        queue.lastLeaders = offer.items();
        queue.empty = offer.items().isEmpty();
      });
    }

    @Override
    public void deleted(Key key, long revision) {}

    @Override
    public void loaded() {
      offersLoaded.run();
    }
  }
}
