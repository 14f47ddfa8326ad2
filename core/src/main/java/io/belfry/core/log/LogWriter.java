package io.belfry.core.log;

import io.belfry.core.commit.RetryingCommitter;
import io.belfry.core.keys.Keys;
import io.belfry.core.loop.Loop;
import io.belfry.core.record.LogHead;
import io.belfry.core.record.LogPiece;
import io.belfry.core.record.Records;
import io.belfry.model.job.Payload;
import io.belfry.model.task.Task;
import io.belfry.model.task.TaskId;
import io.belfry.store.Commit;
import io.belfry.store.Guard;
import io.belfry.store.Key;
import io.belfry.store.Outcome;
import io.belfry.store.Revision;
import io.belfry.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the logs and progress of a worker's attempts: each at most once a second while it runs and once more at its end, many in one
 * commit, one commit at a time, with a rate limit.
 *
 * <p>Only this class writes the head of a log, and every commit is guarded by the revision that the previous one left on it: a commit
 * that arrives late after a lost answer finds the head changed. A head that is gone has been trimmed, and its attempt logs no more.
 *
 * <p>Threading: {@link #open} from any thread; everything else is confined to the worker's loop.
 */
public final class LogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int PIECES_WHILE_RUNNING = 4;
  private static final int PIECES_AT_ONCE = 16;
  private static final int COMMIT_BYTES_MAX = 256 * 1024;
  private static final int WRITES_MAX = 100;
  /** Writes for the head of a log, and for the deletions that come with it. */
  private static final int WRITES_BESIDE = 4;

  /** About the size of a progress record. */
  private static final long PROGRESS_BYTES = 1024;

  private static final long BYTES_PER_SECOND = 4 << 20;
  private static final long ROOM = 32 << 20;
  /** Most ended attempts whose logs are not written yet; beyond that, logs are dropped. */
  private static final int WAITING_MAX = 10_000;

  private record Item(LogBuffer notebook, LogBuffer.Page page) {}

  private final Loop loop;
  private final Store store;
  private final String worker;
  private final Supplier<OptionalLong> lease;
  private final RetryingCommitter settler;
  private final Room room = new Room(ROOM);
  private final LinkedHashSet<LogBuffer> waiting = new LinkedHashSet<>();
  private boolean sending;
  /** Whether the last batch was full, so that the rest is due now. */
  private boolean full;

  private boolean stopped;
  private boolean flushing;
  private boolean warned;
  private @Nullable Runnable flushed;
  private Loop.@Nullable Timer timer;

  /**
   * A writer without anything to write.
   *
   * @param worker id and incarnation
   * @param lease for progress records, so that they do not outlive the worker; empty while there is none
   */
  public LogWriter(Loop loop, Store store, String worker, Supplier<OptionalLong> lease) {
    this.loop = loop;
    this.store = store;
    this.worker = worker;
    this.lease = lease;
    this.settler = new RetryingCommitter(loop, store, () -> !stopped, closed -> giveUp());
  }

  /** Opens a buffer for an attempt; the caller closes it. */
  public LogBuffer open(Task task) {
    return new LogBuffer(task, worker, room, news -> loop.post(() -> onNews(news)));
  }

  /** Writes everything now, without waiting for more. */
  public void flush(Runnable then) {
    flushing = true;
    flushed = then;
    send();
  }

  private void giveUp() {
    stopped = true;
    waiting.forEach(LogBuffer::silence);
    waiting.clear();
    doneIfFlushed();
  }

  private void onNews(LogBuffer notebook) {
    if (stopped) {
      notebook.silence();
      return;
    }
    if (waiting.size() >= WAITING_MAX && !waiting.contains(notebook)) {
      tooMany(notebook);
      return;
    }
    waiting.add(notebook);
    if (notebook.isClosed()) {
      loop.post(this::send); // before the report of its end, which was posted after this
    } else {
      sendIn(EVERY);
    }
  }

  private void tooMany(LogBuffer notebook) {
    notebook.silence();
    if (!warned) {
      warned = true;
      LOG.warn(
          "More than {} ended attempts of worker {} wait for their logs to be written; the logs of some are dropped."
              + " Log less, or use a faster store.",
          WAITING_MAX,
          worker);
    }
  }

  private void sendIn(Duration pause) {
    if (timer == null) {
      timer = loop.after(pause, () -> {
        timer = null;
        send();
      });
    }
  }

  private void send() {
    if (sending || stopped) {
      doneIfFlushed();
      return;
    }
    List<Item> batch = gather();
    writeProgress(batch);
    Commit.Builder commit = Commit.when();
    long bytes = 0;
    List<Item> logs =
        batch.stream().filter(item -> item.page.head().isPresent()).toList();
    for (Item item : logs) {
      bytes += add(commit, item);
    }
    if (logs.isEmpty()) {
      rest(batch);
      if (full) {
        pause(PROGRESS_BYTES * batch.size());
      }
      return;
    }
    sending = true;
    long weight = bytes;
    settler.commit(commit.build(), settled -> {
      sending = false;
      switch (settled.outcome()) {
        case Outcome.Done(long revision) -> logs.forEach(item -> written(item, revision));
        case Outcome.Refused(Guard guard, long found) -> refused(logs, guard, found);
        case Outcome.LeaseEnded ended ->
          throw new IllegalStateException(
              "logs are committed without a lease, but the outcome was " + ended);
      }
      rest(batch);
      pause(weight);
    });
  }

  /** Schedules the next commit by the rate limit: this is the only place where a flood is slowed down. */
  private void pause(long bytes) {
    if (!waiting.isEmpty()) {
      Duration pause = Duration.ofSeconds(1).multipliedBy(bytes).dividedBy(BYTES_PER_SECOND);
      sending = true;
      var unused = loop.after(pause, () -> {
        sending = false;
        send();
      });
    }
  }

  private List<Item> gather() {
    var batch = new ArrayList<Item>();
    long now = loop.time().nanos();
    int writes = 0;
    int bytes = 0;
    full = false;
    Set<TaskId> tasks = new HashSet<>();
    for (LogBuffer notebook : waiting) {
      if (writes + PIECES_AT_ONCE + WRITES_BESIDE > WRITES_MAX || bytes >= COMMIT_BYTES_MAX) {
        full = true;
        break;
      }
      boolean ended = flushing || notebook.isClosed();
      // Not two attempts of one task together: the later one may delete what the earlier one
      // puts.
      if (!(ended || isDue(notebook.trace, now)) || !tasks.add(notebook.id())) {
        continue;
      }
      int most = ended ? PIECES_AT_ONCE : PIECES_WHILE_RUNNING;
      int fits = (COMMIT_BYTES_MAX - bytes) / LogHead.PIECE_BYTES_MAX;
      LogBuffer.Page page = notebook.take(Math.clamp(fits, 1, most));
      notebook.trace.writtenOnce = true;
      notebook.trace.writtenAt = now;
      batch.add(new Item(notebook, page));
      writes += page.head().isPresent() ? WRITES_BESIDE + page.pieces().size() : 1;
      bytes += page.pieces().stream().mapToInt(piece -> piece.text().length).sum();
    }
    return batch;
  }

  private static boolean isDue(LogBuffer.Trace trace, long now) {
    return !trace.writtenOnce || now - trace.writtenAt >= EVERY.toNanos();
  }

  private static long add(Commit.Builder commit, Item item) {
    LogBuffer notebook = item.notebook;
    Key head = Keys.logHead(notebook.id(), notebook.token());
    if (item.notebook.trace.headRevision == Revision.NONE) {
      commit.absent(head);
      forgetBefore(commit, notebook.task());
    } else {
      commit.unchanged(head, item.notebook.trace.headRevision);
    }
    LogHead says = item.page.head().orElseThrow();
    commit.put(head, Records.encode(says));
    long bytes = 0;
    for (LogBuffer.Copy piece : item.page.pieces()) {
      bytes += piece.text().length;
      commit.put(
          Keys.logPiece(notebook.id(), notebook.token(), LogHead.slot(says.span(), piece.number())),
          Records.encode(new LogPiece(piece.number(), Payload.of(LogPiece.TYPE, piece.text()))));
    }
    return bytes;
  }

  /** Deletes the previous attempt's log if the task is retried often: only the first logs and the newest are kept. */
  private static void forgetBefore(Commit.Builder commit, Task task) {
    if (task.attempts() > LogHead.SHORT_LIVED) {
      task.history().latest().map(ended -> ended.attempt().token().value()).ifPresent(before -> {
        commit.delete(Keys.logHead(task.id(), before));
        commit.delete(Keys.logPiece(task.id(), before, 0));
        commit.delete(Keys.logPiece(task.id(), before, 1));
      });
    }
  }

  private static void written(Item item, long revision) {
    item.notebook.trace.headRevision = revision;
    item.notebook.written(item.page);
  }

  private static void refused(List<Item> logs, Guard guard, long found) {
    for (Item item : logs) {
      LogBuffer notebook = item.notebook;
      if (Keys.logHead(notebook.id(), notebook.token()).equals(guard.key())) {
        if (found == Revision.NONE) {
          notebook.silence();
        } else {
          item.notebook.trace.headRevision = found; // by our own commit, whose answer was lost
        }
      }
    }
  }

  /** Writes progress without retries: a lost record is replaced within a second or two, and the rest ends with the lease. */
  private void writeProgress(List<Item> batch) {
    Commit.Builder commit = Commit.when();
    OptionalLong under = lease.get();
    int writes = 0;
    for (Item item : batch) {
      LogBuffer notebook = item.notebook;
      Key key = Keys.progress(notebook.id(), notebook.token());
      if (notebook.isClosed()) {
        if (item.notebook.trace.progressKept) {
          item.notebook.trace.progressKept = false;
          commit.delete(key);
          writes++;
        }
      } else if (item.page.progress().isPresent() && under.isPresent()) {
        item.notebook.trace.progressKept = true;
        commit.put(key, Records.encode(item.page.progress().get()), under.getAsLong());
        writes++;
      }
    }
    if (writes > 0) {
      loop.onResult(store.commit(commit.build()), outcome -> {}, failure -> {
        // Progress is never retried.
      });
    }
  }

  /** Removes buffers that are written completely; the others wait for their next turn. */
  private void rest(List<Item> batch) {
    for (Item item : batch) {
      LogBuffer notebook = item.notebook;
      if (!notebook.hasNews()) {
        waiting.remove(notebook);
      }
    }
    if (!waiting.isEmpty()) {
      sendIn(EVERY);
    }
    doneIfFlushed();
  }

  private void doneIfFlushed() {
    Optional<Runnable> then = Optional.ofNullable(flushed);
    if (then.isPresent() && (stopped || (waiting.isEmpty() && !sending))) {
      flushed = null;
      then.get().run();
    }
  }
}
