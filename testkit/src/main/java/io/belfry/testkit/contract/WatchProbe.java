package io.belfry.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.belfry.model.time.Time;
import io.belfry.store.Change;
import io.belfry.store.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A watcher that queues its events for the test to wait on. Threading: safe. */
public final class WatchProbe implements Watcher {

  /** What a watcher received. */
  public sealed interface Event {
    record Opened(long revision) implements Event {}

    record Changed(long revision, List<Change> changes) implements Event {}

    record Compacted() implements Event {}
  }

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Time time = Time.system();
  private volatile Set<Class<? extends Event>> throwing = Set.of();

  /** From now on it throws at these events, after it has queued them. */
  public void throwAt(Set<Class<? extends Event>> kinds) {
    throwing = kinds;
  }

  @Override
  public void opened(long revision) {
    receive(new Event.Opened(revision));
  }

  @Override
  public void changed(long revision, List<Change> changes) {
    receive(new Event.Changed(revision, List.copyOf(changes)));
  }

  @Override
  public void compacted() {
    receive(new Event.Compacted());
  }

  private void receive(Event event) {
    events.add(event);
    if (throwing.contains(event.getClass())) {
      throw new IllegalStateException("a watcher that throws on purpose");
    }
  }

  /** Waits for the next event, which must be of this kind. */
  public <W extends Event> W next(Class<W> kind) {
    Event event = next();
    assertThat(event).isInstanceOf(kind);
    return kind.cast(event);
  }

  public long opened() {
    return next(Event.Opened.class).revision();
  }

  public Event.Changed changed() {
    return next(Event.Changed.class);
  }

  /** Everything up to and including the first change that satisfies {@code last}. */
  public List<Event.Changed> changesUntil(Predicate<Change> last) {
    var seen = new ArrayList<Event.Changed>();
    while (seen.isEmpty() || seen.getLast().changes().stream().noneMatch(last)) {
      seen.add(changed());
    }
    return seen;
  }

  /** Waits for the compaction event, skipping the changes before it. */
  public void awaitCompacted() {
    Event event = next();
    while (!(event instanceof Event.Compacted)) {
      event = next();
    }
  }

  /** Whether no event arrives for this long. */
  public boolean silentFor(Duration pause) {
    long end = time.nanos() + pause.toNanos();
    try {
      return events.poll(Math.max(0, end - time.nanos()), TimeUnit.NANOSECONDS) == null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the watch", e);
    }
  }

  private Event next() {
    try {
      Event event = events.poll(Subject.PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no watch event within " + Subject.PATIENCE_SECONDS + " s");
      }
      return event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for the watch", e);
    }
  }
}
