package io.belfry.core.submit;

import io.belfry.core.commit.CommitChain;
import io.belfry.core.commit.CommitLimits;
import io.belfry.core.commit.CommitPipeline;
import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.commit.ShutdownCleanup;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.Records;
import io.belfry.core.record.SubmittedTasks;
import io.belfry.core.record.Weight;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Limits;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the tasks submitted on one node. It gathers waiting tasks into one commit; while one is in flight, another is sent only when full.
 *
 * <p>Threading: {@link #submit} from any thread; everything else is confined to the loop.
 */
public final class Submitter {
  private static final Logger LOG = LoggerFactory.getLogger(Submitter.class);

  /** The link of the chain takes some of a commit's writes, too. */
  private static final int BATCH_WRITES_MAX = Limits.WRITES_MAX - 10;

  /** The task, and two records that identify its repetition. */
  private static final int WRITES_ONCE = 3;

  private final Loop loop;
  private final Store store;
  private final CommitPipeline lanes;
  private final Duration window;
  private final int waitingMax;
  private final Room room;
  /** Submissions that the loop has not processed yet. A caller that adds one checks whether the loop still runs. */
  private final Queue<Waiting> entering = new ConcurrentLinkedQueue<>();

  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Set<Waiting> inFlight = new LinkedHashSet<>();
  /** Submissions whose key was used before: its record is being read. */
  private final Set<Waiting> comparing = new LinkedHashSet<>();

  /** How many of the first waiting submissions are sent one by one. */
  private int alone;

  /** The engine's last refusal. */
  private Optional<StoreException> refusal = Optional.empty();

  private boolean stopped;
  /** All waiting callers have been answered, and the loop may have ended: every new call fails from now on. */
  private volatile boolean over;

  /**
   * A submitter of one node.
   *
   * @param node name and incarnation
   * @param window how long a repeated submission is recognized
   * @param waitingMax how many may wait for the store; more are refused as overload
   */
  public Submitter(Loop loop, Store store, String node, Duration window, int waitingMax) {
    this.loop = loop;
    this.store = store;
    this.window = window;
    this.waitingMax = waitingMax;
    this.room = new Room(loop, store);
    var settler = new RetryingCommitter(loop, store, () -> !stopped, this::fail);
    byte[] nothing = Records.encode(new SubmittedTasks(List.of()));
    this.lanes =
        new CommitPipeline(loop, settler, lane -> Keys.news(node, lane), nothing, this::sendAll);
  }

  /** What this node knows about the namespace's limits. */
  public Room room() {
    return room;
  }

  public CompletionStage<Receipt> submit(Submission submission) {
    var caller = new CompletableFuture<Receipt>();
    try {
      var unused = Weight.checked("task", submission.task().work());
      entering.add(Waiting.of(submission, caller));
    } catch (IllegalArgumentException refusal) {
      caller.completeExceptionally(refusal);
      return caller;
    }
    loop.post(this::takeIn);
    if (over) {
      refuseEntering();
    }
    return caller;
  }

  private void takeIn() {
    Waiting one = entering.poll();
    if (one != null) {
      enqueue(one);
    }
  }

  private void refuseEntering() {
    for (Waiting one = entering.poll(); one != null; one = entering.poll()) {
      one.caller().completeExceptionally(new StoreException.Closed());
    }
  }

  /**
   * The last step of a process that stops: deletes the keys that it would leave behind.
   *
   * @param then called once, soon
   */
  public void leave(Runnable then) {
    stop();
    ShutdownCleanup.delete(loop, store, lanes.leftOver(), then);
  }

  /** Fails what waits; the outcome of commits in flight is reported as unknown. */
  public void stop() {
    fail(new StoreException.Closed());
  }

  private void enqueue(Waiting one) {
    Optional<StoreException> full = stopped ? Optional.empty() : room.refusal();
    if (stopped) {
      one.caller().completeExceptionally(new StoreException.Closed());
    } else if (full.isPresent()) {
      one.caller().completeExceptionally(full.get());
    } else if (waiting.size() + comparing.size() >= waitingMax) {
      one.caller()
          .completeExceptionally(new StoreException.Overloaded("At most " + waitingMax
              + " submitted tasks may wait for the store, so that memory stays bounded, and that limit is reached."
              + " Submit more slowly and fewer at once, or raise queueSize."));
    } else if (one.submission().once().isPresent() && room.isFullOfKeys()) {
      answerIfRepeated(one);
    } else {
      waiting.add(one);
      lanes.wake();
    }
  }

  /** No other key is accepted: answers only repetitions. */
  private void answerIfRepeated(Waiting one) {
    comparing.add(one);
    loop.onResult(
        store.get(List.of(one.dedup().orElseThrow())),
        found -> {
          comparing.remove(one);
          found.stream()
              .findFirst()
              .ifPresentOrElse(
                  entry -> one.answer(entry),
                  () -> one.caller().completeExceptionally(room.tooManyKeys()));
        },
        failure -> {
          comparing.remove(one);
          one.caller().completeExceptionally(failure);
        });
  }

  private void sendAll() {
    while (lanes.isOpen(waiting.size(), CommitLimits.SUBMIT.items())) {
      send(lanes.take(), gather());
    }
    if (lanes.isStalled()) {
      StoreException why = refusing();
      waiting.forEach(one -> one.caller().completeExceptionally(why));
      waiting.clear();
    }
  }

  private void send(CommitChain lane, List<Waiting> batch) {
    Commit commit;
    byte[] message;
    try {
      commit = commit(batch);
      message =
          Records.encode(new SubmittedTasks(batch.stream().map(Waiting::task).toList()));
    } catch (IllegalArgumentException e) {
      lanes.giveBack(lane);
      sendAlone(batch, e);
      return;
    }
    inFlight.addAll(batch);
    lane.commit(
        commit,
        message,
        link -> {
          writeFinished(lane, batch);
          switch (link) {
            case CommitChain.Link.Applied unused ->
              batch.forEach(
                  one -> one.caller().complete(new Receipt.Accepted(one.task().id())));
            case CommitChain.Link.Refused(Guard guard, long found) -> refused(batch, guard);
            case CommitChain.Link.Forgotten unused ->
              batch.forEach(one -> one.caller().completeExceptionally(forgotten()));
          }
          sendAll();
        },
        why -> {
          if (why instanceof StoreException.Unknown) {
            lanes.stall(lane); // an earlier attempt may have been applied; the settler goes on
          } else {
            writeFinished(lane, batch);
          }
          refusal = Optional.of(why.getCause() instanceof StoreException reason ? reason : why);
          batch.forEach(one -> one.caller().completeExceptionally(why));
          sendAll();
        });
  }

  /**
   * Handles a commit that no store accepts (a key that is too long, one key twice), which is a bug here or in a caller. It fails only that
   * submission, and the loop goes on: each of the batch is retried in a commit of its own.
   */
  private void sendAlone(List<Waiting> batch, IllegalArgumentException why) {
    if (batch.size() > 1) {
      alone = batch.size();
      again(batch);
      return;
    }
    Waiting one = batch.getFirst();
    LOG.error(
        "Task {} cannot be written to any store, so its submission fails; other tasks are not affected. This is a bug in Belfry.",
        one.task().id(),
        why);
    one.caller().completeExceptionally(why);
  }

  private void writeFinished(CommitChain lane, List<Waiting> batch) {
    batch.forEach(inFlight::remove);
    lanes.giveBack(lane);
  }

  /** The failure for new submissions while every chain waits for the engine to accept writes again; nothing of them was written. */
  private StoreException refusing() {
    StoreException last = refusal.orElseThrow();
    String message = "The store refuses writes. Fix the cause, and submit again. The store said: "
        + last.getMessage();
    return switch (last) {
      case StoreException.Full unused -> new StoreException.Full(message, last);
      case StoreException.Damaged unused -> new StoreException.Damaged(message, last);
      default -> new StoreException.Denied(message, last);
    };
  }

  private static StoreException forgotten() {
    return new StoreException.Unknown(
        "The node was suspended for so long that it is unknown whether the task was accepted. Look it up by its id.",
        null);
  }

  /** Two submissions with one id or key do not go into one commit; the second finds the record of the first. */
  private List<Waiting> gather() {
    var batch = new ArrayList<Waiting>();
    Set<Key> keys = new HashSet<>();
    long bytes = 0;
    int writes = 0;
    int most = alone > 0 ? 1 : CommitLimits.SUBMIT.items();
    alone = Math.max(0, alone - 1);
    while (!waiting.isEmpty() && batch.size() < most) {
      Waiting one = waiting.getFirst();
      long weight = 2 * Weight.of(one.task());
      int more = one.submission().once().isPresent() ? WRITES_ONCE : 1;
      boolean fits = batch.isEmpty()
          || (bytes + weight <= CommitLimits.SUBMIT.bytes() && writes + more <= BATCH_WRITES_MAX);
      boolean apart = keys.add(one.key()) && one.dedup().map(keys::add).orElse(true);
      if (!fits || !apart) {
        break;
      }
      bytes += weight;
      writes += more;
      batch.add(waiting.removeFirst());
    }
    return batch;
  }

  private Commit commit(List<Waiting> batch) {
    long until = loop.time().wall().plus(window).toEpochMilli();
    Commit.Builder commit = Commit.when();
    for (Waiting one : batch) {
      one.dedup()
          .ifPresent(
              key -> commit.absent(key).put(key, Records.encode(one.submission().record())));
      one.submission()
          .once()
          .ifPresent(once -> commit.put(Keys.dedupExpiry(until, once), new byte[0]));
      commit.absent(one.key()).put(one.key(), Records.encode(one.task()));
    }
    return NamespaceEndMark.unlessEnded(commit).build();
  }

  private void refused(List<Waiting> batch, Guard guard) {
    if (NamespaceEndMark.isRefusedBy(guard)) {
      batch.forEach(one -> one.caller().completeExceptionally(new NamespaceEndedException()));
      return;
    }
    var others = new ArrayList<Waiting>();
    Optional<Waiting> known = Optional.empty();
    for (Waiting one : batch) {
      if (one.dedup().filter(guard.key()::equals).isPresent()) {
        known = Optional.of(one);
      } else if (guard.key().equals(one.key())) {
        one.caller().complete(new Receipt.Conflict(one.task().id()));
      } else {
        others.add(one);
      }
    }
    if (known.isPresent()) {
      compare(known.get(), others);
    } else {
      again(others);
    }
  }

  /** If one of a batch was submitted before, most of the others probably were, too: all are looked up at once. */
  private void compare(Waiting known, List<Waiting> others) {
    var asked = new ArrayList<Waiting>(List.of(known));
    others.stream().filter(one -> one.dedup().isPresent()).forEach(asked::add);
    again(others.stream().filter(one -> one.dedup().isEmpty()).toList());
    comparing.addAll(asked);
    loop.onResult(
        store.get(asked.stream().map(one -> one.dedup().orElseThrow()).toList()),
        found -> {
          if (!stopped) {
            compared(asked, found);
          }
        },
        failure -> {
          known.caller().completeExceptionally(failure);
          if (!stopped) {
            asked.forEach(comparing::remove);
            asked.remove(known);
            again(asked);
          }
        });
  }

  private void compared(List<Waiting> asked, List<Entry> found) {
    asked.forEach(comparing::remove);
    Map<Key, Entry> byKey = HashMap.newHashMap(found.size());
    found.forEach(entry -> byKey.put(entry.key(), entry));
    var unknown = new ArrayList<Waiting>();
    for (Waiting one : asked) {
      Entry entry = byKey.get(one.dedup().orElseThrow());
      if (entry == null) {
        unknown.add(one); // or its window has just ended
      } else {
        one.answer(entry);
      }
    }
    again(unknown);
  }

  /** Puts them back to the front, from where they were taken. */
  private void again(List<Waiting> some) {
    some.reversed().forEach(waiting::addFirst);
    if (!some.isEmpty()) {
      lanes.wake();
    }
  }

  private void fail(StoreException cause) {
    stopped = true;
    room.stop();
    waiting.forEach(one -> one.caller().completeExceptionally(cause));
    waiting.clear();
    comparing.forEach(one -> one.caller().completeExceptionally(cause));
    comparing.clear();
    inFlight.forEach(one -> one.caller()
        .completeExceptionally(new StoreException.Unknown(
            "The node stopped before the store answered: the task may have been accepted. Look it up by its id.",
            cause)));
    inFlight.clear();
    over = true;
    refuseEntering();
  }
}
