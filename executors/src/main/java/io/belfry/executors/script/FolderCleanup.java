package io.belfry.executors.script;

import io.belfry.model.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the folders of attempts. A folder that cannot be deleted at once, because a script stopped the deleting programs or left too much,
 * does not delay its attempt: a background thread retries the deletion a limited number of times. It runs only while there are such folders.
 *
 * <p>Threading: safe.
 */
final class FolderCleanup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderCleanup.class);
  private static final int WAITING_MAX = 1000;
  private static final int TRIES_MAX = 60;
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private record Leftover(AttemptFolder place, int tries) {}

  private final Duration limit;
  private final Duration pause;
  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Leftover> waiting = new ArrayDeque<>();
  private @Nullable Thread sweeper;
  private boolean closed;

  /**
   * Without folders to retry.
   *
   * @param limit how long one deletion may delay its attempt
   * @param pause between retries
   */
  FolderCleanup(Duration limit, Duration pause, Time time) {
    this.limit = limit;
    this.pause = pause;
    this.time = time;
  }

  /** Deletes the folder now, or schedules a retry. */
  void delete(AttemptFolder place) {
    delete(new Leftover(place, 0), limit);
  }

  private void delete(Leftover leftover, Duration within) {
    try {
      leftover.place.delete(within);
    } catch (IOException e) {
      keep(new Leftover(leftover.place, leftover.tries + 1), e);
    }
  }

  private void keep(Leftover leftover, IOException why) {
    lock.lock();
    try {
      if (closed || leftover.tries > TRIES_MAX || waiting.size() >= WAITING_MAX) {
        LOG.warn(
            "The folder {} of a script could not be deleted and stays on disk. Delete it manually.",
            leftover.place.folder(),
            why);
        return;
      }
      if (leftover.tries == 1) {
        LOG.warn(
            "The folder {} of a script could not be deleted yet. The deletion is retried every {}, up to {} times.",
            leftover.place.folder(),
            pause,
            TRIES_MAX,
            why);
      }
      waiting.add(leftover);
      if (sweeper == null) {
        sweeper = Thread.ofVirtual().name("belfry-script-leftovers").start(this::sweep);
      }
    } finally {
      lock.unlock();
    }
  }

  private void sweep() {
    List<Leftover> round = awaitRound();
    while (!round.isEmpty()) {
      round.forEach(this::again);
      round = awaitRound();
    }
  }

  private void again(Leftover leftover) {
    if (isClosed()) {
      keep(leftover, new IOException("the executor was closed before the next retry"));
    } else {
      delete(leftover, AGAIN);
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the pause and returns all folders to retry; none if this thread should end. */
  private List<Leftover> awaitRound() {
    lock.lock();
    try {
      var unused = UninterruptibleWait.await(time, pause, this::isOver);
      List<Leftover> round = List.copyOf(waiting);
      if (closed || round.isEmpty()) {
        sweeper = null;
        return List.of();
      }
      waiting.clear();
      return round;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver(long nanos) throws InterruptedException {
    long left = nanos;
    while (!closed && !waiting.isEmpty() && left > 0) {
      left = changed.awaitNanos(left);
    }
    return closed || waiting.isEmpty();
  }

  /** Stops retrying. The remaining folders stay on disk. */
  @Override
  public void close() {
    Thread running;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      waiting.forEach(leftover -> LOG.warn(
          "The folder {} of a script could not be deleted and stays on disk. Delete it manually.",
          leftover.place.folder()));
      waiting.clear();
      running = sweeper;
    } finally {
      lock.unlock();
    }
    if (running != null
        && !UninterruptibleWait.await(
            time, AGAIN.multipliedBy(2), nanos -> running.join(Duration.ofNanos(nanos)))) {
      LOG.error("The thread {} does not end.", running.getName());
    }
  }
}
