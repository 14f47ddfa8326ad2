package io.belfry.library;

import io.belfry.core.keys.Keys;
import io.belfry.core.record.QueueRecord;
import io.belfry.core.record.QueueRecord.Mode;
import io.belfry.core.record.Records;
import io.belfry.model.Check;
import io.belfry.store.Commit;
import io.belfry.store.Entry;
import io.belfry.store.Outcome;
import io.belfry.store.Store;
import io.belfry.store.StoreException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Manages queues of the namespace. A queue exists as soon as a task names it, and is in push mode by default. When a method returns, no worker
 * claims tasks under the old settings any more.
 *
 * <p>Threading: safe.
 */
public final class QueueOperations {
  private static final int TRIES_MAX = 20;
  private static final int NAME_CHARS_MAX = 64;

  private final Calls calls;
  private final Store store;

  QueueOperations(Calls calls, Store store) {
    this.calls = calls;
    this.store = store;
  }

  /** The settings of the queue. */
  public QueueRecord get(String queue) {
    return record(read(calls.begin(), checked(queue)));
  }

  /** The queues whose settings were changed, by name. */
  public Map<String, QueueRecord> all() {
    var all = new TreeMap<String, QueueRecord>();
    calls
        .begin()
        .scan(store, Keys.QUEUES, Records::queue, (key, queue) -> all.put(key.text(), queue));
    return all;
  }

  /** Sets the mode: the leader assigns tasks ({@code PUSH}), or workers claim them ({@code PULL}). Tasks may wait and run meanwhile. */
  public void mode(String queue, Mode mode) {
    change(checked(queue), now -> now.mode() == mode ? now : now.mode(mode));
  }

  /** Pauses the queue: no attempt starts until {@link #resume}. Running attempts continue, and new tasks are accepted. */
  public void pause(String queue) {
    change(checked(queue), now -> now.paused() ? now : now.paused(true));
  }

  /** Resumes the queue. */
  public void resume(String queue) {
    change(checked(queue), now -> now.paused() ? now.paused(false) : now);
  }

  private static String checked(String queue) {
    return Check.name("queue", queue, NAME_CHARS_MAX);
  }

  private Optional<Entry> read(Calls.Span span, String queue) {
    return span.read(() -> store.get(List.of(Keys.queue(queue)))).stream().findFirst();
  }

  private static QueueRecord record(Optional<Entry> entry) {
    return entry.map(stored -> Records.queue(stored.value())).orElse(QueueRecord.DEFAULT);
  }

  private void change(String queue, UnaryOperator<QueueRecord> to) {
    Calls.Span span = calls.begin();
    for (int i = 0; i < TRIES_MAX; i++) {
      Optional<Entry> before = read(span, queue);
      QueueRecord after = to.apply(record(before));
      if (after.equals(record(before))) {
        return;
      }
      Commit.Builder commit = Commit.when();
      before.ifPresentOrElse(commit::unchanged, () -> commit.absent(Keys.queue(queue)));
      byte[] value = Records.encode(after);
      Outcome outcome =
          span.write(() -> store.commit(commit.put(Keys.queue(queue), value).build()));
      if (outcome instanceof Outcome.Done) {
        return;
      }
    }
    throw new StoreException.Overloaded("Queue " + queue + " was not changed, because " + TRIES_MAX
        + " concurrent changes got ahead of this one. Try again later.");
  }
}
