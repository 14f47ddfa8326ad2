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
 * How queues are served, for the whole namespace. A queue exists as soon as a task names it; it is pushed until somebody says
 * otherwise here. Once a change has returned, no worker claims anything under what was before.
 *
 * <p>Threading: safe.
 */
public final class QueueDesk {
  private static final int TRIES_MAX = 20;
  private static final int NAME_CHARS_MAX = 64;

  private final Calls calls;
  private final Store store;

  QueueDesk(Calls calls, Store store) {
    this.calls = calls;
    this.store = store;
  }

  /** How the queue is served. */
  public QueueRecord get(String queue) {
    return record(read(calls.begin(), checked(queue)));
  }

  /** The queues of which somebody has said how they are served. */
  public Map<String, QueueRecord> all() {
    var all = new TreeMap<String, QueueRecord>();
    calls
        .begin()
        .scan(store, Keys.QUEUES, Records::queue, (key, queue) -> all.put(key.text(), queue));
    return all;
  }

  /** Switches between the leader giving tasks out ({@code PUSH}) and workers taking them ({@code PULL}), while tasks wait and run. */
  public void mode(String queue, Mode mode) {
    change(checked(queue), now -> now.mode() == mode ? now : now.mode(mode));
  }

  /** Nothing of the queue begins any more until {@link #resume}; what runs goes on, and tasks are still taken in. */
  public void pause(String queue) {
    change(checked(queue), now -> now.paused() ? now : now.paused(true));
  }

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
    return entry.map(stands -> Records.queue(stands.value())).orElse(QueueRecord.DEFAULT);
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
    throw new StoreException.Overloaded("Queue " + queue + " was changed by others " + TRIES_MAX
        + " times while this change was tried. Try again later.");
  }
}
