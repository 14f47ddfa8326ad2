package io.belfry.core.reign;

import io.belfry.core.dispatch.Match;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Inbox;
import io.belfry.core.record.Legible;
import io.belfry.core.record.Records;
import io.belfry.core.record.Slim;
import io.belfry.core.record.Stored;
import io.belfry.model.task.Command;
import io.belfry.model.task.Decision;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskLife;
import io.belfry.model.task.TaskState;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives waiting tasks to workers: for each worker one commit with its tasks and its inbox. The worker runs nothing that is not
 * committed as its own.
 *
 * <p>Threading: confined to the reign's loop.
 */
final class Assigning {
  private static final int LOT_MAX = 100;
  private static final int LOT_BYTES_MAX = 400 * 1024;
  /** Matches that may be away at once: what the store has not answered is not worth gathering more of. */
  private static final int AWAY_MAX = 2000;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private record Given(Match<LiveTask> match, Task task) {
    LiveTask live() {
      return match.task().body();
    }
  }

  private final Loop loop;
  private final Store store;
  private final Fenced fenced;
  private final TaskBook book;
  private int away;

  Assigning(Loop loop, Store store, Fenced fenced, TaskBook book) {
    this.loop = loop;
    this.store = store;
    this.fenced = fenced;
    this.book = book;
  }

  void assign() {
    Map<String, List<Given>> byWorker = new LinkedHashMap<>();
    List<Given> slim = new ArrayList<>();
    while (away < AWAY_MAX) {
      Optional<Match<LiveTask>> match =
          book.dispatcher.next(loop.time().wall(), loop.time().nanos());
      if (match.isEmpty()) {
        break;
      }
      decide(match.get()).ifPresent(given -> {
        away++;
        if (given.live().slim) {
          slim.add(given);
        } else {
          byWorker
              .computeIfAbsent(given.match.worker(), id -> new ArrayList<>())
              .add(given);
        }
      });
    }
    byWorker.forEach(this::sendAll);
    for (int i = 0; i < slim.size(); i += LOT_MAX) {
      fetch(List.copyOf(slim.subList(i, Math.min(slim.size(), i + LOT_MAX))));
    }
  }

  /** Reads what the leader does not keep of tasks while many wait, a lot at a time. */
  private void fetch(List<Given> lot) {
    loop.hear(
        store.get(lot.stream().map(given -> Keys.task(given.task.id())).toList()),
        found -> sendRead(lot, found),
        failure -> {
          var unused = loop.in(PAUSE, () -> {
            if (book.leads()) {
              fetch(lot);
            }
          });
        });
  }

  private void sendRead(List<Given> lot, List<Entry> found) {
    if (!book.leads()) {
      return;
    }
    Map<Key, Entry> byKey = new LinkedHashMap<>();
    found.forEach(entry -> byKey.put(entry.key(), entry));
    Map<String, List<Given>> byWorker = new LinkedHashMap<>();
    for (Given given : lot) {
      Optional<Task> whole = Optional.ofNullable(byKey.get(Keys.task(given.task.id())))
          .filter(entry -> entry.revision() == given.live().revision)
          .flatMap(entry -> Legible.read(entry, Stored::task));
      if (whole.isPresent()) {
        var full = new Given(given.match, Bodies.with(given.task, whole.get().work()));
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
    live.away = true;
    var assign = new Command.Assign(live.task.token().next(), match.worker());
    return switch (TaskLife.decide(live.task, assign, moment(live), loop.random())) {
      case Decision.Accepted(var events) ->
        Optional.of(new Given(match, TaskLife.apply(live.task, events)));
      case Decision.Refused(var reason) ->
        throw new IllegalStateException(
            "the dispatcher gave out a task that may not be assigned, because " + reason.meaning()
                + ": " + live.task);
    };
  }

  /** Its time had come when it was matched, even if the calendar has been set back since. */
  private Instant moment(LiveTask live) {
    Instant now = loop.time().wall();
    return live.task.state() instanceof TaskState.Pending(Instant due) && now.isBefore(due)
        ? due
        : now;
  }

  private void sendAll(String worker, List<Given> all) {
    var lot = new ArrayList<Given>();
    int bytes = 0;
    for (Given given : all) {
      int weight = 2 * Slim.weight(given.task);
      if (!lot.isEmpty() && (lot.size() == LOT_MAX || bytes + weight > LOT_BYTES_MAX)) {
        send(worker, List.copyOf(lot));
        lot.clear();
        bytes = 0;
      }
      lot.add(given);
      bytes += weight;
    }
    send(worker, List.copyOf(lot));
  }

  private void send(String worker, List<Given> lot) {
    Commit.Builder commit = fenced.commit();
    var orders = new ArrayList<Inbox.Order>(lot.size());
    for (Given given : lot) {
      var key = Keys.task(given.task.id());
      commit.unchanged(key, given.live().revision).put(key, Records.encode(given.task));
      orders.add(new Inbox.Order.Run(given.task, 0));
    }
    commit.put(Keys.inbox(worker), Records.encode(new Inbox(orders)));
    fenced.send(
        commit,
        revision -> {
          away -= lot.size();
          for (Given given : lot) {
            book.assigned(
                given.live(), given.match.hold(), Stored.stamped(given.task, revision), revision);
          }
        },
        guard -> {
          away -= lot.size();
          lot.forEach(this::readAgain);
        });
  }

  /**
   * A task is not as it was believed; most likely it is our own commit that stands there, whose answer got lost, with the whole lot. So
   * each keeps its place until the store has been read: a limit that were free meanwhile would let another one in.
   */
  private void readAgain(Given given) {
    given.live().hold = given.match.hold();
    book.refresh(given.live());
  }

  /** Tells a worker again what it does not seem to know. */
  void tellAgain(String worker, List<LiveTask> unnamed) {
    var orders = new ArrayList<Inbox.Order>();
    for (LiveTask live : unnamed) {
      // Stopped before it is told: so that what is cancelled is not begun.
      live.cancel.ifPresent(asked -> orders.add(
          new Inbox.Order.Stop(live.task.id(), live.task.token().value(), asked.request())));
      orders.add(new Inbox.Order.Run(live.task, live.revision));
    }
    tell(worker, orders);
  }

  void tell(String worker, List<Inbox.Order> orders) {
    if (!orders.isEmpty()) {
      fenced.send(
          fenced.commit().put(Keys.inbox(worker), Records.encode(new Inbox(orders))),
          revision -> {},
          guard -> {});
    }
  }
}
