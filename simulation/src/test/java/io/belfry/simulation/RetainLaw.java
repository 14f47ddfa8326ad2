package io.belfry.simulation;

import io.belfry.core.history.Listing;
import io.belfry.core.keys.Keys;
import io.belfry.core.keys.SegmentKeys;
import io.belfry.core.record.HistorySegment;
import io.belfry.core.record.Records;
import io.belfry.core.record.SegmentHead;
import io.belfry.model.task.Task;
import io.belfry.store.Change;
import io.belfry.store.Key;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A finished task is kept once for as long as it is to be kept, is on every listing that goes from the first page to the last meanwhile, and
 * is never made again, whatever is folded, put together and forgotten.
 *
 * <p>Threading: confined to its world.
 */
final class RetainLaw implements EngineEar {
  /** Reads may lag a little behind. */
  private static final long LAG = Duration.ofSeconds(2).toNanos();
  /** Segments go as a whole, by the hour. */
  private static final long AFTERWARDS = Duration.ofMinutes(130).toNanos();

  private final World world;
  private final SimEngine engine;
  private final long kept;
  /** When each task ended. */
  private final Map<String, Long> ended = new HashMap<>();

  private int merged;
  private int dropped;

  RetainLaw(Simulation simulation, Duration kept) {
    this.world = simulation.world();
    this.engine = simulation.engine();
    this.kept = kept.toNanos();
    engine.addEar(this);
  }

  @Override
  public void settled(EngineStep step) {
    for (Change change : step.changes()) {
      Key key = change.key();
      if (key.space().equals(Keys.TASKS)) {
        task(step, change);
      } else if (key.space().equals(Keys.SEGMENT_HEADS)) {
        if (change instanceof Change.Put(var entry)) {
          merged += Records.segmentHead(entry.value()).isElsewhere() ? 1 : 0;
        } else {
          dropped++;
        }
      }
    }
  }

  private void task(EngineStep step, Change change) {
    String id = change.key().text();
    if (change instanceof Change.Deleted) {
      ended.put(id, world.now());
    } else if (step.before(change.key()) == null && ended.containsKey(id)) {
      throw world.violation(
          "I2 forgetting never opens an id again", step.by() + " made " + id + " again");
    }
  }

  /** One that is under way. */
  final class Walk {
    private final long begun = world.now();
    private final Set<String> seen = new HashSet<>();

    void took(Listing page) {
      for (Task task : page.tasks()) {
        if (!seen.add(task.id().toString())) {
          throw world.violation("a listing repeats nothing", task.id() + " is on two pages");
        }
      }
    }

    void done() {
      ended.forEach((id, at) -> {
        if (at < begun - LAG && at + kept > world.now() + LAG && !seen.contains(id)) {
          throw world.violation(
              "a listing misses nothing",
              id + " was there from the first page to the last, and on none");
        }
      });
    }
  }

  /** Once everything has settled. */
  void check() {
    Map<String, Key> there = new HashMap<>();
    engine.state().slots().forEach((key, slot) -> {
      if (key.space().equals(Keys.FRESH_HISTORY)) {
        Records.endedBatch(slot.value()).tasks().forEach(task -> keep(there, task, key));
      } else if (key.space().equals(Keys.SEGMENT_HEADS)) {
        SegmentHead head = Records.segmentHead(slot.value());
        EngineStep.Slot rows = engine.state().slots().get(SegmentKeys.tasks(key.text()));
        HistorySegment segment = HistorySegment.of(
            Objects.requireNonNull(rows, "a segment with each head").value());
        for (int row = 0; !head.isElsewhere() && row < segment.count(); row++) {
          keep(there, segment.task(row), key);
        }
      }
    });
    ended.forEach((id, at) -> {
      if (at + kept > world.now() + LAG && !there.containsKey(id)) {
        throw world.violation("history is whole", id + " ended and is nowhere");
      }
      if (at + kept + AFTERWARDS < world.now() && there.containsKey(id)) {
        throw world.violation("I9 disk is bounded", id + " is still in " + there.get(id));
      }
    });
  }

  private void keep(Map<String, Key> there, Task task, Key key) {
    Key before = there.put(task.id().toString(), key);
    if (before != null) {
      throw world.violation(
          "history is whole", task.id() + " is kept twice, in " + before + " and in " + key);
    }
  }

  /** A world in which nothing is put together and forgotten proves nothing. */
  void checkWork() {
    if (merged == 0 || dropped == 0) {
      throw world.violation(
          "small segments are put together and forgotten",
          merged + " were put together, " + dropped + " forgotten");
    }
  }
}
