package io.belfry.core.leader.assign;

import io.belfry.core.commit.CommitLimits;
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
import io.belfry.core.record.Records;
import io.belfry.core.record.SafeDecoder;
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
 * committed as its own. What is found for a worker while such a commit is in flight is gathered for the next: they write the same inbox, so
 * some engines could only carry them out one after the other.
 *
 * <p>Threading: confined to the leader's loop.
 */
public final class TaskAssigner {
  /** Of one worker. A second leaves only when it is full. */
  private static final int BATCHES_IN_FLIGHT_MAX = 4;
  /** Matches that may be in flight at once: what the store has not answered is not worth gathering more of. */
  private static final int IN_FLIGHT_MAX = 2000;

  private record Given(Match<LiveTask> match, Task task) {
    LiveTask live() {
      return match.task().body();
    }

    int guards() {
      Creation creation = live().creation();
      return creation == null ? 1 : 1 + creation.rest().guards().size();
    }
  }

  /** What waits for the commit of one worker that is in flight. */
  private static final class Outbox {
    final ArrayDeque<Given> waiting = new ArrayDeque<>();
    int batchesInFlight;

    boolean maySend() {
      return !waiting.isEmpty()
          && (batchesInFlight == 0
              || (batchesInFlight < BATCHES_IN_FLIGHT_MAX
                  && waiting.size() >= CommitLimits.ASSIGN.items()));
    }
  }

  private final TermLoop loop;
  private final Store store;
  private final TermCommitter committer;
  private final TaskTable table;
  private final TaskFactory factory;
  private final Map<String, Outbox> outboxes = new LinkedHashMap<>();
  private int inFlight;

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
    while (inFlight < IN_FLIGHT_MAX) {
      Optional<Match<LiveTask>> match =
          table.dispatcher.next(loop.time().wall(), loop.time().nanos());
      if (match.isEmpty()) {
        break;
      }
      decide(match.get()).ifPresent(given -> {
        inFlight++;
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
    for (int i = 0; i < withoutPayload.size(); i += CommitLimits.ASSIGN.items()) {
      fetch(List.copyOf(withoutPayload.subList(
          i, Math.min(withoutPayload.size(), i + CommitLimits.ASSIGN.items()))));
    }
  }

  /** Reads what the leader does not keep of tasks while many wait, a batch at a time. */
  private void fetch(List<Given> batch) {
    List<Key> keys = batch.stream().map(given -> Keys.task(given.task.id())).toList();
    loop.read(() -> store.get(keys), found -> sendRead(batch, found));
  }

  private void sendRead(List<Given> batch, List<Entry> found) {
    Map<Key, Entry> byKey = new LinkedHashMap<>();
    found.forEach(entry -> byKey.put(entry.key(), entry));
    Map<String, List<Given>> byWorker = new LinkedHashMap<>();
    for (Given given : batch) {
      Optional<Task> whole = Optional.ofNullable(byKey.get(Keys.task(given.task.id())))
          .filter(entry -> entry.revision() == given.live().revision())
          .flatMap(entry -> SafeDecoder.read(entry, Stored::task));
      if (whole.isPresent()) {
        var full = new Given(given.match, given.task.withWork(whole.get().work()));
        byWorker.computeIfAbsent(given.match.worker(), id -> new ArrayList<>()).add(full);
      } else {
        inFlight--;
        assignmentRefused(given);
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
      outbox.batchesInFlight++;
      send(worker, outbox, nextBatch(outbox.waiting));
    }
    if (outbox.batchesInFlight == 0) {
      outboxes.remove(worker);
    }
  }

  private static List<Given> nextBatch(ArrayDeque<Given> waiting) {
    var batch = new ArrayList<Given>();
    long bytes = 0;
    int guards = 0;
    for (Given next = waiting.peek(); next != null; next = waiting.peek()) {
      bytes += 2 * Weight.of(next.task);
      guards += next.guards();
      if (!batch.isEmpty() && !CommitLimits.ASSIGN.allows(guards, bytes)) {
        break;
      }
      batch.add(waiting.remove());
    }
    return batch;
  }

  private void send(String worker, Outbox outbox, List<Given> batch) {
    Commit.Builder commit = committer.commit();
    var orders = new ArrayList<Inbox.Order>(batch.size());
    for (Given given : batch) {
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
    boolean apart =
        batch.size() == 1 && !Weight.isAtMost(CommitLimits.TASK_BYTES_MAX, batch.getFirst().task);
    if (!apart) {
      commit.put(Keys.inbox(worker), Records.encode(new Inbox(orders)));
    }
    committer.send(
        commit,
        revision -> {
          batch.forEach(given -> recordAssigned(given, revision));
          if (apart) {
            Task stamped = Stored.stamped(batch.getFirst().task, revision);
            sendOrders(worker, List.of(new Inbox.Order.Run(stamped, revision)));
          }
          answered(worker, outbox, batch);
        },
        guard -> {
          batch.forEach(this::refused);
          answered(worker, outbox, batch);
        });
  }

  private void answered(String worker, Outbox outbox, List<Given> batch) {
    inFlight -= batch.size();
    outbox.batchesInFlight--;
    sendWaiting(worker, outbox);
  }

  private void recordAssigned(Given given, long revision) {
    table.recordAssigned(
        given.live(), given.match.hold(), Stored.stamped(given.task, revision), revision);
  }

  private void refused(Given given) {
    if (given.live().creation() == null) {
      assignmentRefused(given);
    } else {
      table.dispatcher.released(given.match.hold());
      factory.createPending(given.live());
    }
  }

  /**
   * A task differs from what was known. Most likely the leader's own commit was applied with the whole batch, and its answer was lost. So
   * each keeps its place until it was read: otherwise another task would get its place under a limit.
   */
  private void assignmentRefused(Given given) {
    table.assignmentRefused(given.live(), given.match.hold());
  }

  public void sendOrders(String worker, List<Inbox.Order> orders) {
    if (!orders.isEmpty()) {
      committer.send(
          committer.commit().put(Keys.inbox(worker), Records.encode(new Inbox(orders))),
          revision -> {},
          guard -> {});
    }
  }
}
