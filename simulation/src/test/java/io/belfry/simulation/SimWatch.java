package io.belfry.simulation;

import io.belfry.store.Change;
import io.belfry.store.Feed;
import io.belfry.store.StoreException;
import io.belfry.store.Watch;
import io.belfry.store.Watcher;
import java.util.ArrayDeque;
import java.util.List;

/**
 * One watch on its way from the engine to a node: words arrive late, in order, and not at all while the way is cut.
 *
 * <p>Threading: confined to its world.
 */
final class SimWatch implements Watch {
  private record Word(long notBefore, Runnable said) {}

  private final SimNode node;
  private final SimEngine engine;
  private final Link link;
  private final Feed feed;
  private final Watcher watcher;
  private final ArrayDeque<Word> words = new ArrayDeque<>();
  private boolean open = true;
  private boolean pumping;
  private boolean openedHeard;
  private long openedAt;

  SimWatch(SimNode node, SimEngine engine, Link link, Feed feed, Watcher watcher) {
    this.node = node;
    this.engine = engine;
    this.link = link;
    this.feed = feed;
    this.watcher = watcher;
  }

  Feed feed() {
    return feed;
  }

  /** The request has reached the engine. */
  void register(long after) {
    if (open) {
      engine.feeds().open(this, after == NOW ? engine.feeds().last() : after);
    }
  }

  void sayOpened(long revision) {
    openedAt = revision;
    say(() -> {
      openedHeard = true;
      watcher.opened(revision);
    });
  }

  void sayChanged(long revision, List<Change> changes) {
    say(() -> watcher.changed(revision, changes));
  }

  void sayCompacted() {
    say(() -> {
      open = false;
      watcher.compacted();
    });
  }

  /** The engine refuses the watch; it opens before it ends, as every watch does. */
  void sayFailed(StoreException refusal) {
    sayOpened(engine.feeds().last());
    say(() -> {
      open = false;
      watcher.failed(refusal);
    });
  }

  boolean lagsBehind() {
    return !words.isEmpty() && link.isCut();
  }

  /** What was not delivered yet never is, but that a watch opens before it ends. */
  void loseTheRest() {
    words.clear();
    if (!openedHeard) {
      sayOpened(openedAt);
    }
    sayCompacted();
  }

  private void say(Runnable word) {
    words.add(new Word(node.world().now() + link.wordsLate(), word));
    if (!pumping) {
      pumping = true;
      node.world().in(link.nanos(), this::pump);
    }
  }

  private void pump() {
    if (!open || !node.alive()) {
      words.clear();
      pumping = false;
    } else if (link.isCut()) {
      link.whenHealed(() -> node.world().in(link.nanos(), this::pump));
    } else if (words.getFirst().notBefore > node.world().now()) {
      node.world().at(words.getFirst().notBefore, this::pump);
    } else {
      deliver(words.remove().said);
      pumping = !words.isEmpty();
      if (pumping) {
        node.world().in(20_000, this::pump);
      }
    }
  }

  private void deliver(Runnable word) {
    node.arrive(() -> {
      if (open) {
        word.run();
      }
    });
  }

  @Override
  public void close() {
    open = false;
    engine.feeds().close(this);
  }
}
