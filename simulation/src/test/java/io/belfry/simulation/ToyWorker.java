package io.belfry.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.worker.Launcher;
import io.belfry.model.job.ExecutorSpec;
import io.belfry.model.job.Priority;
import io.belfry.model.job.Work;
import io.belfry.model.task.Attempt;
import io.belfry.model.task.History;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.model.task.TaskState;
import io.belfry.model.task.Token;
import io.belfry.store.Change;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Feed;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Scan;
import io.belfry.store.Store;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The smallest worker worth simulating: registers under a lease, carries out what its inbox says, looks for what the inbox lost, and
 * ends a task only under its token.
 *
 * <p>Threading: confined to its loop.
 */
final class ToyWorker {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration MARGIN = Duration.ofMillis(500);
  private static final Work WORK = Work.of("toy", ExecutorSpec.local("toy"));

  private final Loop loop;
  private final Store store;
  private final Launcher launcher;
  private final String id;
  private final Map<String, Long> newest = new HashMap<>();
  private final Map<String, Launcher.Started> held = new TreeMap<>();
  private Loop.Timer guard = () -> {};
  private long trustUntil;
  private long registeredAt;
  private long ends;

  ToyWorker(Loop loop, Store store, Launcher launcher, String id) {
    this.loop = loop;
    this.store = store;
    this.launcher = launcher;
    this.id = id;
    this.trustUntil = loop.time().nanos();
  }

  void start() {
    loop.post(() -> {
      register();
      listen();
      sweep();
    });
  }

  /** What it believes to hold. */
  Set<String> held() {
    return held.keySet();
  }

  private void register() {
    long sent = loop.time().nanos();
    loop.onResult(
        store.grant(LEASE),
        granted -> loop.onResult(
            store.get(List.of(Keys.worker(id))),
            found -> register(sent, granted.id(), found),
            failure -> registerLater()),
        failure -> registerLater());
  }

  /** Guarded, because an earlier try that was reported as unknown may still come and put the key under a lease that nobody renews. */
  private void register(long sent, long lease, List<Entry> found) {
    var commit = Commit.when().put(Keys.worker(id), id.getBytes(UTF_8), lease);
    found.forEach(commit::unchanged);
    if (found.isEmpty()) {
      commit.absent(Keys.worker(id));
    }
    loop.onResult(
        store.commit(commit.build()),
        outcome -> {
          if (outcome instanceof Outcome.Done(long revision)) {
            registeredAt = revision;
            trust(sent);
            renewLater(lease);
          } else {
            registerLater();
          }
        },
        failure -> registerLater());
  }

  private void registerLater() {
    loop.after(Duration.ofMillis(300), this::register);
  }

  private void renewLater(long lease) {
    loop.after(Duration.ofSeconds(1), () -> {
      long sent = loop.time().nanos();
      loop.onResult(
          store.renew(lease),
          stands -> {
            if (stands) {
              trust(sent);
              renewLater(lease);
            } else {
              stopAll();
              register();
            }
          },
          failure -> renewLater(lease));
    });
  }

  private void trust(long sent) {
    trustUntil = sent + LEASE.minus(MARGIN).toNanos();
    guard.cancel();
    guard = loop.after(Duration.ofNanos(trustUntil - loop.time().nanos()), this::stopAll);
  }

  private void stopAll() {
    held.values().forEach(Launcher.Started::interrupt);
  }

  private boolean trusted() {
    return loop.time().nanos() - trustUntil < 0;
  }

  private void listen() {
    Feed inbox = Feed.of(Keys.inbox(id));
    store.watch(inbox, Watch.NOW, new Watcher() {
      @Override
      public void changed(long revision, List<Change> changes) {
        for (Change change : changes) {
          if (change instanceof Change.Put(Entry entry)) {
            loop.post(() -> take(new String(entry.value(), UTF_8), revision));
          }
        }
      }

      @Override
      public void compacted() {
        loop.post(ToyWorker.this::listen);
      }
    });
  }

  /** Makes up for what the inbox lost. */
  private void sweep() {
    loop.onResult(
        store.scan(Scan.all(Keys.TASKS)),
        page -> page.entries().stream()
            .filter(entry -> new String(entry.value(), UTF_8).equals(id))
            .forEach(this::takeOrHandBack),
        failure -> {});
    loop.after(Duration.ofSeconds(1), this::sweep);
  }

  /** What it was given before it registered again may be somebody else's by now: it asks for another holder instead. */
  private void takeOrHandBack(Entry entry) {
    if (entry.revision() > registeredAt) {
      take(entry.key().text(), entry.revision());
    } else if (!held.containsKey(entry.key().text() + " " + entry.revision())) {
      loop.onResult(
          store.commit(Commit.when()
              .unchanged(entry)
              .put(entry.key(), "nobody".getBytes(UTF_8))
              .build()),
          outcome -> {},
          failure -> {});
    }
  }

  private void take(String task, long token) {
    if (!trusted() || token <= registeredAt || newest.getOrDefault(task, 0L) >= token) {
      return;
    }
    newest.put(task, token);
    held.put(
        task + " " + token,
        launcher.start(assigned(task, token), ending -> loop.post(() -> end(task, token, ends++))));
  }

  private Task assigned(String task, long token) {
    Instant now = loop.time().wall();
    return new Task(
        TaskId.parse(task),
        WORK,
        now,
        now,
        Priority.NORMAL,
        Optional.empty(),
        new TaskState.Assigned(new Attempt(1, new Token(token), id, now)),
        Optional.empty(),
        History.NONE);
  }

  private void end(String task, long token, long number) {
    Key key = Key.of(Keys.TASKS, task);
    Key history = Keys.freshHistory(id, number);
    loop.onResult(
        store.commit(Commit.when()
            .absent(history)
            .unchanged(key, token)
            .delete(key)
            .put(history, task.getBytes(UTF_8))
            .build()),
        outcome -> held.remove(task + " " + token),
        failure -> loop.after(Duration.ofMillis(300), () -> end(task, token, number)));
  }
}
