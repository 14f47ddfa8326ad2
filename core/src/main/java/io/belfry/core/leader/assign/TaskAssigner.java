package io.belfry.core.leader.assign;

import io.belfry.core.dispatch.Match;
import io.belfry.core.keys.Keys;
import io.belfry.core.leader.task.Creation;
import io.belfry.core.leader.task.LiveTask;
import io.belfry.core.leader.task.TaskFactory;
import io.belfry.core.leader.task.TaskTable;
import io.belfry.core.leader.term.TermCommitter;
import io.belfry.core.leader.term.TermContext;
import io.belfry.core.leader.term.TermLoop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Stored;
import io.belfry.core.record.Weight;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives waiting tasks to workers: for each worker one commit with its tasks and its inbox. The worker runs nothing that is not
 * committed as its own. What is found for a worker while such a commit is away is gathered for the next: they write the same inbox, so
 * some engines could only carry them out one after the other.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskAssigner {
  private static final int LOT_MAX = 100;
  private static final int LOT_BYTES_MAX = 400 * 1024;
  /** One that takes more may not fit into a commit twice: its worker is told by the next. */
  private static final int TASK_BYTES_MAX = 600 * 1024;

  /** Of one worker. A second leaves only when it is full. */
  private static final int LOTS_AWAY_MAX = 4;
  /** Matches that may be away at once: what the store has not answered is not worth gathering more of. */
  private static final int AWAY_MAX = 2000;

  private record Given(Match<LiveTask> match, Task task) {
    LiveTask live() {
      return match.task().body();
    }

    int guards() {
      Creation creation = live().creation();
      return creation == null ? 1 : 1 + creation.rest().guards().size();
    }
  }

  /** What waits for the commit of one worker that is away. */
  private static final class Outbox {
    final ArrayDeque<Given> waiting = new ArrayDeque<>();
    int lotsAway;

    boolean maySend() {
      return !waiting.isEmpty()
          && (lotsAway == 0 || (lotsAway < LOTS_AWAY_MAX && waiting.size() >= LOT_MAX));
    }
  }

  private final TermLoop loop;
  private final Store store;
  private final TermCommitter committer;
  private final TaskTable table;
  private final TaskFactory factory;
  private final Map<String, Outbox> outboxes = new LinkedHashMap<>();
  private int away;

  public TaskAssigner(TermContext term, TaskTable table, TaskFactory factory) {
    this.loop = term.loop();
    this.store = term.store();
    this.committer = term.committer();
    this.table = table;
    this.factory = factory;
  }

  public void assign() {
    Map<String, List<Given>> byWorker = new LinkedHashMap<>();
    List<Given> withoutPayload = new ArrayList<>();
    while (away < AWAY_MAX) {
      Optional<Match<LiveTask>> match =
          table.dispatcher.next(loop.time().wall(), loop.time().nanos());
      if (match.isEmpty()) {
        break;
      }
      decide(match.get()).ifPresent(given -> {
        away++;
        if (given.live().isWithoutPayload()) {
          withoutPayload.add(given);
        } else {
          byWorker
              .computeIfAbsent(given.match.worker(), id -> new ArrayList<>())
              .add(given);
        }
      });
    }
    factory.createUnassigned();
    byWorker.forEach(this::sendAll);
    for (int i = 0; i < withoutPayload.size(); i += LOT_MAX) {
      fetch(List.copyOf(withoutPayload.subList(i, Math.min(withoutPayload.size(), i + LOT_MAX))));
    }
  }

  /** Reads what the leader does not keep of tasks while many wait, a lot at a time. */
  private void fetch(List<Given> lot) {
    List<Key> keys = lot.stream().map(given -> Keys.task(given.task.id())).toList();
    loop.read(() -> store.get(keys), found -> sendRead(lot, found));
  }

  private void sendRead(List<Given> lot, List<Entry> found) {
    Map<Key, Entry> byKey = new LinkedHashMap<>();
    found.forEach(entry -> byKey.put(entry.key(), entry));
    Map<String, List<Given>> byWorker = new LinkedHashMap<>();
    for (Given given : lot) {
      Optional<Task> whole = Optional.ofNullable(byKey.get(Keys.task(given.task.id())))
          .filter(entry -> entry.revision() == given.live().revision())
          .flatMap(entry -> Legible.read(entry, Stored::task));
      if (whole.isPresent()) {
        var full = new Given(given.match, given.task.withWork(whole.get().work()));
        byWorker.computeIfAbsent(given.match.worker(), id -> new ArrayList<>()).add(full);
      } else {
        away--;
        readAgain(given);
      }
    }
    byWorker.forEach(this::sendAll);
  }

  private Optional<Given> decide(Match<LiveTask> match) {
    LiveTask live = match.task().body();
    table.beginAssignment(live);
    var assign = new Command.Assign(live.task().token().next(), match.worker());
    return switch (TaskLife.decide(live.task(), assign, moment(live), loop.random())) {
      case Decision.Accepted(var events) ->
        Optional.of(new Given(match, TaskLife.apply(live.task(), events)));
      case Decision.Refused(var reason) ->
        throw new IllegalStateException(
            "the dispatcher gave out a task that may not be assigned, because " + reason.meaning()
                + ": " + live.task());
    };
  }

  /** Its time had come when it was matched, even if the calendar has been set back since. */
  private Instant moment(LiveTask live) {
    Instant now = loop.time().wall();
    return live.task().state() instanceof TaskState.Pending(Instant due) && now.isBefore(due)
        ? due
        : now;
  }

  private void sendAll(String worker, List<Given> all) {
    Outbox outbox = outboxes.computeIfAbsent(worker, id -> new Outbox());
    outbox.waiting.addAll(all);
    sendWaiting(worker, outbox);
  }

  private void sendWaiting(String worker, Outbox outbox) {
    while (outbox.maySend()) {
      outbox.lotsAway++;
      send(worker, outbox, nextLot(outbox.waiting));
    }
    if (outbox.lotsAway == 0) {
      outboxes.remove(worker);
    }
  }

  private static List<Given> nextLot(ArrayDeque<Given> waiting) {
    var lot = new ArrayList<Given>();
    long bytes = 0;
    int guards = 0;
    for (Given next = waiting.peek(); next != null; next = waiting.peek()) {
      bytes += 2 * Weight.of(next.task);
      guards += next.guards();
      if (!lot.isEmpty() && (guards > LOT_MAX || bytes > LOT_BYTES_MAX)) {
        break;
      }
      lot.add(waiting.remove());
    }
    return lot;
  }

  private void send(String worker, Outbox outbox, List<Given> lot) {
    Commit.Builder commit = committer.commit();
    var orders = new ArrayList<Inbox.Order>(lot.size());
    for (Given given : lot) {
      var key = Keys.task(given.task.id());
      Creation creation = given.live().creation();
      if (creation == null) {
        commit.unchanged(key, given.live().revision());
      } else {
        commit.absent(key).also(creation.rest());
      }
      commit.put(key, Records.encode(given.task));
      orders.add(new Inbox.Order.Run(given.task, 0));
    }
    boolean apart = lot.size() == 1 && !Weight.isAtMost(TASK_BYTES_MAX, lot.getFirst().task);
    if (!apart) {
      commit.put(Keys.inbox(worker), Records.encode(new Inbox(orders)));
    }
    committer.send(
        commit,
        revision -> {
          lot.forEach(given -> stands(given, revision));
          if (apart) {
            Task told = Stored.stamped(lot.getFirst().task, revision);
            tell(worker, List.of(new Inbox.Order.Run(told, revision)));
          }
          answered(worker, outbox, lot);
        },
        guard -> {
          lot.forEach(this::refused);
          answered(worker, outbox, lot);
        });
  }

  private void answered(String worker, Outbox outbox, List<Given> lot) {
    away -= lot.size();
    outbox.lotsAway--;
    sendWaiting(worker, outbox);
  }

  private void stands(Given given, long revision) {
    table.recordAssigned(
        given.live(), given.match.hold(), Stored.stamped(given.task, revision), revision);
  }

  private void refused(Given given) {
    if (given.live().creation() == null) {
      readAgain(given);
    } else {
      table.dispatcher.released(given.match.hold());
      factory.createPending(given.live());
    }
  }

  /**
   * A task is not as it was believed; most likely it is our own commit that stands there, whose answer got lost, with the whole lot. So
   * each keeps its place until the store has been read: a limit that were free meanwhile would let another one in.
   */
  private void readAgain(Given given) {
    table.assignmentRefused(given.live(), given.match.hold());
  }

  public void tell(String worker, List<Inbox.Order> orders) {
    if (!orders.isEmpty()) {
      committer.send(
          committer.commit().put(Keys.inbox(worker), Records.encode(new Inbox(orders))),
          revision -> {},
          guard -> {});
    }
  }
}
