package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Key;
import io.belfry.store.Lease;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The smallest scheduler worth simulating: elects by lease and term, counts under the fence, makes a task of each count, gives it to a
 * worker and gives it to another when that one is gone. It shows that the world finds what is wrong with such a thing.
 *
 * <p>Threading: confined to its loop.
 */
final class ToyScheduler {
  static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration MARGIN = Duration.ofMillis(500);
  private static final Duration TICK = Duration.ofMillis(400);
  private static final Key CURSOR = Key.of(Keys.CURSORS, "toy");

  /** What it knows while it leads. Dropped as a whole, so that nothing outlives a term. */
  private static final class Term {
    final long fence;
    final long since;
    long count;
    boolean over;
    boolean busy;
    List<String> workers = List.of();

    Term(long fence, long count, long since) {
      this.fence = fence;
      this.count = count;
      this.since = since;
    }
  }

  private final Loop loop;
  private final Store store;
  private final String id;
  private final BooleanSupplier firing;
  private long lease;
  private long trustUntil;
  private Term term = new Term(0, 0, 0);

  ToyScheduler(Loop loop, Store store, String id, BooleanSupplier firing) {
    this.loop = loop;
    this.store = store;
    this.id = id;
    this.firing = firing;
    term.over = true;
  }

  void start() {
    loop.post(this::campaign);
  }

  private void campaign() {
    long sent = loop.time().nanos();
    loop.onResult(
        store.grant(LEASE),
        granted -> {
          lease = granted.id();
          trust(sent);
          commit(
              Commit.when().absent(Keys.LEADER).put(Keys.LEADER, id.getBytes(UTF_8), lease),
              won -> {
                renewLater(lease);
                raiseTerm();
              },
              this::resign);
        },
        failure -> again());
  }

  private void raiseTerm() {
    loop.onResult(
        store.get(List.of(Keys.FENCE, CURSOR)),
        found -> {
          long number = 0;
          long count = 0;
          var raise = Commit.when();
          for (Entry entry : found) {
            if (entry.key().equals(Keys.FENCE)) {
              number = ToyScenario.DECODER.term(entry.value()).number();
              raise.unchanged(entry);
            } else {
              count = Long.parseLong(new String(entry.value(), UTF_8));
            }
          }
          if (number == 0) {
            raise.absent(Keys.FENCE);
          }
          raise.put(Keys.FENCE, ((number + 1) + " " + id).getBytes(UTF_8));
          commit(raise, fence -> readCount(fence), this::resign);
        },
        failure -> resign());
  }

  /** Only behind its own term does it know that nobody else counts. */
  private void readCount(long fence) {
    loop.onResult(
        store.get(List.of(CURSOR)),
        found -> {
          long count =
              found.isEmpty() ? 0 : Long.parseLong(new String(found.getFirst().value(), UTF_8));
          term = new Term(fence, count, loop.time().nanos());
          tick(term);
          rescue(term);
        },
        failure -> resign());
  }

  private void tick(Term mine) {
    if (mine.over) {
      return;
    }
    if (loop.time().nanos() - trustUntil >= 0) {
      resign();
      return;
    }
    if (firing.getAsBoolean() && !mine.busy && !mine.workers.isEmpty()) {
      fire(mine);
    }
    loop.after(TICK, () -> tick(mine));
  }

  private void fire(Term mine) {
    mine.busy = true;
    String task = "toy-" + (mine.count + 1);
    String worker = mine.workers.get(loop.random().nextInt(mine.workers.size()));
    commit(
        Commit.when()
            .holds(Keys.FENCE, mine.fence)
            .absent(Key.of(Keys.TASKS, task))
            .put(Key.of(Keys.TASKS, task), worker.getBytes(UTF_8))
            .put(CURSOR, Long.toString(mine.count + 1).getBytes(UTF_8))
            .put(Keys.inbox(worker), task.getBytes(UTF_8)),
        revision -> {
          mine.busy = false;
          mine.count++;
        },
        () -> giveUp(mine));
  }

  /** Tasks before workers: whoever was given a task had registered, so one that is not there afterwards is gone. */
  private void rescue(Term mine) {
    if (mine.over) {
      return;
    }
    loop.onResult(
        store.scan(Scan.all(Keys.TASKS)),
        tasks -> loop.onResult(
            store.scan(Scan.all(Keys.WORKERS)),
            workers -> {
              var there = new TreeSet<String>();
              workers.entries().forEach(entry -> there.add(entry.key().text()));
              mine.workers = List.copyOf(there);
              if (loop.time().nanos() - mine.since > LEASE.toNanos()) {
                reassign(mine, tasks.entries(), there);
              }
            },
            failure -> {}),
        failure -> {});
    loop.after(Duration.ofSeconds(1), () -> rescue(mine));
  }

  private void reassign(Term mine, List<Entry> tasks, Set<String> there) {
    var workers = new ArrayList<>(there);
    for (Entry task : tasks) {
      if (!there.contains(new String(task.value(), UTF_8)) && !workers.isEmpty() && !mine.over) {
        String worker = workers.get(loop.random().nextInt(workers.size()));
        commit(
            Commit.when()
                .holds(Keys.FENCE, mine.fence)
                .unchanged(task)
                .put(task.key(), worker.getBytes(UTF_8))
                .put(Keys.inbox(worker), task.key().name()),
            revision -> {},
            () -> {});
      }
    }
  }

  private void renewLater(long mine) {
    loop.after(Duration.ofSeconds(1), () -> {
      if (lease != mine) {
        return;
      }
      long sent = loop.time().nanos();
      loop.onResult(
          store.renew(mine),
          stands -> {
            if (stands) {
              trust(sent);
              renewLater(mine);
            } else {
              resign();
            }
          },
          failure -> renewLater(mine));
    });
  }

  private void trust(long sent) {
    trustUntil = sent + LEASE.minus(MARGIN).toNanos();
  }

  private void giveUp(Term mine) {
    if (!mine.over) {
      resign();
    }
  }

  private void resign() {
    term.over = true;
    if (lease != Lease.NONE) {
      loop.onResult(store.revoke(lease), done -> {}, failure -> {});
      lease = Lease.NONE;
      again();
    }
  }

  private void again() {
    loop.after(Duration.ofMillis(500 + loop.random().nextInt(500)), this::campaign);
  }

  private void commit(Commit.Builder commit, Consumer<Long> done, Runnable otherwise) {
    loop.onResult(
        store.commit(commit.build()),
        outcome -> {
          if (outcome instanceof Outcome.Done(long revision)) {
            done.accept(revision);
          } else {
            otherwise.run();
          }
        },
        failure -> otherwise.run());
  }
}
